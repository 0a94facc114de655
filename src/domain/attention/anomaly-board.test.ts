import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, parseInstant } from '../../kernel/instant.js';
import { type SeededRandom, seededRandom } from '../../kernel/statistics/seeded-random.js';
import { EXTREME, HIGH } from './anomaly-bands.js';
import { AnomalyBoard, explainAnomaly } from './anomaly-board.js';
import { HourlyHistory } from './hourly-history.js';

const START = parseInstant('2026-01-05T00:00:00Z')!;
const STEP = 5 * MINUTE;

interface World {
  readonly slots: number;
  readonly hours: number;
  readonly dispersion: number;
}

/** Five-minute counts whose hourly rates are gamma: hours are negative binomial, as real ones are. */
function* countsOf(
  random: SeededRandom,
  { slots, hours, dispersion }: World,
  factor: (slot: number, hour: number) => number,
) {
  for (let slot = 0; slot < slots; slot++) {
    const average = Math.exp(random.normal(1.5, 1));
    for (let hour = 0; hour < hours; hour++) {
      const rate = random.gamma(dispersion, average / dispersion) * factor(slot, hour);
      for (let i = 0; i < 12; i++) {
        const n = random.poisson(rate / 12);
        if (n > 0) yield { slot, knownAt: START + hour * HOUR + i * STEP + 1, n };
      }
    }
  }
}

interface Add {
  readonly slot: number;
  readonly knownAt: Instant;
  readonly n: number;
}

function historyOf(adds: Iterable<Add>, at: Instant): HourlyHistory {
  const history = new HourlyHistory(at);
  for (const { slot, knownAt, n } of adds) history.add(slot, knownAt, n);
  return history;
}

describe('one board', () => {
  const world = { slots: 12, hours: 31 * 24, dispersion: 2 };
  const burst = (slot: number, hour: number): number =>
    slot < 3 && hour >= 29 * 24 + 5 && hour < 29 * 24 + 8 ? 40 : 1;
  const adds = [...countsOf(seededRandom('world'), world, burst)];
  const at = START + 29 * DAY + 4 * HOUR;

  it('gives step by step, and at once, and in one piece, the same bytes', () => {
    const sorted = adds.toSorted((a, b) => a.knownAt - b.knownAt);
    const live = new HourlyHistory(at);
    const board = new AnomalyBoard(live);
    let taken = 0;
    for (let now = at; now <= at + 9 * HOUR; now += STEP) {
      while (taken < sorted.length && sorted[taken]!.knownAt <= now) {
        const { slot, knownAt, n } = sorted[taken++]!;
        live.add(slot, knownAt, n);
      }
      const cycle = board.at(now, world.slots, START);
      if ((now - at) % (17 * STEP) !== 0) continue;
      const fresh = historyOf(adds, now);
      const recomputed = new AnomalyBoard(fresh).at(now, world.slots, START);
      expect(recomputed).toEqual(cycle);
      for (let slot = 0; slot < world.slots; slot++) {
        const alone = explainAnomaly(fresh, slot, recomputed);
        expect(alone.level).toBe(cycle.level[slot]);
        expect(alone.surprise).toBe(cycle.surprise[slot]);
        expect(alone.trend).toBe(cycle.trend[slot]);
      }
    }
    const last = board.at(at + 9 * HOUR, world.slots, START);
    expect(board.at(at + 9 * HOUR + MINUTE, world.slots, START)).toBe(last);
  });

  it('gives the same bytes when cycles are skipped and when facts come late', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.boolean()),
        (gaps, late) => {
          const live = new HourlyHistory(at);
          const board = new AnomalyBoard(live);
          const held: Add[] = [];
          let now = at;
          let taken = 0;
          const known = adds.toSorted((a, b) => a.knownAt - b.knownAt);
          for (const gap of gaps) {
            for (const { slot, knownAt, n } of held.splice(0)) live.add(slot, knownAt, n);
            for (; taken < known.length && known[taken]!.knownAt <= now; taken++) {
              const one = known[taken]!;
              if (now > at && one.slot < 4 && late.next().value) held.push(one);
              else live.add(one.slot, one.knownAt, one.n);
            }
            const cycle = board.at(now, world.slots, START);
            const taking = known.slice(0, taken).filter((one) => !held.includes(one));
            const fresh = new AnomalyBoard(historyOf(taking, now)).at(now, world.slots, START);
            expect(fresh).toEqual(cycle);
            now += gap * STEP;
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('does not see what becomes known later', () => {
    const now = at + 2 * HOUR + 3 * MINUTE;
    const before = historyOf(
      adds.filter(({ knownAt }) => knownAt <= now),
      now,
    );
    const after = historyOf(adds, now);
    expect(new AnomalyBoard(after).at(now, world.slots, START)).toEqual(
      new AnomalyBoard(before).at(now, world.slots, START),
    );
  });

  it('reaches the planted bursts, holds them, and lets them go', () => {
    const history = historyOf(adds, at);
    const board = new AnomalyBoard(history);
    const peak = board.at(START + 29 * DAY + 8 * HOUR, world.slots, START);
    expect(peak.level.slice(0, 3).every((level) => level >= HIGH)).toBe(true);
    expect(peak.level.slice(3).some((level) => level >= HIGH)).toBe(false);
    const over = board.at(START + 30 * DAY, world.slots, START);
    expect(over.level.some((level) => level >= HIGH)).toBe(false);
  });

  it('grows with the universe', () => {
    const history = historyOf(adds, at);
    const board = new AnomalyBoard(history);
    board.at(at, 5, START);
    const grown = board.at(at + STEP, world.slots, START);
    expect(new AnomalyBoard(historyOf(adds, at)).at(at + STEP, world.slots, START)).toEqual(grown);
  });

  it('has no numbers before a week was observed', () => {
    const history = historyOf(adds, at);
    const cycle = new AnomalyBoard(history).at(at, world.slots, at - 6 * DAY);
    expect(cycle.hoursObserved).toBe(143);
    expect([...cycle.surprise].every(Number.isNaN)).toBe(true);
    expect(explainAnomaly(history, 0, cycle).baseline).toBeNull();
  });
});

it('finds most bursts and raises few false ones', { timeout: 120_000 }, () => {
  const world = { slots: 40, hours: 38 * 24, dispersion: 2.5 };
  const random = seededRandom('detection');
  const planted = Array.from({ length: world.slots }, () => 30 * 24 + random.integer(0, 7 * 24));
  const factor = (slot: number, hour: number): number => {
    const age = hour - planted[slot]!;
    const ofDay = 1 + 0.6 * Math.sin((hour / 24) * 2 * Math.PI);
    return age >= 0 && age < 4 ? 10 * ofDay : ofDay;
  };
  const adds = [...countsOf(random, world, factor)].sort((a, b) => a.knownAt - b.knownAt);
  const history = new HourlyHistory(START);
  const board = new AnomalyBoard(history);
  const [hits, extremes] = [new Set<number>(), new Set<number>()];
  const lastFalse = new Map<number, Instant>();
  let [episodes, taken] = [0, 0];
  const from = START + 29 * DAY;
  for (let now = from; now < START + world.hours * HOUR; now += STEP) {
    history.advance(now);
    for (; taken < adds.length && adds[taken]!.knownAt <= now; taken++) {
      const { slot, knownAt, n } = adds[taken]!;
      history.add(slot, knownAt, n);
    }
    board.at(now, world.slots, START).level.forEach((level, slot) => {
      if (level < HIGH) return;
      const age = (now - START) / HOUR - planted[slot]!;
      if (age > 0 && age < 8) {
        hits.add(slot);
        if (level === EXTREME) extremes.add(slot);
        return;
      }
      if (now - (lastFalse.get(slot) ?? Number.NEGATIVE_INFINITY) > 6 * HOUR) episodes++;
      lastFalse.set(slot, now);
    });
  }
  const days = ((START + world.hours * HOUR - from) / DAY) * world.slots;
  expect(hits.size / world.slots).toBeGreaterThanOrEqual(0.8);
  expect(extremes.size / world.slots).toBeGreaterThan(0.3);
  expect(episodes / days).toBeLessThanOrEqual(0.1);
});
