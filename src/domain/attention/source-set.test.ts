import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../kernel/instant.js';
import { SourceLedger } from './source-set.js';

const START = 20_000 * DAY;

function ledger(): SourceLedger {
  const sources = new SourceLedger();
  sources.began('a', START);
  sources.began('b', START + HOUR);
  sources.began('late', START + 20 * DAY + 5 * HOUR);
  for (let day = 0; day < 60; day++) {
    sources.count('a', START + day * DAY, 60);
    sources.count('b', START + day * DAY, 40);
    if (day >= 20) sources.count('late', START + day * DAY + 6 * HOUR, 25);
  }
  return sources;
}

it('counts founding sources at once and a newcomer after it has warmed up', () => {
  const sources = ledger();
  expect(sources.at(START + 10 * DAY)).toEqual({ version: 1, sources: ['a', 'b'], warming: [], level: 1 });
  expect(sources.at(START + 30 * DAY)).toEqual({
    version: 1,
    sources: ['a', 'b'],
    warming: ['late'],
    level: 1,
  });
  const joined = sources.at(START + 35 * DAY);
  expect(joined).toMatchObject({ version: 2, sources: ['a', 'b', 'late'], warming: [] });
  expect(joined.level).toBeCloseTo(1.25, 10);
});

it('freezes the level: what a source delivers later does not change it', () => {
  const sources = ledger();
  const before = sources.at(START + 35 * DAY);
  sources.count('late', START + 50 * DAY, 1e6);
  expect(sources.at(START + 35 * DAY)).toEqual(before);
  expect(sources.at(START + 55 * DAY).level).toBe(before.level);
});
