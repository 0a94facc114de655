// What was known at an instant, against published answers: an as-of join of trades and quotes, and filings with a revision.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FactOf, Report, SeriesObservation } from '../../src/domain/facts/fact.js';
import { DAY, type Instant, MILLISECOND, parseDay } from '../../src/kernel/instant.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { T0 } from './samples.js';
import { type OpenStore, withArchive } from './with-archive.js';

const golden = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8')) as T;

interface Join {
  readonly data: {
    readonly trades: readonly { readonly t_ms: number; readonly ticker: string }[];
    readonly quotes: readonly {
      readonly t_ms: number;
      readonly ticker: string;
      readonly bid: number;
      readonly ask: number;
    }[];
  };
  readonly cases: readonly {
    readonly expected_bid_ask_per_trade_row: readonly (readonly [number | null, number | null])[];
  }[];
}

interface Revisions {
  readonly cases: readonly {
    readonly records: readonly {
      readonly known_at: number;
      readonly period: number;
      readonly value: number;
    }[];
    readonly queries: readonly { readonly as_of: string; readonly expected: number | null }[];
    readonly tol_abs: number;
  }[];
}

const observed = (
  series: string,
  date: string,
  value: number,
  releasedAt: Instant,
): Report<SeriesObservation> => ({
  source: 'golden',
  effectiveAt: releasedAt,
  releasedAt,
  body: { kind: 'series', series, date, value },
});

async function known(archive: ArchiveReader, knownBy: Instant): Promise<FactOf<'series'>[]> {
  const all: FactOf<'series'>[] = [];
  for await (const facts of archive.facts('series', { knownBy })) all.push(...facts);
  return all;
}

export function archiveAsOfSuite(name: string, openStore: OpenStore): void {
  describe(`${name}: what was known at an instant`, () => {
    it('joins trades with the quote known last, one known at the same instant included', () =>
      withArchive(openStore, async ({ writer }) => {
        const { data, cases } = golden<Join>('as-of-join');
        const at = (milliseconds: number): Instant => T0 - DAY + milliseconds * MILLISECOND;
        await writer.append({
          facts: data.quotes.flatMap(({ t_ms, ticker, bid, ask }) => [
            observed(`${ticker} bid`, '2016-05-25', bid, at(t_ms)),
            observed(`${ticker} ask`, '2016-05-25', ask, at(t_ms)),
          ]),
        });
        const joined = [];
        for (const { t_ms, ticker } of data.trades) {
          const facts = await known(writer, at(t_ms));
          const last = (side: string): number | null =>
            facts.findLast(({ body }) => body.series === `${ticker} ${side}`)?.body.value ?? null;
          joined.push([last('bid'), last('ask')]);
        }
        expect(joined).toEqual(cases[0]!.expected_bid_ask_per_trade_row);
      }));

    it('gives the newest period in the revision that was known', () =>
      withArchive(openStore, async ({ writer }) => {
        const [filings] = golden<Revisions>('revisions').cases;
        const day = (number: number): Instant =>
          parseDay(String(number).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))!;
        await writer.append({
          facts: filings!.records.map(({ known_at, period, value }) => {
            const quarter = period % 100;
            const date = `${Math.floor(period / 100)}-${String(3 * quarter).padStart(2, '0')}-01`;
            return observed('roe', date, value, day(known_at));
          }),
        });
        for (const { as_of, expected } of filings!.queries) {
          const facts = await known(writer, parseDay(as_of)!);
          const newest = facts.reduce<FactOf<'series'> | null>(
            (best, fact) => (best === null || fact.body.date >= best.body.date ? fact : best),
            null,
          );
          if (expected === null) expect([as_of, newest]).toEqual([as_of, null]);
          else expect(Math.abs(newest!.body.value - expected)).toBeLessThanOrEqual(filings!.tol_abs);
        }
      }));
  });
}
