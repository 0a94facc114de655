// Reads records of what was observed over a span of time: counts of posts, values of a provider's series.
import type { Count, Report, SeriesObservation } from '../../domain/facts/fact.js';
import { type Instant, SECOND } from '../../kernel/instant.js';
import { dayAt } from '../../kernel/new-york-time.js';
import {
  optionalCount,
  providerOf,
  refuse,
  requiredCount,
  requiredNumber,
  requiredText,
  tickerOf,
} from './fields.js';
import { type Day, dayOf, notAhead, optionalInstantOrDay, requiredInstantOrDay } from './moments.js';
import type { ReadingAt, RecordKind } from './record-kind.js';

const [SHORTEST_BUCKET, LONGEST_BUCKET] = [60, 86_400];

/** A count is known when its bucket is over. */
export const COUNT_RECORD: RecordKind<Report<Count>> = {
  required: ['ticker', 'provider', 'bucket_start', 'bucket_seconds', 'posts'],
  optional: ['authors'],
  read(record, { now }) {
    const bucketStart = requiredInstantOrDay(record, 'bucket_start');
    const bucketSeconds = requiredCount(record, 'bucket_seconds');
    if (bucketSeconds < SHORTEST_BUCKET || bucketSeconds > LONGEST_BUCKET)
      return refuse(`bucket_seconds is not between ${SHORTEST_BUCKET} and ${LONGEST_BUCKET}`);
    const releasedAt = notAhead(bucketStart + bucketSeconds * SECOND, now, 'the end of the bucket');
    const body: Count = {
      kind: 'count',
      ticker: tickerOf(record),
      bucketStart,
      bucketSeconds,
      posts: requiredCount(record, 'posts'),
      authors: optionalCount(record, 'authors'),
    };
    return { source: providerOf(record), effectiveAt: bucketStart, releasedAt, body };
  },
};

/** Without `known_at` a value is known when its series usually comes out; a series without such a rule is refused. */
export const SERIES_RECORD: RecordKind<Report<SeriesObservation>> = {
  required: ['series', 'date', 'value'],
  optional: ['known_at'],
  read(record, at) {
    const date = dayOf(record, 'date');
    const knownAt = optionalInstantOrDay(record, 'known_at');
    const series = requiredText(record, 'series', 200);
    if (isGap(record['value'])) return refuse('no value');
    const value = requiredNumber(record, 'value');
    const releasedAt =
      knownAt === null ? usualRelease(series, date, at) : notAhead(knownAt, at.now, 'known_at');
    const body: SeriesObservation = { kind: 'series', series, date: date.text, value };
    return { source: at.source, effectiveAt: date.start, releasedAt, body };
  },
};

function usualRelease(series: string, { start }: Day, { now, releaseOf }: ReadingAt): Instant {
  const release = releaseOf(series, dayAt(start));
  if (release === null)
    return refuse(`known_at is needed: no release rule is known for ${JSON.stringify(series)}`);
  return notAhead(release, now, `the usual release of ${series} for this date`);
}

/** Series files mark a day without an observation by a dot or by nothing. */
function isGap(value: unknown): boolean {
  return value === null || (typeof value === 'string' && ['', '.'].includes(value.trim()));
}
