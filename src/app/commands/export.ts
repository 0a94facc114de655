// `barograph export`: the tape and the posts as tables.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Row } from '../../domain/facts/frame.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { type TableRow, writeRows } from '../../surfaces/files/write-rows.js';
import { readConfig } from '../config.js';
import { withReader } from '../open-archive.js';
import { instantOption } from '../options.js';

interface Options {
  readonly from?: Instant;
  readonly to?: Instant;
  readonly format: 'csv' | 'ndjson';
}

interface Table {
  readonly columns: readonly string[];
  rows(archive: ArchiveReader, from: Instant, to: Instant): AsyncIterable<TableRow>;
}

const TABLES: Readonly<Record<'tape' | 'posts', Table>> = {
  tape: {
    columns: [
      'as_of',
      'known_at',
      'ticker',
      'rank',
      'state',
      'anomaly_band',
      'attention_density',
      'attention_share',
      'attention_velocity',
      'attention_surprise',
      'voice_independence',
      'activity',
      'posts',
      'authors',
      'narratives',
      'entity_precision',
      'market_cap_usd_billions',
      'denominator_state',
      'source_set_version',
      'frame_sha256',
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
  posts: {
    // Authors are left out: the archive exports no personal data.
    columns: [
      'provider',
      'id',
      'created_at',
      'known_at',
      'backfilled',
      'tickers',
      'narrative',
      'lang',
      'sequence',
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
    .description('write the tape or the posts as a table to standard output');
  for (const [name, table] of Object.entries(TABLES)) {
    command
      .command(name)
      .description(
        name === 'tape'
          ? 'one row per ticker and recorded frame'
          : 'one row per post, without authors and texts',
      )
      .option('--from <instant>', 'first instant', instantOption)
      .option('--to <instant>', 'last instant', instantOption)
      .addOption(new Option('--format <format>', 'how to write it').choices(['csv', 'ndjson']).default('csv'))
      .exitOverride()
      .action(async ({ from = 0, to = Number.MAX_SAFE_INTEGER, format }: Options) => {
        await withReader(readConfig(), (archive) =>
          writeRows(table.rows(archive, from, to), { format, columns: table.columns, to: process.stdout }),
        );
      });
  }
}
