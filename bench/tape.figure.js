// The archive on disk and its reads of the past: ticker at T, board at T, bytes per ticker and cycle.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sealFrame } from '../dist/domain/facts/seal.js';
import { roundSignificant } from '../dist/kernel/fingerprint.js';
import { DAY, HOUR, SECOND } from '../dist/kernel/instant.js';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';
import { sqliteStore } from '../dist/storage/sqlite/archive.js';
import { denominatorsOf, inTemporaryFolder, percentile, tickerNames } from './measuring.js';

const START = 20_000 * DAY;

/** Frames in which attention decays, is refreshed at random, and ranks move: nearly every row changes every cycle. */
function tapeWriter(tickers, random) {
  const activity = tickers.map(() => 5 + 200 * random.uniform() ** 4);
  const denominators = denominatorsOf(tickers, START);
  const digits = (value) => roundSignificant(value, 6);
  return (at, sequence) => {
    const total = activity.reduce((sum, value) => sum + value, 0);
    const order = activity
      .map((value, i) => [value / denominators[i].usdBillions, i])
      .sort((a, b) => b[0] - a[0]);
    const rank = new Int32Array(tickers.length);
    order.forEach(([, i], place) => {
      rank[i] = place + 1;
    });
    const rows = tickers.map((ticker, slot) => {
      activity[slot] = Math.max(
        0.01,
        activity[slot] * 0.9995 + (random.uniform() < 0.05 ? random.uniform() * 3 : 0),
      );
      return {
        slot,
        ticker,
        rank: rank[slot],
        state: 'ranked',
        band: 'normal',
        activity: digits(activity[slot]),
        density: digits(activity[slot] / denominators[slot].usdBillions),
        share: digits((100 * activity[slot]) / total),
        velocity: digits(Math.log2(activity[slot] + 0.5)),
        surprise: digits(Math.abs(Math.sin(activity[slot]))),
        independence: digits(0.5 + 0.4 * Math.cos(slot)),
        entityPrecision: 0.93,
        ambiguous: false,
        posts: Math.round(activity[slot] * 1.3),
        authors: Math.round(activity[slot]),
        narratives: Math.round(activity[slot] * 0.8),
        denominator: denominators[slot],
      };
    });
    const header = {
      at,
      cycleSeconds: 15,
      highWater: sequence,
      newestKnownAt: at,
      postsUsed: 1,
      postsBackfilled: 0,
      rowCount: rows.length,
      sourceSet: { version: 1, sources: ['bench'], warming: [], level: 1 },
    };
    return sealFrame(header, rows);
  };
}

async function fill(folder, name, tickerCount, cycles) {
  const file = join(folder, `${name}.sqlite`);
  let now = START;
  const store = sqliteStore({ file, clock: () => now });
  const writer = await store.openWriter();
  const tickers = tickerNames(tickerCount);
  await writer.assignSlots(tickers);
  const write = tapeWriter(tickers, seededRandom(`tape ${name}`));
  for (let i = 0; i < cycles; i++) {
    now = START + i * 15 * SECOND;
    await writer.appendFrame(write(now, i));
  }
  await writer.close();
  return { store, file, tickers, last: now };
}

async function timedReads({ store, tickers, last }, count, read) {
  const random = seededRandom('reads');
  const archive = await store.openReader();
  const times = [];
  for (let i = 0; i < count; i++) {
    const at = START + Math.floor((random.uniform() * (last - START)) / (15 * SECOND)) * 15 * SECOND;
    const ticker = tickers[random.integer(0, tickers.length - 1)];
    const startedAt = performance.now();
    await read(archive, at, ticker);
    if (i >= count / 10) times.push(performance.now() - startedAt);
  }
  await archive.close();
  return times;
}

const tickerAt = async (archive, at, ticker) => {
  const frame = await archive.frameAt(at);
  const row = await archive.rowAt(frame.at, ticker);
  if (row?.ticker !== ticker) throw new Error('the row is missing');
};
const boardAt = async (archive, at) => {
  const frame = await archive.frameAt(at);
  const rows = await archive.boardAt(frame.at);
  if (rows?.length !== frame.rowCount) throw new Error('rows are missing');
};

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    const day = await fill(folder, 'day', 1_000, (24 * HOUR) / (15 * SECOND));
    const bytes = (await stat(day.file)).size / (1_000 * ((24 * HOUR) / (15 * SECOND)));
    figure('tape-bytes', `${bytes.toFixed(1)} bytes per ticker and cycle`, '40', bytes <= 40);

    const small = await fill(folder, 'small', 1_000, 1_000);
    const large = await fill(folder, 'large', 1_000, 10_000);
    const few = percentile(await timedReads(small, 20_000, tickerAt), 0.99);
    const many = percentile(await timedReads(large, 20_000, tickerAt), 0.99);
    figure('ticker-at', `p99 ${many.toFixed(3)} ms in 10 million rows`, '1 ms', many <= 1);
    figure(
      'ticker-at-growth',
      `${(many / few).toFixed(2)}× the p99 in 1 million rows`,
      '1.5×',
      many / few <= 1.5,
    );

    const wide = await fill(folder, 'wide', 10_000, 200);
    const boards = percentile(await timedReads(wide, 400, boardAt), 0.99);
    figure('board-at', `p99 ${boards.toFixed(1)} ms for 10,000 tickers`, '20 ms', boards <= 20);
  });
}
