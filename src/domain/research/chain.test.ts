// The plane of one subject against a naive replay: last write that covers the point wins, and nothing is rewritten.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chain, type Row } from './chain.js';

interface Write {
  readonly from: number;
  readonly length: number;
  readonly ends: boolean;
  readonly later: number;
}

const writes = (most: number) =>
  fc.array(
    fc.record<Write>({
      from: fc.integer({ min: 0, max: 11 }),
      length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Number.POSITIVE_INFINITY)),
      ends: fc.boolean(),
      later: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: most },
  );

const overlap = (a: Row<number>, b: Row<number>): boolean =>
  a.from < b.to && b.from < a.to && a.knownFrom < b.knownTo && b.knownFrom < a.knownTo;

/** Writes one after the other and shows every step. */
function play(log: readonly Write[], seen: (chain: Chain<number>, known: number) => void): Chain<number> {
  const chain = new Chain<number>();
  let known = 0;
  log.forEach(({ from, length, ends, later }, i) => {
    known += later;
    const span = { from, to: from + length };
    const statement = { value: i, change: 'asserted', sources: [`s${i}`] } as const;
    if (ends && i > 0) chain.end(span, known, []);
    else chain.write(span, known, statement);
    seen(chain, known);
  });
  return chain;
}

describe('a chain', () => {
  it('answers like a replay of its writes, at every point (C2)', () => {
    fc.assert(
      fc.property(writes(90), (log) => {
        const chain = play(log, () => {});
        const lastKnown = log.reduce((sum, { later }) => sum + later, 0);
        const step = Math.max(1, Math.floor(lastKnown / 40));
        for (let known = 0; known <= lastKnown + 1; known += step) {
          let sum = 0;
          const visible = log.flatMap((write, i) => {
            sum += write.later;
            return sum <= known ? [{ ...write, i }] : [];
          });
          for (let effective = -1; effective <= 13; effective++) {
            const last = visible.findLast(
              ({ from, length }) => from <= effective && effective < from + length,
            );
            const expected = last === undefined || (last.ends && last.i > 0) ? undefined : last.i;
            const row = chain.at(effective, known);
            expect(row?.value).toBe(expected);
            if (row === undefined) continue;
            expect(row.knownFrom <= known && known < row.knownTo).toBe(true);
            expect(row.from <= effective && effective < row.to).toBe(true);
          }
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('never lets two rows overlap on both axes (C1), and only ever closes the knowledge of a row (C3)', () => {
    fc.assert(
      fc.property(writes(25), (log) => {
        let before: Row<number>[] = [];
        const chain = play(log, ({ rows }, known) => {
          before.forEach((old, i) => {
            const { knownTo, ...rest } = rows[i]!;
            expect(rest).toEqual(withoutEnd(old));
            const untouched = knownTo === old.knownTo;
            expect(untouched || (old.knownTo === Number.POSITIVE_INFINITY && knownTo === known)).toBe(true);
          });
          before = rows.map((row) => ({ ...row }));
        });
        const { rows } = chain;
        rows.forEach((row, i) => {
          expect(row.knownFrom < row.knownTo && row.from < row.to).toBe(true);
          for (const other of rows.slice(i + 1)) expect(overlap(row, other)).toBe(false);
        });
      }),
      { numRuns: 150, seed: 8 },
    );
  });

  it('numbers its rows from 1 without a gap (C6)', () => {
    fc.assert(
      fc.property(writes(25), (log) => {
        const { rows } = play(log, () => {});
        expect(rows.map(({ revision }) => revision)).toEqual(rows.map((_, i) => i + 1));
      }),
      { numRuns: 50, seed: 9 },
    );
  });

  it('says how a row came to be', () => {
    const chain = new Chain<string>();
    const asserted = { value: 'a', change: 'asserted', sources: ['s1'] } as const;
    chain.write({ from: 0, to: Number.POSITIVE_INFINITY }, 10, asserted);
    chain.write({ from: 5, to: 7 }, 11, { value: 'b', change: 'corrected', sources: ['s2'] });
    chain.end({ from: 20, to: Number.POSITIVE_INFINITY }, 12, ['s3']);
    expect(chain.rows.map(({ from, to, change, sources }) => [from, to, change, sources])).toEqual([
      [0, Number.POSITIVE_INFINITY, 'asserted', ['s1']],
      [0, 5, 'remainder', ['s1']],
      [5, 7, 'corrected', ['s2']],
      [7, Number.POSITIVE_INFINITY, 'remainder', ['s1']],
      [7, 20, 'closed', ['s1', 's3']],
    ]);
  });
});

function withoutEnd({ knownTo: _end, ...row }: Row<number>): Omit<Row<number>, 'knownTo'> {
  return row;
}
