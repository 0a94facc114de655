// `barograph replay`: runs the cycles of a past span over archived facts.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, SECOND, systemClock } from '../../kernel/instant.js';
import { replay } from '../../pipeline/replay.js';
import { replayMacro } from '../../pipeline/replay-macro.js';
import { readConfig } from '../config.js';
import { recorderLogKey, verifierKeyText } from '../log-key.js';
import { withWriter } from '../open-archive.js';
import { instantOption, requireOrder, spanOption } from '../options.js';

const PARTS = ['attention', 'macro'] as const;

interface Options {
  readonly from: Instant;
  readonly to: Instant;
  readonly every: number;
  readonly only?: (typeof PARTS)[number];
  readonly json?: boolean;
}

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description('run the cycles over archived facts and record their frames and macro editions')
    .requiredOption('--from <instant>', 'first boundary', instantOption)
    .requiredOption('--to <instant>', 'last boundary', instantOption)
    .option('--every <span>', 'distance of the boundaries', spanOption, 3600)
    .addOption(new Option('--only <part>', 'run one part; both when absent').choices(PARTS))
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      '\nFrames that are recorded stay as they are: replay refuses a span in which some stand. Use a BAROGRAPH_DATA folder per study.',
    )
    .action(async ({ from, to, every, only, json }: Options) => {
      requireOrder(from, to);
      const config = readConfig();
      const span = { from, to, everySeconds: every };
      const total = (Math.floor((to - from) / (every * SECOND)) + 1) * (only ? 1 : PARTS.length);
      const bar = process.stderr.isTTY ? progress({ max: total, output: process.stderr }) : null;
      bar?.start('Replaying');
      let frames = 0;
      let editions = 0;
      await withWriter(config, async (archive) => {
        const opening = { verifierKey: verifierKeyText(await recorderLogKey(config)), now: systemClock() };
        if (only !== 'macro') {
          for await (const { at } of replay(archive, span, opening)) {
            frames++;
            bar?.advance(1, formatInstant(at));
          }
        }
        if (only !== 'attention') {
          for await (const { at, stated } of replayMacro(archive, span, opening)) {
            if (stated) editions++;
            bar?.advance(1, formatInstant(at));
          }
        }
      }).finally(() => bar?.stop(`${frames} frames, ${editions} macro editions`));
      process.stdout.write(
        json
          ? `${JSON.stringify({ frames, editions, from: formatInstant(from), to: formatInstant(to) })}\n`
          : `${frames} frames and ${editions} macro editions recorded\n`,
      );
    });
}
