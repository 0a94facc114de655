// The attention side as tables: the tape, its signals, and the posts under it.
import type { Emitted } from '../../domain/facts/emission.js';
import type { RecordedHeader, Row } from '../../domain/facts/frame.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant, LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { tableOf } from './export-table.js';

const SIGNALS_PER_READ = 1_000;

async function* rankedRows(
  archive: ArchiveReader,
  from: Instant,
  to: Instant,
): AsyncGenerator<{ readonly header: RecordedHeader; readonly row: Row }> {
  for await (const headers of archive.frames(from, to))
    for (const header of headers)
      for (const row of (await archive.boardAt(header.at)) ?? []) yield { header, row };
}

async function* signals(archive: ArchiveReader, from: Instant, to: Instant): AsyncGenerator<Emitted> {
  const query = { kind: 'signal', knownBy: LATEST, from, to, limit: SIGNALS_PER_READ } as const;
  for (let afterSequence = -1; ; ) {
    const page = await archive.emissions({ ...query, afterSequence });
    yield* page;
    if (page.length < SIGNALS_PER_READ) return;
    afterSequence = page.at(-1)!.sequence;
  }
}

async function* posts(archive: ArchiveReader, from: Instant, to: Instant) {
  for await (const facts of archive.facts('post', { after: from - 1, knownBy: to })) yield* facts;
}

export const ATTENTION_TABLES = {
  tape: tableOf('one row per ticker and recorded frame', rankedRows, [
    ['as_of', 'string', ({ header }) => formatInstant(header.at)],
    ['known_at', 'string', ({ header }) => formatInstant(header.knownAt)],
    ['ticker', 'string', ({ row }) => row.ticker],
    ['rank', 'int32?', ({ row }) => row.rank],
    ['state', 'string', ({ row }) => row.state],
    ['anomaly_band', 'string', ({ row }) => row.band],
    ['attention_density', 'double?', ({ row }) => row.density],
    ['attention_share', 'double?', ({ row }) => row.share],
    ['attention_velocity', 'double?', ({ row }) => row.velocity],
    ['attention_surprise', 'double?', ({ row }) => row.surprise],
    ['voice_independence', 'double?', ({ row }) => row.independence],
    ['activity', 'double?', ({ row }) => row.activity],
    ['posts', 'int64', ({ row }) => row.posts],
    ['authors', 'int64', ({ row }) => row.authors],
    ['narratives', 'int64', ({ row }) => row.narratives],
    ['entity_precision', 'double?', ({ row }) => row.entityPrecision],
    ['market_cap_usd_billions', 'double?', ({ row }) => row.denominator.usdBillions],
    ['denominator_state', 'string', ({ row }) => row.denominator.state],
    ['source_set_version', 'int32', ({ header }) => header.sourceSet.version],
    ['frame_sha256', 'string', ({ header }) => header.fingerprint],
  ]),
  signals: tableOf('one row per signal, its change and its evidence as JSON text', signals, [
    ['seq', 'int64', ({ sequence }) => sequence],
    ['emitted_at', 'string', ({ knownAt }) => formatInstant(knownAt)],
    ['as_of', 'string', ({ at }) => formatInstant(at)],
    ['type', 'string', ({ type }) => type],
    ['ticker', 'string?', ({ ticker }) => ticker],
    ['prev', 'string?', ({ body }) => jsonText(body['prev'])],
    ['now', 'string?', ({ body }) => jsonText(body['now'])],
    ['evidence', 'string', ({ body }) => jsonText(body['evidence']) ?? '{}'],
  ]),
  // Authors are left out: the archive exports no personal data.
  posts: tableOf('one row per post, without authors and texts', posts, [
    ['provider', 'string', ({ body }) => body.provider],
    ['id', 'string', ({ body }) => body.id],
    ['created_at', 'string', ({ effectiveAt }) => formatInstant(effectiveAt)],
    ['known_at', 'string', ({ knownAt }) => formatInstant(knownAt)],
    ['backfilled', 'boolean', ({ backfilled }) => backfilled],
    ['tickers', 'string', ({ body }) => body.mentions.map(({ ticker }) => ticker).join(' ')],
    ['narrative', 'int64', ({ body }) => body.narrative],
    ['lang', 'string?', ({ body }) => body.lang],
    ['sequence', 'int64', ({ sequence }) => sequence],
  ]),
} as const;

/** Null where there was nothing: an empty cell says that better than the word. */
function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
