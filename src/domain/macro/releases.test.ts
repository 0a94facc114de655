// How far an index usually jumps at a release: measured on its own past releases, or not at all.
import { expect, it } from 'vitest';
import { DAY, HOUR, type Instant } from '../../kernel/instant.js';
import { type Day, dayOf, writeDay } from '../../kernel/new-york-time.js';
import { median } from '../../kernel/statistics/order-statistics.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import type { FactOf } from '../facts/fact.js';
import { MacroState } from './macro-state.js';
import { businessDaysAfter } from './sessions.js';

const FIRST = dayOf(2018, 1, 2);
/** Daily values before there is a z-score. */
const LEAST = 504;

/** A daily value that is told in the evening, with one that is told again an hour later. */
function values(count: number): FactOf<'series'>[] {
  const random = seededRandom('releases');
  let value = 20;
  const fact = (day: Day, at: Instant, told: number, sequence: number): FactOf<'series'> => ({
    sequence,
    source: 'fixture',
    effectiveAt: day * DAY,
    knownAt: at,
    backfilled: true,
    body: { kind: 'series', series: 'VIXCLS', date: writeDay(day), value: told },
  });
  return Array.from({ length: count }, (_, i) => {
    const day = businessDaysAfter(FIRST, i);
    value += random.normal() * 0.3;
    const at = day * DAY + 22 * HOUR;
    const first = fact(day, at, value, 2 * i + 1);
    return i === count - 3 ? [first, fact(day, at + HOUR, value + 0.5, 2 * i + 2)] : [first];
  }).flat();
}

/** What is due next after all of them are known, and the z-scores of the days that have one. */
function after(count: number) {
  const state = new MacroState();
  const facts = values(count);
  state.take(facts);
  const at = Math.max(...facts.map(({ knownAt }) => knownAt));
  const due = state.calendar(at, at + 7 * DAY).find(({ symbol }) => symbol === 'VIX')!;
  const zs = facts.flatMap(({ knownAt, body }) => {
    const { reading } = state.detail('VIX', knownAt, 1)!;
    return reading.z === null ? [] : [{ day: body.date, z: reading.z }];
  });
  return { due, zs };
}

it('is the middle size of the last 26 jumps, revisions aside', () => {
  const { due, zs } = after(LEAST + 60);
  const jumps = zs.flatMap(({ day, z }, i) =>
    i > 0 && zs[i - 1]!.day !== day ? [Math.abs(z - zs[i - 1]!.z)] : [],
  );
  expect(due.usualGap).toBeCloseTo(median(jumps.slice(-26)), 4);
});

it('is not told from fewer than eight', () => {
  const { due, zs } = after(LEAST + 5);
  expect(zs.length).toBeGreaterThan(0);
  expect(due.usualGap).toBeNull();
});
