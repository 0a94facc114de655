// `barograph validate`: the scorecards as of an instant, computed now and written nowhere.
import { type Command, Option } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { systemClock } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { readConfig } from '../config.js';
import { EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';
import { validateAttention } from './validate-attention.js';
import { validateMacro } from './validate-macro.js';
import type { Validated } from './validated.js';

type Validation = (archive: ArchiveReader, asOf: Instant) => Promise<Validated>;

const PARTS: Readonly<Record<string, Validation>> = { attention: validateAttention, macro: validateMacro };

interface Options {
  readonly only?: string;
  readonly asOf?: Instant;
  readonly json?: boolean;
}

export function validateCommand(program: Command, report: (status: number) => void): void {
  program
    .command('validate')
    .description(
      'test the registered hypotheses and the structure score on what was recorded, as of now or of an instant',
    )
    .addOption(new Option('--only <part>', 'one part instead of all').choices(Object.keys(PARTS)))
    .option('--as-of <instant>', 'use only what was known by then', instantOption)
    .option('--json', 'print the documents as JSON')
    .action(async ({ only, asOf = systemClock(), json }: Options) => {
      const parts = Object.entries(PARTS).filter(([name]) => only === undefined || name === only);
      const found = await withReader(readConfig(), async (archive) => {
        const validated: [string, Validated][] = [];
        for (const [name, validate] of parts) validated.push([name, await validate(archive, asOf)]);
        return validated;
      });
      process.stdout.write(
        json
          ? `${JSON.stringify(Object.fromEntries(found.map(([name, one]) => [name, one.json])))}\n`
          : `${found.map(([, { text }]) => text).join('\n\n')}\n`,
      );
      if (found.some(([, { sound }]) => !sound)) report(EXIT.disagrees);
    });
}
