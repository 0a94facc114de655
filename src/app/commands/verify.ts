// `barograph verify`: recomputes recorded frames from the facts and compares them to the byte.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import { verifyFrames } from '../../pipeline/verify.js';
import { readConfig } from '../config.js';
import { EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';

interface Options {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly sample?: number;
  readonly json?: boolean;
}

export function verifyCommand(program: Command, report: (status: number) => void): void {
  program
    .command('verify')
    .description('recompute recorded frames from the facts and compare their fingerprints')
    .option('--from <instant>', 'first boundary', instantOption)
    .option('--to <instant>', 'last boundary', instantOption)
    .option('--sample <n>', 'check an even sample of this many frames', Number)
    .option('--json', 'print the result as JSON')
    .action(async ({ from = 0, to = Number.MAX_SAFE_INTEGER, sample, json }: Options) => {
      const bar =
        process.stderr.isTTY && !json ? progress({ max: sample ?? 100, output: process.stderr }) : null;
      bar?.start('Verifying');
      let checked = 0;
      const faults: { at: string; recorded: string; stored: string; recomputed: string }[] = [];
      await withReader(readConfig(), async (archive) => {
        const span = { from, to, ...(sample === undefined ? {} : { most: sample }) };
        for await (const { agrees, at, ...fingerprints } of verifyFrames(archive, span)) {
          checked++;
          if (!agrees) faults.push({ at: formatInstant(at), ...fingerprints });
          bar?.advance(1, formatInstant(at));
        }
      }).finally(() => bar?.stop(`${checked} frames checked`));
      if (json) process.stdout.write(`${JSON.stringify({ checked, disagreeing: faults })}\n`);
      else if (faults.length === 0) process.stdout.write(`${checked} frames agree with the facts\n`);
      else {
        for (const fault of faults)
          process.stdout.write(
            `${fault.at} recorded ${fault.recorded}, stored ${fault.stored}, recomputed ${fault.recomputed}\n`,
          );
        process.stdout.write(`${faults.length} of ${checked} frames do not agree\n`);
      }
      if (faults.length > 0) report(EXIT.disagrees);
    });
}
