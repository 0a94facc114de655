// `barograph export`: everything the archive can give as a table.
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Instant } from '../../kernel/instant.js';
import { LATEST } from '../../kernel/instant.js';
import { writeParquet } from '../../surfaces/files/write-parquet.js';
import { writeRows } from '../../surfaces/files/write-rows.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption, requireOrder } from '../options.js';
import { ATTENTION_TABLES } from './export-attention.js';
import { exportIdentitiesCommand } from './export-identities.js';
import { MACRO_TABLES } from './export-macro.js';
import { JSON_OPTION, OUT_OPTION, type OutputOptions, writeOut } from './export-output.js';
import type { Table } from './export-table.js';

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

interface Options extends OutputOptions {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly format: (typeof FORMATS)[number];
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
      .option(...OUT_OPTION)
      .option(...JSON_OPTION)
      .exitOverride()
      .action((options: Options) => exportTable(name, table, options));
  }
  exportIdentitiesCommand(command);
}

async function exportTable(name: string, table: Table, options: Options): Promise<void> {
  const { from = 0, to = LATEST, format } = options;
  requireOrder(from, to);
  if (format === 'parquet' && options.out === undefined && process.stdout.isTTY) {
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
    await writeOut({ table: name, format }, options, write);
  });
}
