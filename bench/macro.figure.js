// The macro engine: one instant, five thousand assets, growth with assets and history, and twenty years of weeks.

import { ECONOMY_FUNDS } from '../dist/connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../dist/connectors/fixture/economy/returns.js';
import { economyFacts } from '../dist/connectors/fixture/economy/stamped-facts.js';
import { UNIVERSE } from '../dist/connectors/fixture/universe.js';
import { closeOf } from '../dist/domain/facts/trading-days.js';
import { MacroState } from '../dist/domain/macro/macro-state.js';
import { DAY, formatDay, HOUR, MINUTE, systemClock } from '../dist/kernel/instant.js';
import { dayOf } from '../dist/kernel/new-york-time.js';
import { replayMacro } from '../dist/pipeline/replay-macro.js';
import { sqliteStore } from '../dist/storage/sqlite/archive.js';
import { inTemporaryFolder, percentile } from './measuring.js';

const TO = dayOf(2024, 6, 3);
const AT = TO * DAY + 15 * HOUR;
const YEAR = 365.25;
const SECTORS = [...new Set(UNIVERSE.flatMap(({ sector }) => (sector === null ? [] : [sector])))];

/** CPU time, which other work on the machine disturbs least. */
function milliseconds(work) {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

/** Assets with weekly closes, which is what exposures are measured on, made quickly: fifty real ones, repeated. */
function* closes(assets, fromDay) {
  const returns = economyReturns(1, fromDay, TO);
  const kinds = Array.from({ length: Math.min(assets, 50) }, (_, i) => ({
    ticker: `K${i}`,
    sector: SECTORS[i % SECTORS.length],
    beta: 0.6 + (i % 9) / 6,
    spread: 0.014,
  }));
  const made = [...ECONOMY_FUNDS, ...kinds].map((asset) => ({ asset, moves: returns.of(asset) }));
  for (let i = 0; i < assets + ECONOMY_FUNDS.length; i++) {
    const isFund = i < ECONOMY_FUNDS.length;
    const { asset, moves } = made[isFund ? i : ECONOMY_FUNDS.length + (i % kinds.length)];
    const ticker = isFund ? asset.ticker : `A${i}`;
    const listed = fromDay * DAY;
    yield {
      knownAt: listed,
      effectiveAt: listed,
      body: { kind: 'asset', ticker, name: ticker, sector: asset.sector, assetKind: 'common' },
    };
    let level = Math.log(100);
    for (let d = 0; d < returns.days.length; d++) {
      level += moves[d];
      const day = returns.days[d];
      if (!isFund && returns.days[d + 1] - day < 3) continue;
      const close = Math.exp(level);
      const effectiveAt = closeOf(day);
      yield {
        knownAt: effectiveAt + 15 * MINUTE,
        effectiveAt,
        body: {
          kind: 'price',
          ticker,
          date: formatDay(day * DAY),
          open: close,
          high: close,
          low: close,
          close,
          volume: 1,
        },
      };
    }
  }
}

function* batches(facts, size) {
  let batch = [];
  for (const fact of facts) {
    batch.push(fact);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function filled({ assets, years, priceYears }) {
  const state = new MacroState();
  state.take(economyFacts(1, TO - Math.round(years * YEAR), TO));
  let sequence = 1e7;
  for (const batch of batches(closes(assets, TO - Math.round(priceYears * YEAR)), 20_000))
    state.take(batch.map((fact) => ({ ...fact, sequence: ++sequence, source: 'bench', backfilled: true })));
  return state;
}

/** Median over instants a quarter of an hour apart, within one week. */
function steadily(work) {
  const times = Array.from({ length: 9 }, (_, i) => milliseconds(() => work(AT + i * 15 * MINUTE)));
  return percentile(times.slice(2), 0.5);
}

const scoring = (assets) => {
  const state = filled({ assets, years: 4, priceYears: 3.2 });
  state.scoreAll(state.frame(AT - MINUTE));
  return steadily((at) => {
    const frame = state.frame(at);
    state.scoreAll(frame);
  });
};

/** From facts to the first frame. */
const opening = (years) => milliseconds(() => filled({ assets: 0, years, priceYears: 1 }).frame(AT));

async function replayed(folder) {
  const archive = await sqliteStore({ file: `${folder}/archive.sqlite`, clock: systemClock }).openWriter();
  const from = TO - Math.round(20 * YEAR);
  const reports = (facts) =>
    facts.map(({ knownAt, effectiveAt, body }) => ({
      source: 'bench',
      effectiveAt,
      releasedAt: knownAt,
      body,
    }));
  for (const batch of batches(economyFacts(1, from, TO), 10_000))
    await archive.append({ facts: reports(batch) });
  for (const batch of batches(closes(500, from), 10_000)) await archive.append({ facts: reports(batch) });
  const startedAt = performance.now();
  let editions = 0;
  const span = { from: from * DAY + 12 * HOUR, to: AT, everySeconds: 7 * 86_400 };
  for await (const { stated } of replayMacro(archive, span)) if (stated) editions++;
  const seconds = (performance.now() - startedAt) / 1000;
  await archive.close();
  return { editions, seconds };
}

export async function run(figure) {
  const state = filled({ assets: 0, years: 20, priceYears: 15 });
  state.frame(AT - MINUTE);
  const frame = steadily((at) => state.frame(at));
  figure(
    'macro-frame',
    `${frame.toFixed(1)} ms for 62 indexes, 14 gauges, the regime and 33 narratives of an instant`,
    '50 ms',
    frame <= 50,
  );

  const half = scoring(2_500);
  const whole = scoring(5_000);
  figure('macro-scores', `${whole.toFixed(0)} ms for 5,000 assets`, '250 ms', whole <= 250);
  figure(
    'macro-linear-assets',
    `${(whole / half).toFixed(2)}× for twice the assets`,
    '2.2×',
    whole / half <= 2.2,
  );

  opening(5);
  const growth = opening(20) / opening(10);
  figure('macro-linear-history', `${growth.toFixed(2)}× for twice the history`, '2.2×', growth <= 2.2);

  const { editions, seconds } = await inTemporaryFolder(replayed);
  figure(
    'macro-replay',
    `${seconds.toFixed(0)} s for ${editions} weekly editions over 20 years with 500 assets`,
    '60 s',
    seconds <= 60 && editions > 1_000,
  );
}
