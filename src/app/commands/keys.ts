// `barograph keys`: makes, lists, rotates and revokes keys in the file that servers watch.
import { type Command, InvalidArgumentError } from 'commander';
import { type KeyRecord, readKeyRecords } from '../../access/key-records.js';
import { isPlan, PLAN_NAMES, type PlanName } from '../../access/plans.js';
import { isScope, SCOPE_NAMES, type Scope } from '../../access/scopes.js';
import { formatInstant, type Instant, SECOND, systemClock } from '../../kernel/instant.js';
import { readConfig } from '../config.js';
import { type MadeKey, withNewKey, withRevokedKey, withRotatedKey } from '../key-changes.js';
import { changeKeyFile, type RawRecord, readKeyFile } from '../key-file.js';
import { instantOption, spanOption } from '../options.js';

const USUAL_SCOPES: readonly Scope[] = ['signals:read', 'stream:read', 'watchlists:read'];

function scopesOption(text: string): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every(isScope)) return [...new Set(names)].sort();
  throw new InvalidArgumentError(`write some of ${SCOPE_NAMES.join(',')}.`);
}

function planOption(text: string): PlanName {
  if (isPlan(text)) return text;
  throw new InvalidArgumentError(`use one of ${PLAN_NAMES.join(', ')}.`);
}

function customerOption(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('use up to 64 letters, digits, dots, colons, dashes and underscores.');
}

/** A span from now, or an instant to come. */
function endOption(text: string): Instant {
  const now = systemClock();
  const at = /^\d+[smhdw]$/.test(text) ? now + spanOption(text) * SECOND : instantOption(text);
  if (at <= now) throw new InvalidArgumentError('that is in the past.');
  return at;
}

const overlapOption = (text: string): number => (text === '0' ? 0 : spanOption(text) * SECOND);

interface Json {
  readonly json?: boolean;
}

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');

  keys
    .command('create')
    .description('make a key; its text is shown this once, only its hash is stored')
    .option('--scopes <list>', `some of ${SCOPE_NAMES.join(',')}`, scopesOption, USUAL_SCOPES)
    .option('--plan <name>', PLAN_NAMES.join(' or '), planOption, 'free' satisfies PlanName)
    .option('--customer <id>', 'whose key it is', customerOption)
    .option('--expires <when>', 'an instant, a day, or a span such as 90d', endOption)
    .option('--test', 'mark it as a key for tests')
    .option('--json', 'print as JSON')
    .action(async (given: Json & CreateOptions) => {
      const wish = {
        scopes: given.scopes,
        plan: given.plan,
        customerId: given.customer ?? null,
        expiresAt: given.expires ?? null,
        environment: given.test ? 'test' : 'live',
      } as const;
      show(await make((records) => withNewKey(records, wish, systemClock())), given);
    });

  keys
    .command('list')
    .description('show the keys and what becomes of them; never their text or hash')
    .option('--json', 'print as JSON')
    .action(async ({ json }: Json) => {
      const { keys: records } = await readKeyFile(readConfig().keysFile);
      const listed = list(records, systemClock());
      if (json) process.stdout.write(`${JSON.stringify(listed)}\n`);
      else if (listed.length === 0) process.stdout.write('There are no keys.\n');
      else for (const line of listed) process.stdout.write(`${Object.values(line).join('  ')}\n`);
    });

  keys
    .command('rotate')
    .description('make a new key in place of an old one; both work until the overlap ends')
    .argument('<id>', 'the id of the old key')
    .option(
      '--overlap <span>',
      'how long the old key still works, such as 7d, or 0',
      overlapOption,
      overlapOption('24h'),
    )
    .option(
      '--expires <when>',
      'when the new key ends; usually it lives as long as the old one did',
      endOption,
    )
    .option('--json', 'print as JSON')
    .action(async (id: string, given: Json & { overlap: number; expires?: Instant }) => {
      const { overlap, expires = null } = given;
      show(await make((records) => withRotatedKey(records, id, overlap, expires, systemClock())), given);
    });

  keys
    .command('revoke')
    .description('end a key; running servers feel it within seconds')
    .argument('<id>', 'the id of the key')
    .option('--json', 'print as JSON')
    .action(async (id: string, { json }: Json) => {
      await changeKeyFile(readConfig().keysFile, (records) => withRevokedKey(records, id, systemClock()));
      process.stdout.write(json ? `${JSON.stringify({ id, revoked: true })}\n` : `${id} is revoked.\n`);
    });
}

interface CreateOptions {
  readonly scopes: readonly Scope[];
  readonly plan: PlanName;
  readonly customer?: string;
  readonly expires?: Instant;
  readonly test?: boolean;
}

async function make(change: (records: readonly RawRecord[]) => MadeKey): Promise<MadeKey> {
  let made: MadeKey | undefined;
  await changeKeyFile(readConfig().keysFile, (records) => {
    made = change(records);
    return made.records;
  });
  return made!;
}

function show({ record, text }: MadeKey, { json }: Json): void {
  const { key_sha256: _hash, ...shown } = record;
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...shown, key: text })}\n`);
    return;
  }
  const lines = Object.entries(shown).map(([name, value]) => `  ${name.padEnd(12)} ${String(value)}`);
  process.stdout.write(
    `${lines.join('\n')}\n  ${'key'.padEnd(12)} ${text}\n\nShown this once; only its hash is stored. Send it as X-API-Key.\n`,
  );
}

function stateOf(record: KeyRecord, now: Instant): string {
  if (record.revoked) return 'revoked';
  if (record.notBefore !== null && now < record.notBefore) return 'not yet valid';
  return record.expiresAt !== null && now >= record.expiresAt ? 'expired' : 'active';
}

function list(raw: readonly RawRecord[], now: Instant): readonly Readonly<Record<string, unknown>>[] {
  const { records, ignored } = readKeyRecords(JSON.stringify({ keys: raw }));
  return [
    ...records.map((record) => ({
      id: record.id,
      state: stateOf(record, now),
      customer_id: record.customerId,
      plan: record.plan,
      scopes: record.scopes,
      expires_at: record.expiresAt === null ? null : formatInstant(record.expiresAt),
    })),
    ...ignored.map(({ id, index, because }) => ({
      id: id ?? `record ${index + 1}`,
      state: `ignored: ${because}`,
    })),
  ];
}
