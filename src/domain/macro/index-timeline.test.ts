// Vintages of an index: what was known when, growth inside one vintage, first releases, histories and winds.
import { expect, it } from 'vitest';
import { DAY } from '../../kernel/instant.js';
import { dayOf } from '../../kernel/new-york-time.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import type { IndexRow } from './catalogue/index-row.js';
import { INDEXES } from './catalogue/indexes.js';
import { IndexTimeline, VINTAGES, windAfter } from './index-timeline.js';
import { seriesOf } from './level-series.js';
import { ROBUST } from './parameters.js';
import { SeriesHistory } from './series-history.js';

const rowOf = (symbol: string): IndexRow => INDEXES.find((row) => row.symbol === symbol)!;

function timelineOf(symbol: string): { timeline: IndexTimeline; series: SeriesHistory[] } {
  const row = rowOf(symbol);
  const series = seriesOf(row.formula).map(() => new SeriesHistory());
  return { timeline: new IndexTimeline(row, row, series), series };
}

const NEVER = 1e18;

it('takes growth inside one vintage, through revisions and a new base year', () => {
  const { timeline, series } = timelineOf('INDPRO');
  const [history] = series as [SeriesHistory];
  const month = (i: number): number => dayOf(2008, 1 + i, 1);
  const known = (i: number): number => dayOf(2008, 2 + i, 16) * DAY;
  for (let i = 0; i < 12; i += 1) history.take(month(i), 112 - 0.6 * i, known(i), i, false);
  timeline.extend(NEVER);
  const before = timeline.transformed.last();
  expect(before).toBeCloseTo(((105.4 / 109) ** 2 - 1) * 100, 9);
  // A revision of the newest month alone.
  history.take(month(11), 104.51, known(11) + 60 * DAY, 12, false);
  timeline.extend(NEVER);
  expect(timeline.transformed.last()).toBeCloseTo(((104.51 / 109) ** 2 - 1) * 100, 9);
  // The base year moves: every month is published anew, and the rate stays what it was.
  for (let i = 0; i < 12; i += 1) {
    const level = i === 11 ? 104.51 : 112 - 0.6 * i;
    history.take(month(i), level * 0.8887, known(11) + 400 * DAY, 20 + i, false);
  }
  timeline.extend(NEVER);
  expect(timeline.transformed.last()).toBeCloseTo(((104.51 / 109) ** 2 - 1) * 100, 9);
  // What was said then stays on the tape.
  expect(timeline.transformed.at(timeline.placeAt(known(11)))).toBe(before);
  expect(timeline.shown.at(timeline.placeAt(known(11) + 61 * DAY))).toBeCloseTo(
    ((104.51 / 109) ** 2 - 1) * 100,
    9,
  );
});

it('reads at an instant the vintage known then', () => {
  const { timeline, series } = timelineOf('SLOOS');
  const records = [
    [20_070_428, 0.090219],
    [20_070_817, 0.13933],
    [20_071_023, 0.245863],
    [20_080_301, 0.3479],
    [20_080_313, 0.395989],
  ] as const;
  const at = (date: number): number =>
    dayOf(Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100) * DAY;
  const periods = [
    dayOf(2007, 1, 1),
    dayOf(2007, 4, 1),
    dayOf(2007, 7, 1),
    dayOf(2007, 10, 1),
    dayOf(2007, 10, 1),
  ];
  records.forEach(([known, value], i) => {
    series[0]!.take(periods[i]!, value, at(known), i, false);
  });
  timeline.extend(NEVER);
  const valueAt = (date: number): number | null => {
    const place = timeline.placeAt(at(date));
    return place < 0 ? null : timeline.shown.at(place);
  };
  expect([20_050_104, 20_070_430, 20_070_817, 20_071_023, 20_080_303, 20_080_313].map(valueAt)).toEqual([
    null,
    0.090219,
    0.13933,
    0.245863,
    0.3479,
    0.395989,
  ]);
});

it('keeps first releases only where the provider refits its history', () => {
  const { timeline, series } = timelineOf('NFCI');
  const friday = dayOf(2015, 1, 2);
  for (let week = 0; week < 200; week += 1) {
    const known = (friday + 7 * week + 5) * DAY;
    for (let back = Math.min(3, week); back >= 0; back -= 1) {
      const first = Math.sin(week - back);
      series[0]!.take(
        friday + 7 * (week - back),
        back === 0 ? first : first + 0.01 * back,
        known,
        week * 8 + back,
        false,
      );
    }
  }
  timeline.extend(NEVER);
  expect(timeline.shown.last()).toBe(Math.sin(199));
  expect(timeline.prior(timeline.knownAt.length - 1)).toBe(Math.sin(198));
  expect(VINTAGES[timeline.vintages.last()]).toBe('native');
  expect(Number.isFinite(timeline.z.last())).toBe(true);
});

it('does not take a second file without release times for vintages', () => {
  const { timeline, series } = timelineOf('INDPRO');
  // Every month is said again with another value, as of the same usual release: nobody knows when that was revised.
  for (let i = 0; i < 24; i += 1) {
    const known = dayOf(2018, 2 + i, 16) * DAY;
    series[0]!.take(dayOf(2018, 1 + i, 1), 100 + i, known, i, false);
    series[0]!.take(dayOf(2018, 1 + i, 1), 80 + i, known, 100 + i, false);
  }
  timeline.extend(NEVER);
  expect(VINTAGES[timeline.vintages.last()]).toBe('latest_only');
  expect(timeline.transformed.last()).toBeCloseTo(((103 / 97) ** 2 - 1) * 100, 9);
});

it('says so when one vintage stands for all', () => {
  const { timeline, series } = timelineOf('NFCI');
  for (let week = 0; week < 10; week += 1) {
    series[0]!.take(dayOf(2015, 1, 2) + 7 * week, week, (dayOf(2015, 1, 7) + 7 * week) * DAY, week, false);
  }
  timeline.extend(NEVER);
  expect(VINTAGES[timeline.vintages.last()]).toBe('latest_only');
  const live = timelineOf('NFCI');
  for (let week = 0; week < 10; week += 1) {
    live.series[0]!.take(
      dayOf(2015, 1, 2) + 7 * week,
      week,
      (dayOf(2015, 1, 7) + 7 * week) * DAY,
      week,
      true,
    );
  }
  live.timeline.extend(NEVER);
  expect(VINTAGES[live.timeline.vintages.last()]).toBe('archived');
});

it('warms up for as long as its frequency asks, and survives a constant', () => {
  const { timeline, series } = timelineOf('SAHM');
  for (let month = 0; month < 40; month += 1) {
    series[0]!.take(
      dayOf(2010, 1 + month, 1),
      month === 39 ? 0.5 : 0,
      dayOf(2010, 2 + month, 5) * DAY,
      month,
      false,
    );
  }
  timeline.extend(NEVER);
  expect(timeline.z.at(34)).toBeNaN();
  expect(timeline.z.at(35)).toBe(0);
  // MAD is zero: the floor, or a quarter of the spread, keeps the score finite.
  expect(timeline.z.last()).toBeCloseTo(
    0.5 / Math.max(0.05, 0.25 * Math.sqrt((0.25 * (1 - 1 / 40)) / 39)),
    6,
  );
});

it('lets history fade after fifteen years', () => {
  const { timeline, series } = timelineOf('SLOOS');
  for (let quarter = 0; quarter < 100; quarter += 1) {
    series[0]!.take(
      dayOf(1995, 1 + 3 * quarter, 1),
      quarter,
      dayOf(1995, 2 + 3 * quarter, 4) * DAY,
      quarter,
      false,
    );
  }
  timeline.extend(NEVER);
  expect(timeline.counts.last()).toBe(61);
});

it('combines series of one day, and waits for the one that comes later', () => {
  const { timeline, series } = timelineOf('VIXTERM');
  const [vix, vxv] = series as [SeriesHistory, SeriesHistory];
  const day = dayOf(2024, 3, 4);
  vix.take(day, 20, day * DAY, 1, false);
  timeline.extend(NEVER);
  expect(timeline.knownAt.length).toBe(0);
  vxv.take(day, 25, (day + 1) * DAY, 2, false);
  vix.take(day + 1, 30, (day + 1) * DAY + 1, 3, false);
  timeline.extend(NEVER);
  expect(timeline.shown.last()).toBe(0.8);
  expect(timeline.knownAt.last()).toBe((day + 1) * DAY);
});

it('starts over when an entry comes late, with the same result as in time', () => {
  const fed = (order: readonly number[], pause: number): IndexTimeline => {
    const { timeline, series } = timelineOf('UST10Y');
    order.forEach((i, turn) => {
      series[0]!.take(dayOf(2020, 1, 1) + i, 2 + Math.sin(i), (dayOf(2020, 1, 2) + i) * DAY, i, false);
      if (turn === pause) timeline.extend(NEVER);
    });
    timeline.extend(NEVER);
    return timeline;
  };
  const inTime = Array.from({ length: 700 }, (_, i) => i);
  const late = [...inTime.slice(0, 300), ...inTime.slice(310), ...inTime.slice(300, 310)];
  const [a, b] = [fed(inTime, -1), fed(late, 650)];
  expect(b.restarts).toBe(1);
  for (const column of ['z', 'shown', 'transformed', 'knownAt', 'counts', 'winds'] as const) {
    expect([...b[column].values.subarray(0, b.knownAt.length)], column).toEqual([
      ...a[column].values.subarray(0, a.knownAt.length),
    ]);
  }
  for (const measure of ['percentile', 'prior', 'releasedAt', 'dueAt'] as const) {
    const all = (of: IndexTimeline) => Array.from({ length: of.knownAt.length }, (_, i) => of[measure](i));
    expect(all(b), measure).toEqual(all(a));
  }
});

it('remembers when and as what a day was first reported, whatever comes later', () => {
  const random = seededRandom('first reports');
  for (const symbol of ['UST10Y', 'EPU', 'CPI']) {
    const { timeline, series } = timelineOf(symbol);
    const base = dayOf(2012, 1, 1);
    const first = new Map<number, { level: number; knownAt: number }>();
    const levels = new Map<number, number>();
    const events: { day: number; prior: number }[] = [];
    let end = 0;
    for (let turn = 0; turn < 400; turn += 1) {
      const knownAt = (base + 1000 + turn) * DAY;
      // At first one new day a turn; later several at once, days that were left out, and revisions.
      const days = turn < 100 ? [end] : [end, end + 2, random.integer(0, end)].slice(random.integer(0, 2));
      for (const [i, day] of days.entries()) {
        const level = 1 + random.uniform();
        series[0]!.take(base + day, level, knownAt, turn * 4 + i, true);
        if (!first.has(base + day)) first.set(base + day, { level, knownAt });
        levels.set(base + day, level);
        end = Math.max(end, day + 1);
      }
      const known = [...levels.keys()].sort((a, b) => a - b);
      events.push({ day: known.at(-1)!, prior: levels.get(known.at(-2)!) ?? Number.NaN });
      if (turn % 7 === 0) timeline.extend(knownAt);
    }
    timeline.extend(NEVER);
    const days = [...first.keys()].sort((a, b) => a - b);
    expect([...timeline.days.subarray(0, timeline.firstKnownAt.length)], symbol).toEqual(days);
    expect(days.map((_, place) => timeline.firstKnownAt.at(place))).toEqual(
      days.map((day) => first.get(day)!.knownAt),
    );
    expect(days.map((_, place) => timeline.firstMove(place))).toEqual(
      days.map((day) => first.get(day)!.level),
    );
    expect(events.map((_, place) => timeline.releasedAt(place))).toEqual(
      events.map(({ day }) => first.get(day)!.knownAt),
    );
    if ((timeline.row.shown ?? 'level') === 'level') {
      expect(events.map((_, place) => timeline.prior(place))).toEqual(events.map(({ prior }) => prior));
    }
  }
});

it('lets a wind begin at 0.5 and end below 0.3', () => {
  const { enter, leave } = ROBUST.wind;
  expect([windAfter(0, enter), windAfter(0, 0.49), windAfter(1, 0.31), windAfter(1, leave)]).toEqual([
    1, 0, 1, 0,
  ]);
  expect([windAfter(-1, -0.31), windAfter(-1, 0.6), windAfter(1, -0.4)]).toEqual([-1, 1, 0]);
  expect(windAfter(1, Number.NaN)).toBe(0);
});
