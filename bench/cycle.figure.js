// One cycle over 10,000 tickers with a million posts in the window, and how the cost grows.
import { AttentionState } from '../dist/domain/attention/attention-state.js';
import { DAY, HOUR, SECOND } from '../dist/kernel/instant.js';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';
import { percentile, tickerNames } from './measuring.js';

const AT = 20_000 * DAY + 13 * HOUR;

function world(tickerCount, postCount) {
  const random = seededRandom(`cycle ${tickerCount}`);
  const state = new AttentionState(AT);
  const tickers = tickerNames(tickerCount);
  let sequence = 0;
  const stamp = (knownAt) => ({
    sequence: ++sequence,
    knownAt,
    effectiveAt: knownAt,
    source: 'bench',
    backfilled: false,
  });
  const facts = [];
  for (const ticker of tickers) {
    facts.push({
      ...stamp(AT - 40 * DAY),
      body: { kind: 'asset', ticker, name: ticker, sector: null, assetKind: 'common' },
    });
    facts.push({
      ...stamp(AT - 40 * DAY),
      body: { kind: 'shares', ticker, shares: 1e8, basis: 'consolidated' },
    });
    facts.push({
      ...stamp(AT - DAY),
      body: { kind: 'price', ticker, date: '2024-10-03', open: 9, high: 11, low: 9, close: 10, volume: 1 },
    });
  }
  const post = (knownAt) => ({
    ...stamp(knownAt),
    body: {
      kind: 'post',
      mentions: [{ ticker: tickers[Math.floor(random.uniform() ** 2 * tickerCount)], form: 'tagged' }],
      author: random.integer(1, postCount >> 2),
      narrative: random.integer(1, postCount >> 1),
      providerTags: true,
      financeContext: true,
    },
  });
  state.take(facts);
  for (let i = 0; i < postCount; i += 10_000) {
    state.take(Array.from({ length: 10_000 }, (_, j) => post(AT - DAY + ((i + j) / postCount) * DAY)));
  }
  return {
    state,
    tickers,
    post,
    perCycle: Math.round((postCount * 15 * SECOND) / DAY),
    highWater: () => sequence,
  };
}

/** Cycles in steady state: as many posts come as go. */
function cycles({ state, tickers, post, perCycle, highWater }, count) {
  const times = [];
  for (let i = 0; i <= count; i++) {
    const at = AT + i * 15 * SECOND;
    if (i > 0)
      state.take(Array.from({ length: perCycle }, (_, j) => post(at - ((j + 1) / perCycle) * 15 * SECOND)));
    const startedAt = performance.now();
    state.frame({ at, cycleSeconds: 15, highWater: highWater(), tickers });
    if (i > 3) times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}

export async function run(figure) {
  const half = cycles(world(5_000, 500_000), 40);
  const whole = cycles(world(10_000, 1_000_000), 40);
  figure('cycle', `${whole.toFixed(0)} ms for 10,000 tickers and 1 million posts`, '300 ms', whole <= 300);
  figure(
    'cycle-growth',
    `${(whole / half).toFixed(2)}× for twice the tickers and posts`,
    '2.2×',
    whole / half <= 2.2,
  );
}
