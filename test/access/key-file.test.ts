// The keys command and the file that servers watch: the text is shown once, writers take turns, a revocation is felt.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readKeyRecords } from '../../src/access/key-records.js';
import { keySha256 } from '../../src/access/key-text.js';
import { KeyWatch, LOOK_EVERY_MS } from '../../src/access/key-watch.js';
import { Keyring } from '../../src/access/keyring.js';
import { main } from '../../src/app/cli.js';
import { changeKeyFile, keyFileSource, readKeyFile } from '../../src/app/key-file.js';
import { addressSecret } from '../../src/app/secrets.js';
import { MILLISECOND, SECOND, systemClock } from '../../src/kernel/instant.js';
import { TurnedClock } from '../house/studio.js';

const root = mkdtempSync(join(tmpdir(), 'barograph-keys-'));
let folder: string;
let file: string;
let said: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'one-'));
  file = join(folder, 'keys.json');
  vi.stubEnv('BAROGRAPH_DATA', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a command; returns its status, and `said` is what it wrote. */
async function run(...words: string[]): Promise<number> {
  said = '';
  const hear = (text: unknown) => {
    said += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(hear);
  vi.spyOn(process.stderr, 'write').mockImplementation(hear);
  const status = await main(['node', 'barograph', 'keys', ...words]);
  vi.restoreAllMocks();
  return status;
}
interface Shown {
  readonly id: string;
  readonly key: string;
  readonly [field: string]: unknown;
}
async function made(...words: string[]): Promise<Shown> {
  expect(await run(...words, '--json'), said).toBe(0);
  return JSON.parse(said) as Shown;
}
const listed = async () => {
  await run('list', '--json');
  return JSON.parse(said) as Record<string, unknown>[];
};

describe('the command', () => {
  test('makes a key that opens, and keeps only its hash, for the owner alone', async () => {
    const { id, key, ...rest } = await made(
      'create',
      '--scopes',
      'stream:read,signals:read',
      '--customer',
      'acme',
    );
    expect(rest).toMatchObject({
      customer_id: 'acme',
      plan: 'free',
      scopes: ['signals:read', 'stream:read'],
    });
    const stored = readFileSync(file, 'utf8');
    expect(stored).not.toContain(key);
    expect(readKeyRecords(stored).records).toMatchObject([{ id, sha256: keySha256(key) }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('shows a new key to people once, and in no list', async () => {
    expect(await run('create')).toBe(0);
    const key = /baro_live_\w+/.exec(said)?.[0];
    expect(key).toBeDefined();
    expect(said).not.toContain(keySha256(key!));
    await run('list');
    expect(said).toContain('active');
    expect(said).not.toContain(key);
    expect(said).not.toContain(keySha256(key!));
  });

  test('gives a key an end', async () => {
    const { expires_at } = await made('create', '--expires', '90d', '--plan', 'operator', '--test');
    const end = Date.parse(String(expires_at)) * MILLISECOND;
    expect(Math.abs(end - systemClock() - 90 * 86_400 * SECOND)).toBeLessThan(60 * SECOND);
  });

  test.each([
    ['an unknown scope', ['create', '--scopes', 'everything']],
    ['an unknown plan', ['create', '--plan', 'gold']],
    ['an end in the past', ['create', '--expires', '2020-01-01']],
    ['a customer that is no id', ['create', '--customer', 'a b']],
    ['an unknown verb', ['destroy']],
    ['no key', ['revoke']],
  ])('refuses %s as wrong usage', async (_what, words) => {
    expect(await run(...words)).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('refuses keys that are not there', async () => {
    expect(await run('revoke', 'nobody')).toBe(1);
    expect(await run('rotate', 'nobody')).toBe(1);
    expect(said).toContain('there is no key nobody');
  });

  test('the free plan includes one key for a customer; rotation and another plan are possible', async () => {
    const first = await made('create', '--customer', 'acme');
    expect(await run('create', '--customer', 'acme')).toBe(1);
    expect(said).toContain(`rotate or revoke ${first.id}`);
    await made('create', '--customer', 'acme', '--plan', 'operator');
    await made('rotate', first.id, '--overlap', '1h');
    expect((await listed()).map(({ state }) => state)).toEqual(['active', 'active', 'active']);
  });

  test('rotates: the new key has the rights of the old one, which ends with the overlap', async () => {
    const old = await made('create', '--scopes', 'signals:read', '--expires', '90d', '--customer', 'acme');
    const next = await made('rotate', old.id, '--overlap', '7d');
    expect(next).toMatchObject({
      replaces: old.id,
      customer_id: 'acme',
      plan: 'free',
      scopes: ['signals:read'],
    });
    const days = (record: Record<string, unknown>) =>
      Math.round((Date.parse(String(record['expires_at'])) - Date.now()) / 86_400_000);
    const { keys } = await readKeyFile(file);
    expect(keys.map(days)).toEqual([7, 90]);
    await made('rotate', next.id, '--overlap', '0');
    expect((await listed()).map(({ state }) => state)).toEqual(['active', 'expired', 'active']);
    expect(await run('rotate', next.id)).toBe(1);
  });

  test('carries along what it does not understand, and says what is ignored', async () => {
    const strange = [{ id: 'odd', colour: 'red' }, 'text', null];
    writeFileSync(file, JSON.stringify({ note: 'ours', keys: strange }));
    const { id } = await made('create', '--customer', 'acme');
    await run('revoke', id);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { note: string; keys: unknown[] };
    expect(stored.note).toBe('ours');
    expect(stored.keys.slice(0, 3)).toEqual(strange);
    expect((await listed()).map(({ state }) => state)).toEqual([
      'revoked',
      'ignored: unknown_field',
      'ignored: not_an_object',
      'ignored: not_an_object',
    ]);
  });

  test('touches no file that is something else', async () => {
    writeFileSync(file, 'important');
    expect(await run('create')).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('important');
  });
});

describe('the file', () => {
  test('loses nothing to writers that come together', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => changeKeyFile(file, (keys) => [...keys, { id: `k${at}` }])),
    );
    const { keys } = await readKeyFile(file);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(12);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('is not held for ever by a writer that died', async () => {
    writeFileSync(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    await changeKeyFile(file, (keys) => keys);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('keeps the old records when a change fails', async () => {
    await changeKeyFile(file, () => [{ id: 'a' }]);
    const failing = changeKeyFile(file, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await readKeyFile(file)).keys).toEqual([{ id: 'a' }]);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('a revocation is felt by a running server within five seconds', async () => {
    const clock = new TurnedClock(systemClock());
    const keyring = new Keyring(clock.now);
    const watch = new KeyWatch(keyring, keyFileSource(file));
    const { id, key } = await made('create');
    await watch.look();
    expect(keyring.authenticate(key)).toHaveProperty('holder.id', id);
    let reviewed = 0;
    keyring.onChange(() => reviewed++);
    await run('revoke', id);
    const revokedAt = clock.now();
    while ('holder' in keyring.authenticate(key)) {
      await clock.turnTo(clock.now() + LOOK_EVERY_MS * MILLISECOND);
      await watch.look();
      expect(clock.now() - revokedAt).toBeLessThanOrEqual(5 * SECOND);
    }
    expect([keyring.authenticate(key), reviewed]).toEqual([{ refused: 'revoked', keyId: id }, 1]);
  });
});

test('of processes that start together all get the same secret', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => addressSecret(folder)));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  expect(statSync(join(folder, 'address.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['address.key']);
});
