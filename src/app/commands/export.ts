// `barograph export`: the tape, its signals and the posts as tables.
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Row } from '../../domain/facts/frame.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, LATEST } from '../../kernel/instant.js';
import { writeParquet } from '../../surfaces/files/write-parquet.js';
import { type TableRow, writeRows } from '../../surfaces/files/write-rows.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';
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

const SIGNALS_PER_READ = 1_000;

const TABLES: Readonly<Record<'tape' | 'signals' | 'posts', Table>> = {
  tape: {
    about: 'one row per ticker and recorded frame',
    columns: [
      { name: 'as_of', type: 'string' },
      { name: 'known_at', type: 'string' },
      { name: 'ticker', type: 'string' },
      { name: 'rank', type: 'int32', nullable: true },
      { name: 'state', type: 'string' },
      { name: 'anomaly_band', type: 'string' },
      { name: 'attention_density', type: 'double', nullable: true },
      { name: 'attention_share', type: 'double', nullable: true },
      { name: 'attention_velocity', type: 'double', nullable: true },
      { name: 'attention_surprise', type: 'double', nullable: true },
      { name: 'voice_independence', type: 'double', nullable: true },
      { name: 'activity', type: 'double', nullable: true },
      { name: 'posts', type: 'int64' },
      { name: 'authors', type: 'int64' },
      { name: 'narratives', type: 'int64' },
      { name: 'entity_precision', type: 'double', nullable: true },
      { name: 'market_cap_usd_billions', type: 'double', nullable: true },
      { name: 'denominator_state', type: 'string' },
      { name: 'source_set_version', type: 'int32' },
      { name: 'frame_sha256', type: 'string' },
    ],
    async *rows(archive, from, to) {
      for await (const headers of archive.frames(from, to)) {
        for (const header of headers) {
          for (const row of (await archive.boardAt(header.at)) ?? []) {
            yield {
              as_of: formatInstant(header.at),
              known_at: formatInstant(header.knownAt),
              ...tapeValues(row),
              source_set_version: header.sourceSet.version,
              frame_sha256: header.fingerprint,
            };
          }
        }
      }
    },
  },
  signals: {
    about: 'one row per signal, its change and its evidence as JSON text',
    columns: [
      { name: 'seq', type: 'int64' },
      { name: 'emitted_at', type: 'string' },
      { name: 'as_of', type: 'string' },
      { name: 'type', type: 'string' },
      { name: 'ticker', type: 'string', nullable: true },
      { name: 'prev', type: 'string', nullable: true },
      { name: 'now', type: 'string', nullable: true },
      { name: 'evidence', type: 'string' },
    ],
    async *rows(archive, from, to) {
      let afterSequence = -1;
      for (;;) {
        const page = await archive.emissions({
          kind: 'signal',
          knownBy: LATEST,
          from,
          to,
          afterSequence,
          limit: SIGNALS_PER_READ,
        });
        for (const { sequence, knownAt, at, type, ticker, body } of page) {
          yield {
            seq: sequence,
            emitted_at: formatInstant(knownAt),
            as_of: formatInstant(at),
            type,
            ticker,
            prev: jsonText(body['prev']),
            now: jsonText(body['now']),
            evidence: jsonText(body['evidence']) ?? '{}',
          };
        }
        if (page.length < SIGNALS_PER_READ) return;
        afterSequence = page.at(-1)!.sequence;
      }
    },
  },
  posts: {
    about: 'one row per post, without authors and texts',
    // Authors are left out: the archive exports no personal data.
    columns: [
      { name: 'provider', type: 'string' },
      { name: 'id', type: 'string' },
      { name: 'created_at', type: 'string' },
      { name: 'known_at', type: 'string' },
      { name: 'backfilled', type: 'boolean' },
      { name: 'tickers', type: 'string' },
      { name: 'narrative', type: 'int64' },
      { name: 'lang', type: 'string', nullable: true },
      { name: 'sequence', type: 'int64' },
    ],
    async *rows(archive, from, to) {
      for await (const facts of archive.facts('post', { after: from - 1, knownBy: to })) {
        for (const { body, effectiveAt, knownAt, backfilled, sequence } of facts) {
          yield {
            provider: body.provider,
            id: body.id,
            created_at: formatInstant(effectiveAt),
            known_at: formatInstant(knownAt),
            backfilled,
            tickers: body.mentions.map(({ ticker }) => ticker).join(' '),
            narrative: body.narrative,
            lang: body.lang,
            sequence,
          };
        }
      }
    },
  },
};

/** Null where there was nothing: an empty cell says that better than the word. */
function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

function tapeValues(row: Row): TableRow {
  return {
    ticker: row.ticker,
    rank: row.rank,
    state: row.state,
    anomaly_band: row.band,
    attention_density: row.density,
    attention_share: row.share,
    attention_velocity: row.velocity,
    attention_surprise: row.surprise,
    voice_independence: row.independence,
    activity: row.activity,
    posts: row.posts,
    authors: row.authors,
    narratives: row.narratives,
    entity_precision: row.entityPrecision,
    market_cap_usd_billions: row.denominator.usdBillions,
    denominator_state: row.denominator.state,
  };
}

export function exportCommand(program: Command): void {
  const command = program
    .command('export')
    .description(
      'write the tape, its signals, the posts or the macro editions as a table, or the identity events',
    );
  for (const [name, table] of Object.entries({ ...TABLES, ...MACRO_TABLES })) {
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
