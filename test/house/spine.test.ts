// The spine end to end: the fixture world recorded, measured, ranked, restarted, verified and replayed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openReadSide } from '../../src/answers/answers.js';
import { fixtureConnector } from '../../src/connectors/fixture/fixture-connector.js';
import { LeaderboardFrame, TickerPacket } from '../../src/contracts/attention/board.js';
import { recallAttention } from '../../src/domain/attention/recall.js';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import { DAY, formatInstant, HOUR, type Instant, MINUTE } from '../../src/kernel/instant.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import { replay } from '../../src/pipeline/replay.js';
import { verifyFrames } from '../../src/pipeline/verify.js';
import { type ArchiveStore, FrameStands } from '../../src/ports/archive.js';
import type { Connector } from '../../src/ports/connector.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { NOON, POLICY, TurnedClock } from './studio.js';

const SECRET = new Uint8Array(32);
const NEWEST = { top_posts_sort: 'observed_desc' } as const;
const folder = mkdtempSync(join(tmpdir(), 'barograph-spine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (): Connector => fixtureConnector({ seed: 7, historyDays: 3, ledgerDays: 20 }) as Connector;

/** Runs a recorder from where the store stands until it has recorded the frame of `until`. */
async function record(store: ArchiveStore, clock: TurnedClock, until: Instant): Promise<RecordedHeader[]> {
  const archive = await store.openWriter();
  const frames: RecordedHeader[] = [];
  const failures: unknown[] = [];
  const recorder = await startRecorder({
    archive,
    bus: memoryBus(),
    connectors: [fixture()],
    authorSecret: SECRET,
    policy: POLICY,
    clock: clock.now,
    until: clock.until,
    cycleSeconds: 60,
    onFrame: (header) => frames.push(header),
    onFailure: (_what, error) => failures.push(error),
  });
  const ended = recorder.done;
  while ((frames.at(-1)?.at ?? 0) < until && failures.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    if (frames.length > 0) await clock.turnTo(Math.min(until, clock.now() + 10 * 1e6));
  }
  recorder.stop();
  clock.wakeAll();
  await ended;
  await archive.close();
  expect(failures).toEqual([]);
  return frames;
}

const stores: readonly [string, (clock: TurnedClock) => ArchiveStore][] = [
  ['memory', (clock) => memoryStore({ clock: clock.now })],
  [
    'SQLite',
    (clock) =>
      sqliteStore({ file: join(folder, `${Math.round(Math.random() * 1e9)}.sqlite`), clock: clock.now }),
  ],
];

describe.each(stores)('the spine on %s', (_name, open) => {
  it('records frames that verify to the byte, also across a restart and late backfill', async () => {
    const clock = new TurnedClock(NOON);
    const store = open(clock);
    const first = await record(store, clock, NOON + 6 * MINUTE);
    await clock.turnTo(NOON + 20 * MINUTE);
    const second = await record(store, clock, NOON + 30 * MINUTE);
    expect(first.length).toBeGreaterThan(3);
    expect(second[0]!.at).toBeGreaterThan(first.at(-1)!.at);

    // Somebody imports old posts: what was recorded does not move.
    const writer = await store.openWriter();
    await writer.append({
      facts: [
        {
          source: 'late',
          effectiveAt: NOON - HOUR,
          releasedAt: NOON - HOUR,
          body: {
            kind: 'price',
            ticker: 'NVDA',
            date: '2026-03-04',
            open: 1,
            high: 1,
            low: 1,
            close: 1,
            volume: 1,
          },
        },
      ],
    });
    await writer.close();

    const reader = await store.openReader();
    let checked = 0;
    for await (const check of verifyFrames(reader, { from: 0, to: Number.MAX_SAFE_INTEGER })) {
      expect(check.agrees, formatInstant(check.at)).toBe(true);
      checked++;
    }
    expect(checked).toBe(first.length + second.length);
    await reader.close();
  });

  it('answers now and then within the contract', async () => {
    const clock = new TurnedClock(NOON);
    const store = open(clock);
    await record(store, clock, NOON + 2 * MINUTE);
    const archive = await store.openReader();
    const readSide = await openReadSide({
      archive,
      bus: memoryBus(),
      counters: memoryCounters({ clock: clock.now }),
      watchlists: memoryWatchlists(),
      clock: clock.now,
      version: 'test',
      cursorSecret: SECRET,
    });
    const { answers } = readSide;
    const board = LeaderboardFrame.parse(await answers.snapshot_leaderboard({ limit: 10 }));
    expect(board.leaderboard).toHaveLength(10);
    expect(board.leaderboard.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const densities = board.leaderboard.map(({ attention_density }) => attention_density);
    expect(densities).toEqual(densities.toSorted((a, b) => b - a));
    expect(board.freshness).toBe('fixture');

    const { ticker } = board.leaderboard[0]!;
    const now = TickerPacket.parse(await answers.snapshot_ticker({ ticker, ...NEWEST }));
    expect(now.core_kpi_values.attention_density).toBe(board.leaderboard[0]!.attention_density);
    expect(now.receipt).toMatchObject({ recorded: true, lookahead: false, frame_sha256: board.frame_sha256 });

    const then = TickerPacket.parse(
      await answers.snapshot_ticker({ ticker, as_of: formatInstant(NOON - DAY), ...NEWEST }),
    );
    expect(then.receipt).toMatchObject({ recorded: false, knowledge: 'simulated', backfilled_share: 1 });
    await expect(answers.snapshot_ticker({ ticker: 'ZZZZZ', ...NEWEST })).rejects.toMatchObject({
      code: 'ticker_not_found',
    });
    for (const as_of of [formatInstant(clock.now() + 1), '1999-01-01T00:00:00Z']) {
      await expect(answers.snapshot_ticker({ ticker, as_of, ...NEWEST })).rejects.toMatchObject({
        code: 'as_of_out_of_range',
      });
    }
    await readSide.close();
    await archive.close();
  });

  it('cannot look ahead: the past from a whole archive equals the past from one that ended there', async () => {
    const clock = new TurnedClock(NOON);
    const store = open(clock);
    await record(store, clock, NOON + MINUTE);
    const archive = await store.openReader();
    const tickers = [...(await archive.slots()).keys()];
    const random = seededRandom('instants');
    for (let i = 0; i < 5; i++) {
      const at = NOON - Math.floor(random.uniform() * 2 * DAY);
      const whole = await recallAttention(archive, { knownBy: at });
      const later = await recallAttention(archive, { knownBy: at });
      // A state that already knows the future, asked for the past boundary, must not let it through.
      for await (const facts of archive.facts('post', { after: at, knownBy: NOON + HOUR })) later.take(facts);
      for await (const facts of archive.facts('price', { after: at, knownBy: NOON + HOUR }))
        later.take(facts);
      const boundary = { at, cycleSeconds: 60, highWater: 0, tickers };
      expect(later.frame(boundary).header.fingerprint).toBe(whole.frame(boundary).header.fingerprint);
    }
    await archive.close();
  });

  it('replays a span on archived facts, and refuses to touch frames that stand', async () => {
    const clock = new TurnedClock(NOON);
    const store = open(clock);
    const writer = await store.openWriter();
    const recorder = await startRecorder({
      archive: writer,
      bus: memoryBus(),
      connectors: [fixture()],
      authorSecret: SECRET,
      policy: POLICY,
      clock: clock.now,
      until: clock.until,
      cycleSeconds: 3600,
      onFrame: () => {
        recorder.stop();
        setImmediate(() => clock.wakeAll());
      },
    });
    await recorder.done;
    const span = { from: NOON + HOUR, to: NOON + 5 * HOUR, everySeconds: 1800 };
    const frames: RecordedHeader[] = [];
    for await (const header of replay(writer, span)) frames.push(header);
    expect(frames).toHaveLength(9);
    for await (const check of verifyFrames(writer, { from: span.from, to: span.to }))
      expect(check.agrees).toBe(true);
    await expect(replay(writer, span)[Symbol.asyncIterator]().next()).rejects.toThrow(FrameStands);
    await writer.close();
  });
});
