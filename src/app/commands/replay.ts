// `barograph replay`: runs the cycles of a past span over archived facts.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, SECOND } from '../../kernel/instant.js';
import { replay } from '../../pipeline/replay.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { withWriter } from '../open-archive.js';
import { instantOption, spanOption } from '../options.js';

interface Options {
  readonly from: Instant;
  readonly to: Instant;
  readonly every: number;
  readonly json?: boolean;
}

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description('run the cycles over archived facts and record their frames')
    .requiredOption('--from <instant>', 'first boundary', instantOption)
    .requiredOption('--to <instant>', 'last boundary', instantOption)
    .option('--every <span>', 'distance of the boundaries', spanOption, 3600)
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      '\nFrames that are recorded stay as they are: replay refuses a span in which some stand. Use a BAROGRAPH_DATA folder per study.',
    )
    .action(async ({ from, to, every, json }: Options) => {
      if (to < from) throw new CommandFault('--to lies before --from', EXIT.usage);
      const config = readConfig();
      const total = Math.floor((to - from) / (every * SECOND)) + 1;
      const bar = process.stderr.isTTY ? progress({ max: total, output: process.stderr }) : null;
      bar?.start('Replaying');
      let frames = 0;
      await withWriter(config, async (archive) => {
        for await (const { at } of replay(archive, { from, to, everySeconds: every })) {
          frames++;
          bar?.advance(1, formatInstant(at));
        }
      }).finally(() => bar?.stop(`${frames} frames`));
      process.stdout.write(
        json
          ? `${JSON.stringify({ frames, from: formatInstant(from), to: formatInstant(to) })}\n`
          : `${frames} frames recorded\n`,
      );
    });
}
