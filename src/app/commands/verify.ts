// `barograph verify`: recomputes recorded frames and audits the log, or checks one saved answer offline.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import { auditLog, type LogAudit } from '../../pipeline/log-audit.js';
import { type FrameCheck, verifyFrames } from '../../pipeline/verify.js';
import { type MacroCheck, verifyMacro } from '../../pipeline/verify-macro.js';
import { readConfig } from '../config.js';
import { EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption, requireOrder } from '../options.js';
import { verifyReceipt } from './verify-receipt.js';

interface Options {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly sample?: number;
  readonly key?: string;
  readonly json?: boolean;
}

export function verifyCommand(program: Command, report: (status: number) => void): void {
  program
    .command('verify')
    .description(
      'recompute recorded frames and macro editions, audit the log; with a file, check a saved answer offline',
    )
    .argument('[receipt]', 'a saved answer that was asked for with include_proof=true')
    .option('--key <verifier key>', 'with a file: the public key of the log, as /v1/log/key gave it')
    .option('--from <instant>', 'first boundary', instantOption)
    .option('--to <instant>', 'last boundary', instantOption)
    .option('--sample <n>', 'check an even sample of this many of each', Number)
    .option('--json', 'print the result as JSON')
    .action(async (file: string | undefined, options: Options) => {
      const holds = file === undefined ? await verifyArchive(options) : await verifyReceipt(file, options);
      if (!holds) report(EXIT.disagrees);
    });
}

interface MacroTally {
  checked: number;
  readonly faults: MacroCheck[];
}

async function verifyArchive(options: Options): Promise<boolean> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, sample, json } = options;
  requireOrder(from, to);
  const bar = process.stderr.isTTY && !json ? progress({ max: sample ?? 100, output: process.stderr }) : null;
  bar?.start('Verifying');
  let checked = 0;
  const faults: FrameCheck[] = [];
  const macro: MacroTally = { checked: 0, faults: [] };
  const log = await withReader(readConfig(), async (archive) => {
    const span = { from, to, ...(sample === undefined ? {} : { most: sample }) };
    for await (const check of verifyFrames(archive, span)) {
      checked++;
      if (!check.agrees) faults.push(check);
      bar?.advance(1, formatInstant(check.at));
    }
    for await (const check of verifyMacro(archive, span)) {
      macro.checked++;
      if (!check.agrees) macro.faults.push(check);
      bar?.advance(1, formatInstant(check.at));
    }
    return auditLog(archive);
  }).finally(() => bar?.stop(`${checked} frames checked`));
  process.stdout.write(json ? asJson(checked, faults, macro, log) : asText(checked, faults, macro, log));
  return faults.length === 0 && macro.faults.length === 0 && log.faults.length === 0;
}

const instantOrNull = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));

function asJson(checked: number, faults: readonly FrameCheck[], macro: MacroTally, log: LogAudit): string {
  const disagreeing = faults.map(({ at, agrees: _agrees, ...rest }) => ({ at: formatInstant(at), ...rest }));
  const disagreeingMacro = macro.faults.map(({ at, agrees: _agrees, ...rest }) => ({
    at: formatInstant(at),
    ...rest,
  }));
  const logFaults = log.faults.map(({ at, ...rest }) => ({ ...rest, at: instantOrNull(at) }));
  return `${JSON.stringify({
    checked,
    disagreeing,
    macro: { checked: macro.checked, disagreeing: disagreeingMacro },
    log: { ...log, faults: logFaults },
  })}\n`;
}

function asText(checked: number, faults: readonly FrameCheck[], macro: MacroTally, log: LogAudit): string {
  const lines = faults.map(
    ({ at, recorded, stored, recomputed, stated }) =>
      `${formatInstant(at)} recorded ${recorded}, stored ${stored}, recomputed ${recomputed}${stated === false ? ', not as the log states it' : ''}`,
  );
  lines.push(
    faults.length === 0
      ? `${checked} frames agree with the facts`
      : `${faults.length} of ${checked} frames do not agree`,
  );
  for (const { what, at, recorded, stored, recomputed } of macro.faults)
    lines.push(
      `macro ${what} of ${formatInstant(at)} recorded ${recorded}, stored ${stored}, recomputed ${recomputed}`,
    );
  if (macro.checked > 0)
    lines.push(
      macro.faults.length === 0
        ? `${macro.checked} macro editions and weeks of terms agree with the facts`
        : `${macro.faults.length} of ${macro.checked} macro editions and weeks of terms do not agree`,
    );
  for (const { index, what, at } of log.faults)
    lines.push(
      `log: ${what}${index === null ? '' : ` at leaf ${index}`}${at === null ? '' : ` (${formatInstant(at)})`}`,
    );
  lines.push(
    log.faults.length === 0
      ? `${log.size} leaves of the log hold, root ${log.root}`
      : `the log of ${log.size} leaves has ${log.faults.length} faults`,
  );
  return `${lines.join('\n')}\n`;
}
