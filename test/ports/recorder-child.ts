// A recorder in a process of its own, made to be killed: it says aloud what the archive has acknowledged.
import { systemClock } from '../../src/kernel/instant.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { boundary, frameOf, post, randomRow, report, seeded, statement } from './samples.js';

const BATCH = 10;
const TICKERS = ['A', 'B', 'C'];
const STATEMENTS = [statement('attention_frame'), statement('commitments', { attachment: 'beside' })];

const writer = await sqliteStore({ file: process.argv[2]!, clock: systemClock }).openWriter();
const random = seeded(1);
const slots = await writer.assignSlots(TICKERS);
const already = (await writer.extent()).highWater;
for (let n = already; ; n++) {
  const facts = Array.from({ length: BATCH }, (_, i) => report(post(`${n}-${i}`)));
  const cursor = { connector: 'child', value: String(n) };
  await writer.append({ facts, cursor });
  const rows = TICKERS.map((ticker) => randomRow(random, slots.get(ticker)!, ticker));
  const { sequence } = await writer.appendFrame(frameOf(boundary(n), rows), [], STATEMENTS);
  process.stdout.write(`${sequence} ${n}\n`);
}
