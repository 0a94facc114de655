// The recorder states its first epoch beside the tape, on disk, and a recorder that comes after it does not repeat it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import type { Stated } from '../../src/domain/facts/statement.js';
import { epochAfter } from '../../src/domain/validation/epochs.js';
import { LATEST, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { privateKeyFromSeed } from '../../src/kernel/signed-note.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { sqliteStore } from '../../src/storage/sqlite/archive.js';
import { POLICY, TurnedClock } from './studio.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-epoch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = new TurnedClock();
const store = sqliteStore({ file: join(folder, 'archive.sqlite'), clock: clock.now });
const signer = { name: 'barograph.test', privateKey: privateKeyFromSeed(new Uint8Array(32).fill(3)) };

/** Runs a recorder until `wanted` says that enough was recorded. */
async function record(
  wanted: (frames: readonly RecordedHeader[], epochs: readonly Stated[][]) => boolean,
): Promise<Stated[][]> {
  const archive = await store.openWriter();
  const reader = await store.openReader();
  const frames: RecordedHeader[] = [];
  const epochs: Stated[][] = [];
  const failures: unknown[] = [];
  const recorder = await startRecorder({
    archive,
    bus: memoryBus(),
    connectors: [],
    authorSecret: new Uint8Array(32),
    policy: POLICY,
    clock: clock.now,
    until: clock.until,
    cycleSeconds: 60,
    validation: {
      reader,
      signer,
      codeVersion: 'test',
      onEpoch: (stated) => epochs.push([...stated]),
    },
    onFrame: (header) => frames.push(header),
    onFailure: (what, error) => failures.push([what, error]),
  });
  while (!wanted(frames, epochs) && failures.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
    // A few frames are enough: the judgement goes on while the clock stands.
    if (frames.length > 0 && frames.length < 3) await clock.turnTo(clock.now() + 10 * SECOND);
  }
  recorder.stop();
  clock.wakeAll();
  await recorder.done;
  await reader.close();
  await archive.close();
  expect(failures).toEqual([]);
  return epochs;
}

it('is stated once, between frames that go on', async () => {
  const first = await record((frames, epochs) => frames.length >= 3 && epochs.length >= 1);
  expect(first.map((stated) => stated.map(({ kind }) => kind))).toEqual([
    ['scorecard', 'reputation', 'attestation'],
  ]);
  expect(first[0]![0]!.body).toMatchObject({ evidence: 'none', verdicts: { insufficient_data: 72 } });

  await clock.turnTo(clock.now() + MINUTE);
  const again = await record((frames) => frames.length >= 3);
  expect(again).toEqual([]);

  await clock.turnTo(epochAfter(clock.now()) + MINUTE);
  const next = await record((_frames, epochs) => epochs.length >= 1);
  expect(next[0]![0]!.at).toBe(epochAfter(first[0]![0]!.at));
  const reader = await store.openReader();
  const claims = await reader.statements({ kind: 'hypothesis', knownBy: LATEST, limit: 1_000 });
  expect(claims).toHaveLength(72);
  expect((await reader.statements({ kind: 'attestation', knownBy: LATEST, limit: 10 })).length).toBe(2);
  await reader.close();
}, 120_000);
