// What each kind of record says, and the reason for every refusal.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../domain/facts/fact.js';
import type { PostReport } from '../../domain/facts/post.js';
import { DAY, HOUR, type Instant, parseInstant } from '../../kernel/instant.js';
import { type RawRecord, Refused } from './fields.js';
import { ASSET_RECORD, PRICE_RECORD, SHARES_RECORD, SPLIT_RECORD } from './market-records.js';
import { COUNT_RECORD, SERIES_RECORD } from './observation-records.js';
import { POST_RECORD } from './post-record.js';
import type { ReadingAt, RecordKind } from './record-kind.js';

const at = (text: string): Instant => parseInstant(text)!;
const now = at('2026-03-02T20:30:00Z');
/** Rules for two series: one comes out the evening after, the other two weeks later. */
const LAGS: Readonly<Record<string, number>> = { DGS10: DAY + 21 * HOUR, INDPRO: 14 * DAY };
const reading: ReadingAt = {
  now,
  source: 'import',
  releaseOf: (series, day) => (LAGS[series] === undefined ? null : day * DAY + LAGS[series]),
};

function reasonOf(kind: Pick<RecordKind<PostReport | Report>, 'read'>, record: RawRecord): string {
  try {
    kind.read(record, reading);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Each row: how the good record is changed, and what comes of it. */
function changes(
  kind: Pick<RecordKind<PostReport | Report>, 'read'>,
  good: RawRecord,
  rows: readonly [RawRecord, string][],
): void {
  it('is accepted as it stands', () => expect(reasonOf(kind, good)).toBe('accepted'));
  it.each(rows)('with %j: %s', (change, reason) => {
    expect(reasonOf(kind, { ...good, ...change })).toBe(reason);
  });
}

describe('a post', () => {
  const good = {
    id: 'p1',
    provider: 'bluesky',
    author_id: 'did:plc:x',
    created_at: '2026-03-02T14:30:00.25Z',
    text: 'hi',
  };

  it('is backfilled at the instant it was observed, else created', () => {
    expect(POST_RECORD.read(good, reading)).toEqual({
      provider: 'bluesky',
      id: 'p1',
      authorId: 'did:plc:x',
      createdAt: at('2026-03-02T14:30:00.25Z'),
      releasedAt: at('2026-03-02T14:30:00.25Z'),
      text: 'hi',
      taggedTickers: [],
      providerTags: false,
      repostOf: null,
      urls: [],
      lang: null,
      authorCreatedAt: null,
      followers: null,
      likes: null,
      reposts: null,
      replies: null,
    });
    const observed = { ...good, observed_at: '2026-03-02T14:31:00+00:00' };
    expect(POST_RECORD.read(observed, reading).releasedAt).toBe(at('2026-03-02T14:31:00Z'));
  });

  it('takes instants as seconds and milliseconds since 1970, as numbers and as text', () => {
    for (const created_at of [1_772_461_800.25, 1_772_461_800_250, '1772461800.25', '1772461800250']) {
      expect(POST_RECORD.read({ ...good, created_at }, reading).createdAt).toBe(
        at('2026-03-02T14:30:00.25Z'),
      );
    }
  });

  it('spells tickers one way, from a list and from text', () => {
    for (const tickers of [['$aapl', 'BRK-B'], '$aapl BRK-B', 'aapl|brk.b', ' AAPL | BRK/B ']) {
      const post = POST_RECORD.read({ ...good, tickers }, reading);
      expect([post.taggedTickers, post.providerTags]).toEqual([['AAPL', 'BRK.B'], true]);
    }
  });

  it('from a provider that tags may name no ticker; an empty cell says nothing of the provider', () => {
    expect(POST_RECORD.read({ ...good, tickers: [] }, reading).providerTags).toBe(true);
    expect(POST_RECORD.read({ ...good, tickers: '' }, reading).providerTags).toBe(false);
  });

  it('keeps its text to the letter, also none, and its ids as text', () => {
    expect(POST_RECORD.read({ ...good, text: ' \n 👩‍👩‍👧 \u202Egnp ' }, reading).text).toBe(
      ' \n 👩‍👩‍👧 \u202Egnp ',
    );
    expect(POST_RECORD.read({ ...good, text: '' }, reading).text).toBe('');
    expect(POST_RECORD.read({ ...good, id: 12, author_id: ' 7 ' }, reading)).toMatchObject({
      id: '12',
      authorId: '7',
    });
  });

  changes(POST_RECORD, good, [
    [{ id: undefined }, 'id is missing'],
    [{ id: '  ' }, 'id is missing'],
    [{ id: 2 ** 60 }, 'id is a number that is not exact; write it as text'],
    [{ id: 'x'.repeat(513) }, 'id is longer than 512 characters'],
    [{ author_id: null }, 'author_id is missing'],
    [{ author_id: {} }, 'author_id is not text'],
    [{ provider: 'Blue Sky' }, 'provider is not a name of lower-case letters, digits and _'],
    [{ provider: 'fixture' }, 'provider names beginning with fixture are not importable'],
    [{ provider: 'fixture_2' }, 'provider names beginning with fixture are not importable'],
    [{ provider: 'x'.repeat(33) }, 'provider is longer than 32 characters'],
    [{ text: undefined }, 'text is missing'],
    [{ text: 5 }, 'text is not text'],
    [{ text: 'x'.repeat(100_000) }, 'accepted'],
    [{ text: 'x'.repeat(100_001) }, 'text is longer than 100000 characters'],
    [{ text: 'a\0b' }, 'text holds a NUL'],
    [{ text: 'a\uD800b' }, 'text holds half a surrogate pair'],
    [{ text: '\uDC00' }, 'text holds half a surrogate pair'],
    [{ id: '\uDBFF' }, 'id holds half a surrogate pair'],
    [{ created_at: '2026-03-02' }, 'created_at is not an instant with an offset'],
    [{ created_at: '2026-03-02T14:30:00' }, 'created_at is not an instant with an offset'],
    [{ created_at: '2026-02-30T00:00:00Z' }, 'created_at is not an instant with an offset'],
    [{ created_at: 12 }, 'created_at is neither seconds nor milliseconds since 1970'],
    [{ created_at: -1e10 }, 'created_at is neither seconds nor milliseconds since 1970'],
    [{ created_at: Number.POSITIVE_INFINITY }, 'created_at is neither seconds nor milliseconds since 1970'],
    [{ created_at: 1e10 }, 'created_at is too many years away'],
    [{ created_at: '1066-10-14T09:00:00Z' }, 'created_at is not an instant with an offset'],
    [{ created_at: '2026-03-02T20:30:00.000001Z' }, 'created_at lies in the future'],
    [{ created_at: '2026-03-02T20:30:00Z' }, 'accepted'],
    [{ observed_at: '2026-03-03T00:00:00Z' }, 'observed_at lies in the future'],
    [{ tickers: ['AAPL', 'not a ticker'] }, 'tickers holds what is not a ticker'],
    [{ tickers: 'GME;NVDA' }, 'tickers holds what is not a ticker'],
    [{ tickers: [1] }, 'tickers holds what is not text'],
    [{ tickers: { 0: 'AAPL' } }, 'tickers is not a list'],
    [{ tickers: Array(101).fill('AAPL') }, 'tickers has more than 100 items'],
    [{ urls: ['\uD83D'] }, 'urls holds half a surrogate pair'],
    [{ followers: -1 }, 'followers is not a whole number from zero up'],
    [{ likes: 1.5 }, 'likes is not a whole number from zero up'],
    [{ reposts: '12' }, 'accepted'],
    [{ reposts: '0x10' }, 'reposts is not a number'],
    [{ replies: true }, 'replies is not a number'],
    [{ replies: 2 ** 53 }, 'replies is not a whole number from zero up'],
    [{ lang: 'x'.repeat(36) }, 'lang is longer than 35 characters'],
    [{ unknown: { any: 'thing' } }, 'accepted'],
  ]);
});

describe('a price', () => {
  const good = { ticker: '$nvda', date: '2026-02-27', open: '10', high: 12, low: 9.5, close: 11, volume: 0 };

  it('is true at the close in New York and known a quarter of an hour later', () => {
    expect(PRICE_RECORD.read(good, reading)).toEqual({
      source: 'import',
      effectiveAt: at('2026-02-27T21:00:00Z'),
      releasedAt: at('2026-02-27T21:15:00Z'),
      body: {
        kind: 'price',
        ticker: 'NVDA',
        date: '2026-02-27',
        open: 10,
        high: 12,
        low: 9.5,
        close: 11,
        volume: 0,
      },
    });
  });

  changes(PRICE_RECORD, good, [
    [{ date: '2026-03-02' }, 'the close of date lies in the future'],
    [{ date: '27.02.2026' }, 'date is not a date'],
    [{ date: '2025-02-29' }, 'date is not a date'],
    [{ date: '0000-01-01' }, 'date is too many years away'],
    [{ ticker: 'TOOLONGNAME' }, 'ticker is not a ticker'],
    [{ ticker: 'NVDA; DROP' }, 'ticker is not a ticker'],
    [{ ticker: 'ＮＶＤＡ' }, 'ticker is not a ticker'],
    [{ open: 0 }, 'open is not above zero'],
    [{ open: '' }, 'open is missing'],
    [{ close: '1e400' }, 'close is not a finite number'],
    [{ close: JSON.parse('1e400') }, 'close is not a finite number'],
    [{ close: 'Infinity' }, 'close is not a number'],
    [{ close: 'NaN' }, 'close is not a number'],
    [{ close: '1,100' }, 'close is not a number'],
    [{ close: '٣' }, 'close is not a number'],
    [{ close: '-' }, 'close is not a number'],
    [{ high: 10.9 }, 'high is not the highest'],
    [{ low: 10.5 }, 'low is not the lowest'],
    [{ volume: -1 }, 'volume is below zero'],
    [{ volume: '1e9' }, 'accepted'],
    [{ open: ' 10. ', low: '.5' }, 'accepted'],
  ]);
});

describe('a share count', () => {
  const good = {
    ticker: 'AAPL',
    shares: 1.5e10,
    effective_at: '2025-12-31',
    known_at: '2026-01-30T21:30:00Z',
  };

  it('is consolidated unless it says otherwise', () => {
    expect(SHARES_RECORD.read(good, reading)).toEqual({
      source: 'import',
      effectiveAt: at('2025-12-31T00:00:00Z'),
      releasedAt: at('2026-01-30T21:30:00Z'),
      body: { kind: 'shares', ticker: 'AAPL', shares: 1.5e10, basis: 'consolidated' },
    });
    expect(SHARES_RECORD.read({ ...good, basis: 'vendor' }, reading).body.basis).toBe('vendor');
  });

  changes(SHARES_RECORD, good, [
    [{ shares: 0 }, 'shares is not above zero'],
    [{ basis: 'guess' }, 'basis is not consolidated, per_class_sum or vendor'],
    [{ known_at: null }, 'known_at is missing'],
    [{ known_at: '2026-03-03' }, 'known_at lies in the future'],
    [{ effective_at: 'soon' }, 'effective_at is neither an instant with an offset nor a date'],
    [{ effective_at: 1_767_139_200 }, 'effective_at is not text'],
    [{ effective_at: '9999-12-31' }, 'effective_at is too many years away'],
  ]);
});

describe('a split', () => {
  const good = { ticker: 'NVDA', ratio: 10, effective_at: '2024-06-10T13:30:00Z' };

  it('is known when it takes effect, or when it was announced', () => {
    expect(SPLIT_RECORD.read(good, reading)).toMatchObject({
      effectiveAt: at('2024-06-10T13:30:00Z'),
      releasedAt: at('2024-06-10T13:30:00Z'),
      body: { kind: 'split', ticker: 'NVDA', ratio: 10 },
    });
    const announced = { ...good, effective_at: '2026-06-10', known_at: '2026-02-01' };
    expect(SPLIT_RECORD.read(announced, reading).releasedAt).toBe(at('2026-02-01T00:00:00Z'));
  });

  changes(SPLIT_RECORD, good, [
    [{ ratio: 0 }, 'ratio is not above zero'],
    [{ ratio: '10:1' }, 'ratio is not a number'],
    [{ effective_at: '2026-06-10' }, 'effective_at lies in the future'],
  ]);
});

describe('a count', () => {
  const good = {
    ticker: 'GME',
    provider: 'apewisdom',
    bucket_start: '2026-03-01T10:00:00+01:00',
    bucket_seconds: 3600,
    posts: 7,
  };

  it('comes from its provider and is known when the bucket is over', () => {
    expect(COUNT_RECORD.read(good, reading)).toEqual({
      source: 'apewisdom',
      effectiveAt: at('2026-03-01T09:00:00Z'),
      releasedAt: at('2026-03-01T10:00:00Z'),
      body: {
        kind: 'count',
        ticker: 'GME',
        bucketStart: at('2026-03-01T09:00:00Z'),
        bucketSeconds: 3600,
        posts: 7,
        authors: null,
      },
    });
  });

  changes(COUNT_RECORD, good, [
    [{ bucket_seconds: 59 }, 'bucket_seconds is not between 60 and 86400'],
    [{ bucket_seconds: 86_401 }, 'bucket_seconds is not between 60 and 86400'],
    [{ bucket_start: '2026-03-02T20:00:00Z' }, 'the end of the bucket lies in the future'],
    [{ posts: 0.5 }, 'posts is not a whole number from zero up'],
    [{ provider: 'fixture_posts' }, 'provider names beginning with fixture are not importable'],
    [{ authors: '-0' }, 'accepted'],
  ]);
});

describe('an observation of a series', () => {
  const good = { series: 'DGS10', date: '2026-02-27', value: '-0.25' };

  it('is known when its series usually comes out, or when it says', () => {
    expect(SERIES_RECORD.read(good, reading)).toEqual({
      source: 'import',
      effectiveAt: at('2026-02-27T00:00:00Z'),
      releasedAt: at('2026-02-28T21:00:00Z'),
      body: { kind: 'series', series: 'DGS10', date: '2026-02-27', value: -0.25 },
    });
    const stated = { ...good, known_at: '2026-02-27T21:15:00Z' };
    expect(SERIES_RECORD.read(stated, reading).releasedAt).toBe(at('2026-02-27T21:15:00Z'));
  });

  it('of a series without a rule must say when it became known', () => {
    const stated = { series: 'MINE', date: '2026-02-27', value: 1, known_at: '2026-02-28T00:00:00Z' };
    expect(SERIES_RECORD.read(stated, reading).releasedAt).toBe(at('2026-02-28T00:00:00Z'));
    expect(reasonOf(SERIES_RECORD, { ...stated, known_at: '' })).toBe(
      'known_at is needed: no release rule is known for "MINE"',
    );
  });

  it('is refused where the rule gives no instant that a clock could reach', () => {
    const endless = { ...reading, releaseOf: () => Number.NaN };
    expect(() => SERIES_RECORD.read(good, endless)).toThrow('lies in the future');
  });

  changes(SERIES_RECORD, good, [
    [{ value: '.' }, 'no value'],
    [{ value: '' }, 'no value'],
    [{ value: null }, 'no value'],
    [{ value: undefined }, 'value is missing'],
    [{ value: '1e400' }, 'value is not a finite number'],
    [{ date: '2026-03-02' }, 'the usual release of DGS10 for this date lies in the future'],
    [{ series: 'INDPRO' }, 'the usual release of INDPRO for this date lies in the future'],
    [{ series: 'INDPRO', date: '2026-02-16' }, 'accepted'],
    [{ series: 'INDPRO', known_at: '2026-03-02T20:30:00Z' }, 'accepted'],
    [{ known_at: '2026-03-02T20:30:01Z' }, 'known_at lies in the future'],
    [{ series: 'BOGUS_ID' }, 'known_at is needed: no release rule is known for "BOGUS_ID"'],
    [{ series: ' ' }, 'series is missing'],
  ]);
});

describe('an asset', () => {
  const good = { ticker: 'BRK/B', name: 'Berkshire Hathaway, Class B' };

  it('is known from the import on, or since when it says', () => {
    expect(ASSET_RECORD.read(good, reading)).toEqual({
      source: 'import',
      effectiveAt: now,
      releasedAt: now,
      body: {
        kind: 'asset',
        ticker: 'BRK.B',
        name: 'Berkshire Hathaway, Class B',
        sector: null,
        assetKind: 'common',
      },
    });
    expect(
      ASSET_RECORD.read({ ...good, known_at: '2010-01-21', sector: 'Financials', kind: 'etf' }, reading),
    ).toMatchObject({
      releasedAt: at('2010-01-21T00:00:00Z'),
      body: { sector: 'Financials', assetKind: 'etf' },
    });
  });

  changes(ASSET_RECORD, good, [
    [{ name: '' }, 'name is missing'],
    [{ name: 'x'.repeat(301) }, 'name is longer than 300 characters'],
    [{ known_at: '2026-03-03' }, 'known_at lies in the future'],
  ]);
});
