// `barograph export identities`: the events of the identity register, as lines that `import identities` takes.
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { lineOf } from '../../domain/facts/identity-event.js';
import type { Instant } from '../../kernel/instant.js';
import { LATEST } from '../../kernel/instant.js';
import { WaitingStream } from '../../surfaces/files/write-rows.js';
import { readConfig } from '../config.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';
import { JSON_OPTION, OUT_OPTION, type OutputOptions, writeOut } from './export-output.js';

interface Options extends OutputOptions {
  readonly to?: Instant;
}

/** There is no first instant: an event refers to earlier ones, so that a register without its beginning is none. */
export function exportIdentitiesCommand(command: Command): void {
  command
    .command('identities')
    .description('one event of the identity register a line, as NDJSON that can be imported')
    .option('--to <instant>', 'last instant of knowledge', instantOption)
    .option(...OUT_OPTION)
    .option(...JSON_OPTION)
    .exitOverride()
    .action(async ({ to: knownBy = LATEST, ...output }: Options) => {
      await withReader(readConfig(), async (archive) => {
        const write = async (to: Writable): Promise<number> => {
          const stream = new WaitingStream(to);
          let count = 0;
          try {
            for await (const facts of archive.facts('identity', { knownBy })) {
              await stream.write(facts.map((fact) => `${JSON.stringify(lineOf(fact))}\n`).join(''));
              count += facts.length;
            }
            return count;
          } finally {
            stream.release();
          }
        };
        await writeOut({ table: 'identities', format: 'ndjson' }, output, write);
      });
    });
}
