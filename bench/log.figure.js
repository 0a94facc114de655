// The log: what a cycle pays to be provable, and what a receipt from a log of five million leaves costs.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Checkpoints } from '../dist/answers/evidence/checkpoints.js';
import { Evidence } from '../dist/answers/evidence/evidence.js';
import { sealFrame } from '../dist/domain/facts/seal.js';
import { checkReceipt } from '../dist/domain/validation/receipt-verdict.js';
import { roundSignificant } from '../dist/kernel/fingerprint.js';
import { DAY, LATEST, SECOND } from '../dist/kernel/instant.js';
import { formatVerifierKey, privateKeyFromSeed, verifierKey } from '../dist/kernel/signed-note.js';
import { seededRandom } from '../dist/kernel/statistics/seeded-random.js';
import { FrameLog } from '../dist/pipeline/frame-log.js';
import { sqliteStore } from '../dist/storage/sqlite/archive.js';
import { denominatorsOf, inTemporaryFolder, percentile, tickerNames } from './measuring.js';

const START = 20_000 * DAY;
const ROWS = 5_000;
const LEAVES = 5_000_000;
const ISLANDS = 20;
const CHUNK = 2 ** 15;
const LEVEL = 2 ** 47;
const SIGNER = { name: 'bench.example/log', privateKey: privateKeyFromSeed(Buffer.alloc(32, 1)) };
const KEY = formatVerifierKey(verifierKey(SIGNER.name, SIGNER.privateKey));

/** Frames in which every row changes. */
function frameMaker(tickers, random) {
  const denominators = denominatorsOf(tickers, START);
  const digits = () => roundSignificant(100 * random.uniform() + 0.001, 6);
  return (at, highWater) => {
    const rows = tickers.map((ticker, slot) => ({
      slot,
      ticker,
      rank: slot + 1,
      state: 'ranked',
      band: 'normal',
      activity: digits(),
      density: digits(),
      share: digits(),
      velocity: digits(),
      surprise: digits(),
      independence: digits(),
      entityPrecision: 0.93,
      ambiguous: false,
      posts: 30,
      authors: 20,
      narratives: 10,
      denominator: denominators[slot],
    }));
    const header = {
      at,
      cycleSeconds: 15,
      highWater,
      newestKnownAt: at,
      postsUsed: 1,
      postsBackfilled: 0,
      rowCount: rows.length,
      sourceSet: { version: 1, sources: ['bench'], warming: [], level: 1 },
    };
    return sealFrame(header, rows);
  };
}

async function cycle(folder, figure) {
  let now = START;
  const store = sqliteStore({ file: join(folder, 'cycle.sqlite'), clock: () => now });
  const writer = await store.openWriter();
  const tickers = tickerNames(ROWS);
  await writer.assignSlots(tickers);
  const frameAt = frameMaker(tickers, seededRandom('log cycle'));
  const log = await FrameLog.resume(writer, { verifierKey: KEY, now });
  const times = [];
  for (let i = 0; i < 40; i++) {
    now += 15 * SECOND;
    const frame = frameAt(now, i);
    const startedAt = performance.now();
    await writer.state(log.statements(frame, [], tickers));
    if (i > 3) times.push(performance.now() - startedAt);
  }
  await writer.close();
  const median = percentile(times, 0.5);
  figure(
    'log-cycle',
    `${median.toFixed(0)} ms for ${ROWS.toLocaleString('en')} rows, all changed`,
    '150 ms',
    median <= 150,
  );
}

/** Grows the tree to `size` straight in the table. Nobody will ask for these leaves themselves, only for hashes above them. */
function* filled(file, { from, to, knownAt }) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const insert =
    database.prepare(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
    INSERT INTO tree_node SELECT ? + i, substr(?, i * 32 + 1, 32) FROM n`);
  const read = database.prepare('SELECT hash FROM tree_node WHERE place = ?');
  const input = Buffer.alloc(65, 1);
  const node = (level, index) => read.get(level * LEVEL + index).hash;
  for (let first = from; first < to; first += CHUNK) {
    const last = Math.min(to, first + CHUNK);
    let row = Buffer.alloc((last - first) * 32);
    for (let i = first; i < last; i++)
      row.write(hash('sha256', `filler ${i}`, 'binary'), (i - first) * 32, 'latin1');
    // Level by level: the nodes that this chunk completes, the first of which may have its left half from before.
    for (let level = 0, begin = first, end = last; end > begin; level++) {
      insert.run(end - begin, level * LEVEL + begin, row);
      const [nextBegin, nextEnd] = [Math.floor(begin / 2), Math.floor(end / 2)];
      const next = Buffer.alloc(Math.max(0, nextEnd - nextBegin) * 32);
      const child = (i) =>
        i >= begin ? row.subarray((i - begin) * 32, (i - begin + 1) * 32) : node(level, i);
      for (let i = nextBegin; i < nextEnd; i++) {
        input.set(child(2 * i), 1);
        input.set(child(2 * i + 1), 33);
        next.write(hash('sha256', input, 'binary'), (i - nextBegin) * 32, 'latin1');
      }
      [begin, end, row] = [nextBegin, nextEnd, next];
    }
    yield last;
  }
  const sequence = database.prepare('SELECT max(sequence) + 1 AS next FROM leaf').get().next;
  database
    .prepare("INSERT INTO leaf VALUES (?, ?, ?, ?, 'hypothesis', 'filler', '{}', NULL)")
    .run(to - 1, sequence, knownAt, knownAt);
  database.exec('COMMIT');
  database.close();
}

async function receipts(folder, figure) {
  const file = join(folder, 'receipt.sqlite');
  let now = START;
  const store = sqliteStore({ file, clock: () => now });
  const tickers = tickerNames(ROWS);
  const random = seededRandom('log receipt');
  const frameAt = frameMaker(tickers, random);
  const frames = [];
  for (let island = 1; island <= ISLANDS; island++) {
    const writer = await store.openWriter();
    if (island === 1) await writer.assignSlots(tickers);
    const log = await FrameLog.resume(writer, { verifierKey: KEY, now });
    for (let i = 0; i < 2; i++) {
      now += 15 * SECOND;
      const { highWater } = await writer.extent();
      const frame = frameAt(now, highWater);
      frames.push(await writer.appendFrame(frame, [], log.statements(frame, [], tickers)));
    }
    const from = await writer.logSize(LATEST);
    await writer.close();
    now += SECOND;
    for (const _ of filled(file, { from, to: Math.round((LEAVES * island) / ISLANDS), knownAt: now }));
  }
  const archive = await store.openReader();
  const checkpoints = new Checkpoints(archive, SIGNER);
  const times = [];
  let most = 0;
  for (let i = 0; i < 220; i++) {
    const header = frames[2 * random.integer(0, ISLANDS - 1)];
    const row = await archive.rowAt(header.at, tickers[random.integer(0, ROWS - 1)]);
    // A fresh one each time: nothing of the frame is in memory.
    const evidence = new Evidence(archive, checkpoints);
    const startedAt = performance.now();
    const receipt = await evidence.receipt({ recorded: true, header }, header.at + SECOND, [row]);
    if (i >= 20) times.push(performance.now() - startedAt);
    const { frame, rows } = receipt.proof.value;
    most = Math.max(most, frame.proof.length + rows[0].proof.length);
    if (i < 20 && !checkReceipt(receipt, KEY).holds) throw new Error('a receipt does not hold');
  }
  const size = await archive.logSize(LATEST);
  await archive.close();
  const slow = percentile(times, 0.99);
  figure(
    'log-receipt',
    `${slow.toFixed(1)} ms p99 and ${most} hashes from a row to the root of ${size.toLocaleString('en')} leaves`,
    '20 ms, 40 hashes',
    slow <= 20 && most <= 40,
  );
}

export async function run(figure) {
  await inTemporaryFolder(async (folder) => {
    await cycle(folder, figure);
    await receipts(folder, figure);
  });
}
