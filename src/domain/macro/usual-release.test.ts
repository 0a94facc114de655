// When values of the catalogue's series usually come out, and which ids have no such rule.
import { expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/instant.js';
import { readDay } from '../../kernel/new-york-time.js';
import { INDEXES } from './catalogue/indexes.js';
import { seriesOf } from './level-series.js';
import { usualRelease } from './usual-release.js';

const released = (series: string, day: string): string | null => {
  const at = usualRelease(series, readDay(day)!);
  return at === null ? null : formatInstant(at);
};

it('goes by the release, not by the first day that a month or a quarter is dated with', () => {
  expect(released('INDPRO', '2023-12-01')).toBe('2024-01-16T14:15:00.000Z');
  expect(released('CPIAUCSL', '2024-06-01')).toBe('2024-07-12T12:30:00.000Z');
  expect(released('DRTSCILM', '2024-01-01')).toBe('2024-02-05T19:00:00.000Z');
});

it('takes the clock of the index that a series makes alone', () => {
  expect(released('VIXCLS', '2024-01-03')).toBe('2024-01-03T21:30:00.000Z');
  expect(released('VXVCLS', '2024-01-03')).toBe('2024-01-04T14:00:00.000Z');
  expect(released('RRPONTSYD', '2024-01-03')).toBe('2024-01-03T18:15:00.000Z');
  expect(released('WDTGAL', '2024-01-03')).toBe('2024-01-04T21:30:00.000Z');
});

it('knows predecessors and fallbacks, and batches that end two days before they come', () => {
  expect(released('IOER', '2019-05-01')).toBe('2019-05-02T12:00:00.000Z');
  expect(released('EFFR', '2017-05-01')).toBe('2017-05-02T12:00:00.000Z');
  expect(released('PCOPPUSDM', '2024-01-01')).toBe('2024-02-23T21:30:00.000Z');
  // Wednesday's batch has Monday; Tuesday comes a week later.
  expect(released('DCOILWTICO', '2024-01-08')).toBe('2024-01-10T18:00:00.000Z');
  expect(released('DCOILWTICO', '2024-01-09')).toBe('2024-01-17T18:00:00.000Z');
  expect(released('DHHNGSP', '2024-01-09')).toBe('2024-01-17T18:00:00.000Z');
});

it('has a rule for every published series of the catalogue and for nothing else', () => {
  const day = readDay('2024-03-01')!;
  const ids = INDEXES.flatMap((row) => [row, ...(row.fallback ? [row.fallback] : [])]).flatMap(
    ({ formula }) => seriesOf(formula),
  );
  const computed = ids.filter((id) => usualRelease(id, day) === null);
  expect(computed.length).toBeGreaterThan(0);
  expect(computed.filter((id) => !/^(CLOSE|EQUAL|BREADTH):/.test(id))).toEqual([]);
  expect(released('BOGUS_ID', '2024-03-01')).toBeNull();
});

it('never lets a value out before its own day, holidays and a century included', () => {
  for (const series of ['VIXCLS', 'RRPONTSYD', 'DGS10', 'INDPRO', 'ICSA', 'DRTSCILM', 'LLAMA:STABLES']) {
    for (let day = readDay('1919-01-01')!; day < readDay('2050-01-01')!; day += 3)
      if (!(usualRelease(series, day)! >= day * DAY)) expect.fail(`${series} ${day}`);
  }
  // A Saturday has no session: what is dated so comes with the next one.
  expect(released('VIXCLS', '2024-01-06')).toBe('2024-01-08T21:30:00.000Z');
  expect(released('INDPRO', '1950-01-01')).toBe('1950-02-16T14:15:00.000Z');
  expect(released('DGS10', '1962-01-02')).toBe('1962-01-03T21:15:00.000Z');
});
