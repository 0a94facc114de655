// A recorder under full ingest, to be killed: acknowledges on standard output what it was told is stored.
import { fileURLToPath } from 'node:url';

const [kind, address, total] = process.argv.slice(2);
const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const { systemClock } = await import(`${dist}/kernel/instant.js`);
const { startRecorder } = await import(`${dist}/pipeline/recorder.js`);
const { memoryBus } = await import(`${dist}/storage/memory/bus.js`);
const { openStore } = await import(`${dist}/storage/open.js`);

const BATCH = 200;
const TICKERS = ['AAPL', 'NVDA', 'GME', 'TSLA', 'AMC', 'PLTR'];

function post(n) {
  return {
    provider: 'stream',
    id: `post-${n}`,
    authorId: `author-${n % 997}`,
    createdAt: systemClock(),
    text: `$${TICKERS[n % TICKERS.length]} remark ${n} with words ${(n * 7919) % 1009} and ${(n * 104729) % 2003}`,
    taggedTickers: [TICKERS[n % TICKERS.length]],
    providerTags: true,
    repostOf: null,
    urls: [],
    lang: 'en',
    authorCreatedAt: null,
    followers: null,
    likes: null,
    reposts: null,
    replies: null,
  };
}

const connector = {
  name: 'stream',
  ask: (cursor) => Number(cursor ?? 0),
  async *pull(from, { signal }) {
    for (let n = from; n < Number(total) && !signal.aborted; n += BATCH) {
      yield { items: Array.from({ length: BATCH }, (_, i) => n + i), cursor: String(n + BATCH) };
      // The generator goes on only after the batch is stored.
      process.stdout.write(`ack ${n + BATCH}\n`);
    }
  },
  read: (n) => ({ posts: [post(n)], facts: [], faults: [] }),
};

const store = await openStore(
  kind === 'sqlite' ? { kind, file: address } : { kind, url: address },
  systemClock,
);
const archive = await store.openWriter({ standby: AbortSignal.timeout(20_000) });
process.stdout.write('open\n');
const recorder = await startRecorder({
  archive,
  bus: memoryBus(),
  connectors: [connector],
  authorSecret: new Uint8Array(32),
  policy: { veto: 0.7, caution: 0.5, secret: '0'.repeat(64) },
  clock: systemClock,
  cycleSeconds: 1,
});
await recorder.done;
