import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, parseInstant } from '../../kernel/instant.js';
import { HourlyHistory } from './hourly-history.js';

const AT = parseInstant('2026-03-04T15:07:20Z')!;
const STEP = 5 * MINUTE;

interface Add {
  readonly slot: number;
  readonly knownAt: Instant;
  readonly n: number;
}

const add = (from: Instant, to: Instant): fc.Arbitrary<Add> =>
  fc.record({
    slot: fc.constantFrom(0, 3, 700),
    knownAt: fc.integer({ min: from, max: to }),
    n: fc.integer({ min: 0, max: 9 }),
  });
const past = fc.array(fc.oneof(add(AT - 40 * DAY, AT), add(AT - 8 * HOUR, AT)), { maxLength: 80 });
const future = fc.array(fc.oneof(add(AT + 1, AT + 20 * MINUTE), add(AT + 1, AT + 50 * DAY)), {
  maxLength: 40,
});

function historyOf(adds: readonly Add[], at = AT): HourlyHistory {
  const history = new HourlyHistory(at);
  for (const { slot, knownAt, n } of adds) history.add(slot, knownAt, n);
  return history;
}

function readings(history: HourlyHistory, at: Instant): unknown {
  return [0, 3, 700, 701].map((slot) => [history.hourEnding(slot, at), [...history.series(slot, at)]]);
}

/** The definition, from the bare list. */
function expected(adds: readonly Add[], at: Instant): unknown {
  const step = Math.floor(at / STEP) * STEP;
  const hour = Math.floor(at / HOUR);
  return [0, 3, 700, 701].map((slot) => {
    const series = Array<number>(672).fill(0);
    let sliding = 0;
    for (const { slot: its, knownAt, n } of adds) {
      if (its !== slot) continue;
      if (knownAt >= step - HOUR && knownAt < step) sliding += n;
      const back = hour - Math.floor(knownAt / HOUR);
      if (back >= 1 && back <= 672) series[672 - back]! += n;
    }
    return [sliding, series];
  });
}

describe('what a reading sees', () => {
  it('is the counts of complete buckets, in whatever order they came', () => {
    fc.assert(
      fc.property(
        past.chain((adds) =>
          fc.tuple(fc.constant(adds), fc.shuffledSubarray(adds, { minLength: adds.length })),
        ),
        ([adds, shuffled]) => {
          expect(readings(historyOf(adds), AT)).toEqual(expected(adds, AT));
          expect(readings(historyOf(shuffled), AT)).toEqual(expected(adds, AT));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is not touched by what becomes known later', () => {
    fc.assert(
      fc.property(past, future, (adds, later) => {
        const history = historyOf([...later, ...adds, ...later]);
        expect(readings(history, AT)).toEqual(expected(adds, AT));
      }),
      { numRuns: 40 },
    );
  });

  it('is the same when the readings move on with the adds as when they come at once', () => {
    fc.assert(
      fc.property(past, fc.array(add(AT + 1, AT + 3 * DAY), { maxLength: 60 }), (adds, later) => {
        const history = historyOf(adds);
        const sorted = later.toSorted((a, b) => a.knownAt - b.knownAt);
        for (const { slot, knownAt, n } of sorted) {
          history.add(slot, knownAt, n);
          history.hourEnding(slot, knownAt);
        }
        const end = AT + 3 * DAY;
        expect(readings(history, end)).toEqual(expected([...adds, ...later], end));
        expect(readings(historyOf([...later, ...adds]), end)).toEqual(expected([...adds, ...later], end));
      }),
      { numRuns: 30 },
    );
  });

  it('is the same when rebuilt from the counts of hours and of five minutes', () => {
    fc.assert(
      fc.property(past, (adds) => {
        const { hours, steps } = HourlyHistory.spans(AT);
        const rebuilt = new HourlyHistory(AT);
        for (const [span, bucket] of [
          [steps, STEP],
          [hours, HOUR],
        ] as const) {
          for (const { slot, knownAt, n } of adds) {
            if (knownAt <= span.after || knownAt > span.knownBy) continue;
            rebuilt.load(slot, Math.floor(knownAt / bucket) * bucket, n);
          }
        }
        const live = historyOf(adds);
        expect(readings(rebuilt, AT)).toEqual(readings(live, AT));
        const buffer = (): Uint32Array => new Uint32Array(72);
        const step = Math.floor(AT / STEP);
        expect(rebuilt.steps(3, step, buffer())).toEqual(live.steps(3, step, buffer()));
      }),
      { numRuns: 40 },
    );
  });
});

it('keeps counts that two bytes cannot hold, and forgets them with their hour', () => {
  const history = new HourlyHistory(AT);
  for (let i = 0; i < 3; i++) history.add(1, AT - 30 * MINUTE, 40_000);
  expect(history.hourEnding(1, AT)).toBe(120_000);
  expect(history.series(1, AT).at(-1)).toBe(120_000);
  expect(history.series(1, AT + 40 * DAY).every((count) => count === 0)).toBe(true);
  expect(history.hourEnding(1, AT + 40 * DAY)).toBe(0);
});

it('says so when asked for what it no longer holds', () => {
  const history = new HourlyHistory(AT);
  history.advance(AT + 20 * DAY);
  expect(() => history.hourEnding(0, AT)).toThrow(RangeError);
  expect(() => history.series(0, AT)).toThrow(RangeError);
  expect(() => history.add(0, AT, -1)).toThrow(RangeError);
  expect(() => history.add(0, AT, 0.5)).toThrow(RangeError);
});

it('tells a count that changes what was read from one that does not', () => {
  const history = new HourlyHistory(AT);
  history.add(2, AT - 10 * MINUTE, 1);
  history.advance(AT + HOUR);
  history.add(2, AT, 1);
  expect(history.revision(2)).toBe(0);
  history.hourEnding(2, AT);
  history.add(2, AT, 1);
  expect(history.revision(2)).toBe(0);
  history.add(2, AT - 10 * MINUTE, 1);
  expect(history.revision(2)).toBe(1);
  history.add(5000, AT - DAY, 1);
  expect(history.revision(5000)).toBe(1);
});

it('holds ten thousand tickers in thirty megabytes', () => {
  const before = process.memoryUsage().arrayBuffers;
  const history = new HourlyHistory(AT);
  for (let slot = 0; slot < 10_000; slot++) history.add(slot, AT - HOUR, 1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30e6);
  expect(history.hourEnding(9_999, AT - 50 * MINUTE)).toBe(1);
});
