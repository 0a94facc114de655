// `barograph export`: everything the archive can give as a table.
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { LATEST } from '../../kernel/instant.js';
import { writeParquet } from '../../surfaces/files/write-parquet.js';
import { writeRows } from '../../surfaces/files/write-rows.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';
import { ATTENTION_TABLES } from './export-attention.js';
import { exportIdentitiesCommand } from './export-identities.js';
import { MACRO_TABLES } from './export-macro.js';
import type { Table } from './export-table.js';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

interface Options {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
}

export function exportCommand(program: Command): void {
  const command = program
    .command('export')
    .description(
      'write the tape, its signals, the posts or the macro editions as a table, or the identity events',
    );
  for (const [name, table] of Object.entries({ ...ATTENTION_TABLES, ...MACRO_TABLES })) {
    command
      .command(name)
      .description(table.about)
      .option('--from <instant>', 'first instant', instantOption)
      .option('--to <instant>', 'last instant', instantOption)
      .addOption(new Option('--format <format>', 'how to write it').choices(FORMATS).default('csv'))
      .option('--out <file>', 'where to write it; standard output when absent')
      .exitOverride()
      .action((options: Options) => exportTable(table, options));
  }
  exportIdentitiesCommand(command, intoFile);
}

async function exportTable(table: Table, { from = 0, to = LATEST, format, out }: Options): Promise<void> {
  if (format === 'parquet' && out === undefined && process.stdout.isTTY) {
    throw new CommandFault(
      'Parquet is not for the screen: write it with --out FILE, or redirect it',
      EXIT.usage,
    );
  }
  await withReader(readConfig(), async (archive) => {
    const rows = table.rows(archive, from, to);
    const write = (target: Writable): Promise<number> =>
      format === 'parquet'
        ? writeParquet(rows, { columns: table.columns, to: target })
        : writeRows(rows, { format, columns: table.columns.map(({ name }) => name), to: target });
    if (out === undefined) await write(process.stdout);
    else await intoFile(out, write);
  });
}

/** The archive is open before the file is touched: a mistyped folder must not empty an earlier export. */
async function intoFile(path: string, write: (to: Writable) => Promise<number>): Promise<void> {
  const file = await open(path, 'w').catch((error: Error) => {
    throw new CommandFault(`${path} cannot be written: ${error.message}`);
  });
  const to = file.createWriteStream();
  try {
    await write(to);
  } catch (error) {
    to.destroy();
    throw error;
  }
  to.end();
  await finished(to);
}
