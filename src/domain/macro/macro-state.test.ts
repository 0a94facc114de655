// The whole engine on the fixture economy: nothing of the future, any order of facts, absence, entries and briefings.
import { beforeAll, describe, expect, it } from 'vitest';
import { ECONOMY_FUNDS, type EconomyAsset } from '../../connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../../connectors/fixture/economy/returns.js';
import { assetFacts, economyFacts } from '../../connectors/fixture/economy/stamped-facts.js';
import { UNIVERSE } from '../../connectors/fixture/universe.js';
import { DAY, HOUR, type Instant } from '../../kernel/instant.js';
import { dayOf } from '../../kernel/new-york-time.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import type { Fact } from '../facts/fact.js';
import { scoreFromDrivers } from './asset-score.js';
import { briefingAt } from './briefing.js';
import { briefingMarkdown } from './briefing-text.js';
import { FAMILY_WEIGHTS } from './catalogue/families.js';
import { NARRATIVES } from './catalogue/narratives.js';
import { changesBetween } from './changes.js';
import { MacroState } from './macro-state.js';
import { modelReceipt } from './model-receipt.js';
import { stepOf } from './sessions.js';

const SEED = 4;
const FROM = dayOf(2016, 1, 1);
const TO = dayOf(2021, 7, 1);
const random = seededRandom('macro-state');
const listed = UNIVERSE.filter(({ sector }) => sector !== null);
const STOCKS: EconomyAsset[] = [
  ...listed.slice(0, 24),
  ...listed.filter(({ sector }) => sector === 'Consumer Staples').slice(0, 4),
].map(({ ticker, sector, beta }) => ({ ticker, sector, beta: Math.min(2, beta), spread: 0.014 }));
const SPLIT_DAY = dayOf(2019, 5, 6);

function priceFacts(): Fact[] {
  const returns = economyReturns(SEED, FROM, TO);
  const facts: Fact[] = [];
  for (const asset of [...ECONOMY_FUNDS.slice(0, 12), ...STOCKS]) {
    for (const fact of assetFacts(returns, asset, 1e6 + facts.length)) {
      const { body } = fact;
      // One stock splits; now and then a close is corrected days later, or comes late.
      if (body.kind !== 'price') facts.push(fact);
      else if (asset.ticker === STOCKS[0]!.ticker && fact.effectiveAt > SPLIT_DAY * DAY)
        facts.push({ ...fact, body: { ...body, close: body.close / 4 } });
      else if (random.chance(0.002))
        facts.push({ ...fact, knownAt: fact.knownAt + random.integer(1, 20) * DAY });
      else facts.push(fact);
      if (body.kind === 'price' && random.chance(0.001)) {
        const knownAt = fact.knownAt + random.integer(1, 300) * HOUR;
        facts.push({
          ...fact,
          knownAt,
          sequence: 5e6 + facts.length,
          body: { ...body, close: body.close * 1.02 },
        });
      }
    }
  }
  const split = { kind: 'split', ticker: STOCKS[0]!.ticker, ratio: 4 } as const;
  const stamp = { sequence: 9e6, source: 'fixture', backfilled: true };
  facts.push({
    ...stamp,
    knownAt: (SPLIT_DAY - 10) * DAY,
    effectiveAt: SPLIT_DAY * DAY + 13 * HOUR,
    body: split,
  });
  return facts;
}

function postFacts(): Fact[] {
  const facts: Fact[] = [];
  for (let day = FROM; day < TO; day += 1) {
    for (let i = 0; i < 8; i += 1) {
      const row = random.pick(NARRATIVES);
      const loud = Math.floor(day / 200) % NARRATIVES.length === NARRATIVES.indexOf(row);
      const excerpt = random.chance(loud ? 0.9 : 0.2)
        ? `they say ${random.pick(row.terms)} now`
        : 'nothing to see';
      const knownAt = day * DAY + random.integer(0, DAY - 1);
      facts.push({
        sequence: 2e7 + facts.length,
        knownAt,
        effectiveAt: knownAt,
        source: 'fixture',
        backfilled: true,
        body: { kind: 'post', excerpt } as unknown as Fact['body'],
      });
    }
  }
  return facts;
}

const byKnowledge = (a: Fact, b: Fact): number => a.knownAt - b.knownAt || a.sequence - b.sequence;

/** Everything that is served for an instant, as bytes. */
function served(state: MacroState, at: Instant): string {
  const frame = state.frame(at);
  const tickers = [STOCKS[0]!.ticker, STOCKS[5]!.ticker, 'XLE'];
  return JSON.stringify({
    frame,
    scores: state.scoreAll(frame),
    drivers: tickers.map((ticker) => state.drivers(frame, ticker)),
    themes: tickers.map((ticker) => state.themes(frame, ticker)),
    releases: state.releases(at - 3 * DAY, at),
    calendar: state.calendar(at, at + 3 * DAY),
    detail: state.detail('INDPRO', at, 20),
  });
}

let facts: Fact[] = [];
const full = new MacroState();

beforeAll(() => {
  facts = [...economyFacts(SEED, FROM, TO), ...priceFacts(), ...postFacts()].sort(byKnowledge);
  full.take(facts);
}, 120_000);

const instants = Array.from({ length: 50 }, () => random.integer(dayOf(2018, 3, 1) * DAY, TO * DAY)).sort(
  (a, b) => a - b,
);
const upTo = (at: Instant): Fact[] => facts.filter(({ knownAt }) => knownAt <= at);

describe('no look-ahead', () => {
  it('serves the same bytes for 50 instants, whether the future is known to the state or not', () => {
    const growing = new MacroState();
    let taken = 0;
    for (const at of instants) {
      const from = taken;
      while (taken < facts.length && facts[taken]!.knownAt <= at) taken += 1;
      growing.take(facts.slice(from, taken));
      expect(served(growing, at) === served(full, at), `at ${at}`).toBe(true);
    }
  }, 120_000);

  it('serves the same bytes from a state that begins at the instant, and from one that has gone past it', () => {
    const past = new MacroState();
    past.take(facts);
    past.frame(TO * DAY);
    for (const at of [instants[47]!, instants[20]!, instants[3]!]) {
      const fresh = new MacroState();
      fresh.take(upTo(at));
      const bytes = served(fresh, at);
      expect(bytes === served(full, at), `at ${at}`).toBe(true);
      expect(bytes === served(past, at), `back at ${at}`).toBe(true);
    }
  }, 120_000);

  it('does not change when the future is poisoned', () => {
    const at = instants[25]!;
    const poisoned = facts.map((fact): Fact => {
      if (fact.knownAt <= at) return fact;
      if (fact.body.kind === 'series')
        return { ...fact, body: { ...fact.body, value: -1e6 * random.normal() } };
      if (fact.body.kind === 'price')
        return { ...fact, body: { ...fact.body, close: 1 + 1e5 * random.uniform() } };
      return fact;
    });
    const state = new MacroState();
    state.take(poisoned);
    state.frame(TO * DAY);
    expect(served(state, at) === served(full, at)).toBe(true);
  }, 120_000);
});

describe('any order', () => {
  it('comes to the same bytes when facts arrive late and shuffled, with frames asked for in between', () => {
    const end = dayOf(2019, 6, 3) * DAY;
    const known = upTo(end);
    const shuffled = seededRandom('shuffle').shuffle(known);
    const state = new MacroState();
    const third = Math.ceil(shuffled.length / 3);
    for (let i = 0; i < shuffled.length; i += third) {
      state.take(shuffled.slice(i, i + third));
      state.frame(end - 100 * DAY);
    }
    expect(served(state, end) === served(full, end)).toBe(true);
  }, 120_000);

  it('takes term counts from elsewhere as it takes posts', () => {
    const at = dayOf(2020, 6, 3) * DAY;
    const counts = new MacroState();
    counts.take(upTo(at).filter(({ body }) => body.kind !== 'post'));
    const posts = new MacroState();
    posts.take(upTo(at).filter(({ body }) => body.kind === 'post'));
    counts.takeTermCounts(posts.termCounts());
    expect(counts.frame(at)).toEqual(full.frame(at));
  }, 60_000);
});

describe('frames', () => {
  it('add up: gauges to the market score, probabilities and weights to one', () => {
    for (const at of instants) {
      const { gauges, marketScore, regime, coverage } = full.frame(at);
      let sum = 0;
      let weight = 0;
      gauges.forEach(({ value }, f) => {
        if (value === null) return;
        sum += FAMILY_WEIGHTS[f]! * value;
        weight += FAMILY_WEIGHTS[f]!;
      });
      expect(Math.abs(sum / weight - marketScore!)).toBeLessThanOrEqual(0.005 + 1e-9);
      const shares = Object.values(regime.probabilities ?? { none: 1 });
      expect(shares.reduce((total, share) => total + share, 0)).toBeCloseTo(1, 4);
      const { live, delayed, stale, warming, unavailable } = coverage;
      expect(live + delayed + stale + warming + unavailable).toBe(62);
    }
  });

  it('give every asset drivers that give back its integer, and an entry that was its score then', () => {
    for (const at of instants.slice(0, 10)) {
      const frame = full.frame(at);
      for (const { ticker, score, entryValue, topDrivers } of full.scoreAll(frame)) {
        const drivers = full.drivers(frame, ticker)!;
        expect(scoreFromDrivers(drivers)).toBe(score);
        expect(drivers.slice(0, 8)).toEqual(topDrivers);
        const entered = full.frame(stepOf(full.stepAt(at)!.labelSince));
        expect(full.scoreAsset(entered, ticker)!.score).toBe(entryValue);
      }
    }
  }, 60_000);

  it('notice a revision, and only from its release on', () => {
    const revision = facts.find(
      ({ body, knownAt }) =>
        body.kind === 'series' &&
        body.series === 'PAYEMS' &&
        body.date === '2020-02-01' &&
        knownAt > dayOf(2020, 3, 10) * DAY,
    )!;
    const before = full.detail('PAYROLL', revision.knownAt - 1, 3)!;
    const after = full.detail('PAYROLL', revision.knownAt, 3)!;
    expect(before.reading.observedOn).toBe('2020-02-01');
    expect(after.reading.observedOn).toBe('2020-03-01');
    const release = full
      .releases(revision.knownAt - 1, revision.knownAt)
      .find(({ symbol }) => symbol === 'PAYROLL')!;
    expect(release).toMatchObject({ observedOn: '2020-03-01', priorRevised: true });
    expect(release.zBefore).not.toBe(release.zAfter);
  });

  it('name their model by one fingerprint', () => {
    expect(modelReceipt()).toEqual({
      version: '1.0.0',
      config: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  it('tell what changed between two of them', () => {
    const kinds = new Set<string>();
    for (let day = dayOf(2018, 6, 1); day < dayOf(2020, 6, 1); day += 1) {
      const [before, after] = [full.frame((day - 1) * DAY), full.frame(day * DAY)];
      for (const change of changesBetween(before, after)) {
        kinds.add(change.kind);
        expect(change.from).not.toBe(change.to);
      }
    }
    expect([...kinds].sort()).toEqual([
      'band_cross',
      'gauge_signal',
      'narrative_state',
      'regime_change',
      'release',
      'wind_flip',
    ]);
    expect(changesBetween(full.frame(instants[9]!), full.frame(instants[9]!))).toEqual([]);
  });
});

describe('absence', () => {
  const at = dayOf(2020, 6, 3) * DAY;

  it('makes an index unavailable and leaves the rest with lower coverage', () => {
    const gone = new Set(['VIXCLS', 'CPIAUCSL', 'OFRFSI', 'CBBTCUSD', 'LLAMA:STABLES']);
    const state = new MacroState();
    state.take(upTo(at).filter(({ body }) => body.kind !== 'series' || !gone.has(body.series)));
    const frame = state.frame(at);
    const missing = frame.indexes
      .filter(({ status }) => status === 'unavailable')
      .map(({ symbol }) => symbol);
    // CYCDEF: this world has neither its funds nor twenty stocks of a sector to stand in for them.
    expect(missing).toEqual(['VIX', 'VIXTERM', 'OFRFSI', 'CPI', 'CYCDEF', 'STABLES', 'BTCTREND']);
    expect(frame.coverage.share).toBeLessThan(full.frame(at).coverage.share);
    expect(frame.gauges.at(-1)).toMatchObject({
      key: 'crypto',
      value: null,
      signal: 'unavailable',
      weight: null,
    });
    expect(frame.marketScore).not.toBeNull();
    const score = state.scoreAsset(frame, STOCKS[3]!.ticker)!;
    expect(score.score).not.toBeNull();
    expect(score.coverage).toBeLessThan(1);
    const gaps = briefingAt(state, at).health.gaps.map(({ symbol }) => symbol);
    expect(gaps).toEqual(expect.arrayContaining(missing));
  }, 60_000);

  it('decays and then drops a series that has stopped', () => {
    const stopped = dayOf(2020, 3, 2) * DAY;
    const state = new MacroState();
    state.take(
      upTo(at).filter(
        ({ body, knownAt }) => body.kind !== 'series' || body.series !== 'NFCI' || knownAt < stopped,
      ),
    );
    const status = (day: number): string =>
      state.frame(day * DAY).indexes.find(({ symbol }) => symbol === 'NFCI')!.status;
    expect(status(dayOf(2020, 3, 3))).toBe('live');
    expect(status(dayOf(2020, 3, 12))).toBe('delayed');
    expect(status(dayOf(2020, 5, 20))).toBe('stale');
  }, 60_000);

  it('falls back to the monthly copper price, and to the sectors’ stocks, where funds have no prices', () => {
    const sectors = ['Consumer Discretionary', 'Consumer Staples'];
    const stocks = sectors.flatMap((sector, i) =>
      Array.from({ length: 20 }, (_, n) => ({ ticker: `${'XY'[i]}${n}`, sector, beta: 1, spread: 0.014 })),
    );
    const returns = economyReturns(SEED, FROM, Math.floor(at / DAY));
    const state = new MacroState();
    const prices = ['SPY', 'GLD'].map((ticker) => ECONOMY_FUNDS.find((fund) => fund.ticker === ticker)!);
    state.take(upTo(at).filter(({ body }) => body.kind === 'series'));
    state.take([...prices, ...stocks].flatMap((asset, i) => assetFacts(returns, asset, 1e6 + 1e4 * i)));
    const found = Object.fromEntries(
      state
        .frame(at)
        .indexes.map(({ symbol, status, frequency, isFallback }) => [
          symbol,
          `${status} ${frequency}${isFallback ? ' fallback' : ''}`,
        ]),
    );
    expect(found).toMatchObject({
      COPPER: 'live M fallback',
      COPGOLD: 'live M fallback',
      EQWCAP: 'live D fallback',
      CYCDEF: 'live D fallback',
      VIX: 'live D',
    });
  }, 60_000);

  it('scores a listed asset without prices by its sector alone, and says nothing of one without either', () => {
    const state = new MacroState();
    const listing = (ticker: string, sector: string | null): Fact => ({
      sequence: 1,
      knownAt: FROM * DAY,
      effectiveAt: FROM * DAY,
      source: 'test',
      backfilled: true,
      body: { kind: 'asset', ticker, name: ticker, sector, assetKind: 'common' },
    });
    state.take([...upTo(at), listing('OILY', 'Energy'), listing('BLANK', null)]);
    const frame = state.frame(at);
    const oily = state.scoreAsset(frame, 'OILY')!;
    expect(oily).toMatchObject({ basis: 'prior', sector: 'Energy' });
    expect(oily.score).toBeGreaterThanOrEqual(0);
    expect(oily.confidence).toBeLessThanOrEqual(35);
    expect(scoreFromDrivers(state.drivers(frame, 'OILY')!)).toBe(oily.score);
    expect(state.scoreAsset(frame, 'BLANK')).toMatchObject({ score: null, confidence: 0, topDrivers: [] });
    expect(state.scoreAsset(frame, 'NOBODY')).toBeNull();
    expect(state.themes(frame, 'NOBODY')).toBeNull();
  }, 60_000);

  it('is all warming, and nothing is a zero, before anything is known', () => {
    const state = new MacroState();
    const frame = state.frame(at);
    expect(frame).toMatchObject({ marketScore: null, freshness: 'warming', newestKnownAt: null });
    expect(frame.regime).toMatchObject({ label: 'Warming', since: null, probabilities: null });
    expect(frame.narratives.every(({ state: s, score }) => s === 'Warming' && score === null)).toBe(true);
    expect(frame.coverage).toMatchObject({ unavailable: 62, share: 0 });
  });

  it('is stale, not warming, when everything has ended', () => {
    const evening = (year: number, month: number, date: number): Instant =>
      dayOf(year, month, date) * DAY + 22 * HOUR;
    const state = new MacroState();
    state.take(upTo(evening(2020, 6, 3)).filter(({ body }) => body.kind === 'series'));
    // What comes out every day was due on Thursday, the 4th; the weekend is no delay.
    const found = [3, 5, 7, 8, 9, 10].map((date) => state.frame(evening(2020, 6, date)).freshness);
    expect(found).toEqual(['live', 'live', 'live', 'delayed', 'delayed', 'stale']);
    const frame = state.frame(evening(2022, 6, 1));
    expect(frame).toMatchObject({ freshness: 'stale', marketScore: null });
    expect(frame.coverage).toMatchObject({ live: 0, delayed: 0, share: 0 });
    expect(frame.coverage.stale).toBeGreaterThan(40);
    expect(frame.regime).toMatchObject({ label: 'Warming', probabilities: null });
    expect(frame.narratives.every(({ state: s, score }) => s === 'Warming' && score === null)).toBe(true);
  }, 60_000);

  it('passes over what cannot be true', () => {
    const state = new MacroState();
    const stamp = { sequence: 1, knownAt: at, effectiveAt: at, source: 'test', backfilled: false };
    state.take([
      { ...stamp, body: { kind: 'series', series: 'DGS10', date: '9999-12-31', value: 4 } },
      { ...stamp, body: { kind: 'series', series: 'DGS10', date: '2020-06-31', value: 4 } },
      { ...stamp, body: { kind: 'series', series: 'DGS10', date: '2020-06-01', value: Number.NaN } },
      { ...stamp, body: { kind: 'series', series: 'NO SUCH SERIES', date: '2020-06-01', value: 4 } },
    ]);
    expect(state.frame(at).coverage.unavailable).toBe(62);
  });
});

describe('themes', () => {
  it('follow from exposure and strength, the told ones first', () => {
    for (const at of instants.slice(-5)) {
      const frame = full.frame(at);
      for (const ticker of ['XLE', 'XLF', STOCKS[1]!.ticker]) {
        const themes = full.themes(frame, ticker)!;
        expect(themes.length).toBeLessThanOrEqual(8);
        let asleep = false;
        for (const { impact, exposure, score, direction, state } of themes) {
          expect(impact).toBeCloseTo((exposure * (score - 50)) / 50, 3);
          expect(Math.abs(impact)).toBeGreaterThanOrEqual(0.05);
          expect(direction).toBe(exposure > 0 ? 'tailwind' : 'headwind');
          if (asleep) expect(state).toBe('Dormant');
          asleep ||= state === 'Dormant';
        }
      }
    }
  });
});

describe('briefing', () => {
  it('has the facts of the day and fits on a page', () => {
    for (const at of [instants[10]!, instants[30]!, dayOf(2021, 3, 12) * DAY + 15 * HOUR]) {
      const briefing = briefingAt(full, at);
      expect(briefing.gauges).toHaveLength(14);
      expect(briefing.sectors).toHaveLength(11);
      expect(briefing.sectors.every(({ score }) => score !== null)).toBe(true);
      expect(briefing.fingerprint).toBe(full.frame(at).fingerprint);
      expect(briefing.moves.up.length).toBeGreaterThan(0);
      for (const { dueAt } of briefing.calendar) expect(dueAt).toBeGreaterThan(at);
      for (const { releasedAt } of briefing.releases) expect(releasedAt).toBeLessThanOrEqual(at);
      const text = briefingMarkdown(briefing);
      expect(text).toContain(briefing.regime.label);
      expect(text.split(/\s+/).length).toBeLessThanOrEqual(400);
      expect(text).not.toMatch(/\b(buy|sell|should|recommend|target price|expect)\b/i);
    }
  });

  it('knows its edition', () => {
    const at = (hour: number): string =>
      briefingAt(full, dayOf(2021, 3, 10) * DAY + (hour + 5) * HOUR).edition;
    expect([at(6), at(9), at(17)]).toEqual(['am', 'update', 'close']);
  });
});
