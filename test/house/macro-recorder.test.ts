// The recorder with both sides: the board does not wait for the economy, editions reach the bus, a restart goes on.
import { expect, it } from 'vitest';
import { economyConnector } from '../../src/connectors/fixture/economy-connector.js';
import { fixtureConnector } from '../../src/connectors/fixture/fixture-connector.js';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import type { Stated } from '../../src/domain/facts/statement.js';
import { readMacroEdition } from '../../src/domain/macro/edition.js';
import { type Instant, LATEST, MINUTE } from '../../src/kernel/instant.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import { verifyMacro } from '../../src/pipeline/verify-macro.js';
import type { ArchiveStore } from '../../src/ports/archive.js';
import type { Connector } from '../../src/ports/connector.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { NOON, POLICY, TurnedClock } from './studio.js';

const connectors = (): Connector[] => [
  fixtureConnector({ seed: 3, historyDays: 1, ledgerDays: 5 }) as Connector,
  economyConnector({ seed: 3, years: 0.3, priceYears: 0.1, ledgerDays: 6 }) as Connector,
];

interface Recorded {
  readonly frames: RecordedHeader[];
  readonly editions: Stated[];
  readonly heard: Stated[];
  /** Facts that the economy had told when the first frame was recorded. */
  readonly seriesAtFirstFrame: number;
}

async function record(store: ArchiveStore, clock: TurnedClock, until: Instant): Promise<Recorded> {
  const archive = await store.openWriter();
  const bus = memoryBus();
  const frames: RecordedHeader[] = [];
  const editions: Stated[] = [];
  const heard: Stated[] = [];
  const failures: unknown[] = [];
  let seriesAtFirstFrame = -1;
  await bus.subscribe('macro.frame', (message) => heard.push(JSON.parse(message) as Stated));
  const recorder = await startRecorder({
    archive,
    bus,
    connectors: connectors(),
    authorSecret: new Uint8Array(32),
    policy: POLICY,
    clock: clock.now,
    until: clock.until,
    cycleSeconds: 60,
    macroSeconds: 900,
    onFrame: (header) => {
      if (frames.push(header) > 1) return;
      const economy = recorder.status().sources.find(({ source }) => source === 'fixture-economy');
      seriesAtFirstFrame = economy?.facts ?? -1;
    },
    onEdition: (stated) => editions.push(stated),
    onFailure: (_what, error) => failures.push(error),
  });
  const settled = (): boolean => recorder.status().sources.every(({ state }) => state === 'live');
  const told = async (): Promise<boolean> =>
    (await archive.statements({ kind: 'macro_frame', knownBy: LATEST, limit: 1 })).length > 0;
  while (!(clock.now() >= until && (await told())) && failures.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    // The clock stands while sources catch up, as it nearly does for them.
    if (frames.length > 0 && settled()) await clock.turnTo(clock.now() + MINUTE / 2);
  }
  recorder.stop();
  clock.wakeAll();
  await recorder.done;
  await archive.close();
  expect(failures).toEqual([]);
  return { frames, editions, heard, seriesAtFirstFrame };
}

it('records boards first, then the economy, then editions that every listener hears and that verify', async () => {
  const clock = new TurnedClock(NOON);
  const store = memoryStore({ clock: clock.now });
  const first = await record(store, clock, NOON + 5 * MINUTE);
  expect(first.seriesAtFirstFrame).toBe(0);
  expect(first.heard).toEqual(first.editions);
  const reader = await store.openReader();
  const [edition] = first.editions;
  const { frame, scores } = readMacroEdition(edition!, (await reader.attachment(edition!.index))!);
  expect(frame.at).toBe(edition!.at);
  expect(frame.coverage.unavailable).toBeLessThan(10);
  expect(scores.length).toBeGreaterThan(300);

  const highWater = (await reader.extent()).highWater;
  await clock.turnTo(NOON + 20 * MINUTE);
  await record(store, clock, NOON + 40 * MINUTE);
  // What had been told is not told again: twenty minutes of talk are few facts beside the backfill.
  expect((await reader.extent()).highWater - highWater).toBeLessThan(highWater / 10);
  for await (const { agrees } of verifyMacro(reader, { from: 0, to: LATEST })) expect(agrees).toBe(true);
  await reader.close();
}, 120_000);
