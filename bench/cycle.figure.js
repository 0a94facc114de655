// One cycle over 10,000 tickers with a million posts in the window, and how the cost grows.
import { AttentionState } from '../dist/domain/attention/attention-state.js';
import { frameSignals } from '../dist/domain/attention/signals.js';
import { DAY, HOUR, SECOND } from '../dist/kernel/instant.js';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';
import { Patrol } from '../dist/pipeline/patrol.js';
import { memoryStore } from '../dist/storage/memory/archive.js';
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
      objects: [],
      authorCreatedAt: knownAt - 900 * DAY,
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

/**
 * The same boundaries measured twice: density, rank and share alone, and then with velocity, surprise, bands, signals and
 * the patrol that measures coordination and seals verdicts.
 */
async function wholeCycles({ state, tickers, post, perCycle, highWater }, count) {
  const store = await memoryStore({ clock: () => AT }).openReader();
  const patrol = await Patrol.resume(
    {
      state,
      policy: { caution: 0.5, veto: 0.7, secret: '0'.repeat(64) },
      salt: () => new Uint8Array(32),
      cycleSeconds: 15,
    },
    store,
    AT,
  );
  const unmeasured = { anomaly: { surprise: [], level: [], hoursObserved: 0 }, velocities: [] };
  const historyAt = state.history.at.bind(state.history);
  const [bare, whole] = [[], []];
  let previous = null;
  for (let i = 0; i <= count; i++) {
    const at = AT + (50 + i) * 15 * SECOND;
    state.take(Array.from({ length: perCycle }, (_, j) => post(at - ((j + 1) / perCycle) * 15 * SECOND)));
    const boundary = { at, cycleSeconds: 15, highWater: highWater(), tickers };
    // Half a cycle earlier, so that neither finds the other's work done.
    state.history.at = () => unmeasured;
    let startedAt = performance.now();
    state.frame({ ...boundary, at: at - 7 * SECOND });
    if (i > 3) bare.push(performance.now() - startedAt);
    state.history.at = historyAt;
    startedAt = performance.now();
    const frame = state.frame(boundary);
    frameSignals(previous, frame, (ticker) => state.isFirst(ticker, at));
    patrol.walk(frame, highWater());
    if (i > 3) whole.push(performance.now() - startedAt);
    previous = frame;
  }
  return { bare: percentile(bare, 0.5), whole: percentile(whole, 0.5) };
}

export async function run(figure) {
  const half = cycles(world(5_000, 500_000), 40);
  const large = world(10_000, 1_000_000);
  const whole = cycles(large, 40);
  figure('cycle', `${whole.toFixed(0)} ms for 10,000 tickers and 1 million posts`, '300 ms', whole <= 300);
  figure(
    'cycle-growth',
    `${(whole / half).toFixed(2)}× for twice the tickers and posts`,
    '2.2×',
    whole / half <= 2.2,
  );
  const all = await wholeCycles(large, 40);
  figure(
    'cycle-whole',
    `${all.whole.toFixed(0)} ms with every KPI, bands, realness and signals, ${(all.whole / all.bare).toFixed(2)}× of density alone`,
    '2×',
    all.whole <= 2 * all.bare,
  );
}
