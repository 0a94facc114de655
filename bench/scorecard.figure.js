// The scorecard of one year recomputed from the tape on disk, and how its cost grows with the tickers.
import { join } from 'node:path';
import { plantedMarket } from '../dist/connectors/fixture/planted-signal.js';
import { sealFrame } from '../dist/domain/facts/seal.js';
import { DAY, HOUR, MINUTE, SECOND } from '../dist/kernel/instant.js';
import { pacedBy } from '../dist/pipeline/paced.js';
import { study } from '../dist/pipeline/validation-study.js';
import { sqliteStore } from '../dist/storage/sqlite/archive.js';
import { inTemporaryFolder } from './measuring.js';

const SESSIONS = 252;

/** A year as a recorder would have left it: the frame before each close, and the closes. */
async function fill(folder, names) {
  const market = plantedMarket({ seed: `bench ${names}`, names, sessions: SESSIONS, ic: 0.03 });
  let now = market.sessions[0].frameAt - DAY;
  const store = sqliteStore({ file: join(folder, `${names}.sqlite`), clock: () => now });
  const writer = await store.openWriter();
  await writer.append({
    facts: market.tickers.map((ticker) => ({
      source: 'bench',
      effectiveAt: now,
      body: {
        kind: 'asset',
        ticker,
        name: ticker,
        sector: market.sectorOf.get(ticker),
        assetKind: 'equity',
      },
    })),
  });
  await writer.assignSlots(market.tickers);
  for (const { frameAt, closeAt, rows, prices } of market.sessions) {
    now = frameAt + SECOND;
    const { highWater } = await writer.extent();
    const header = {
      at: frameAt,
      cycleSeconds: 15,
      highWater,
      newestKnownAt: frameAt,
      postsUsed: 1,
      postsBackfilled: 0,
      rowCount: rows.length,
      sourceSet: { version: 1, sources: ['bench'], warming: [], level: 1 },
    };
    await writer.appendFrame(sealFrame(header, rows));
    now = closeAt + MINUTE;
    await writer.append({ facts: prices.map((body) => ({ source: 'bench', effectiveAt: closeAt, body })) });
  }
  await writer.close();
  return { store, asOf: market.sessions.at(-1).closeAt + 13 * HOUR };
}

async function seconds({ store, asOf }) {
  const archive = await store.openReader();
  const startedAt = process.cpuUsage();
  const { scorecard } = await study({ archive, asOf, codeVersion: 'bench', pace: pacedBy() });
  const { user, system } = process.cpuUsage(startedAt);
  await archive.close();
  if (scorecard.hypotheses.length !== 72 || scorecard.tape.sections !== SESSIONS)
    throw new Error('the scorecard is not whole');
  return (user + system) / 1e6;
}

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const year = await fill(folder, 1_000);
    await seconds(year);
    const once = await seconds(year);
    figure(
      'scorecard',
      `${once.toFixed(1)} s of one core for a year of 1,000 tickers, 12 signals, 3 horizons, 2 targets`,
      '60 s',
      once <= 60,
    );
    const twice = await seconds(await fill(folder, 2_000));
    figure(
      'scorecard-growth',
      `${(twice / once).toFixed(2)}× for twice the tickers`,
      '2.3×',
      twice / once <= 2.3,
    );
  });
}
