// The beat of the tape: a frame at every boundary, also when timers wake their sleeper a little early.
import { afterEach, expect, test, vi } from 'vitest';
import { type Instant, MILLISECOND, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import { waitUntil } from '../../src/pipeline/source-run.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { NOON, POLICY } from './studio.js';

afterEach(() => vi.useRealTimers());

test('no boundary is passed over when every sleep ends too early', async () => {
  let now = NOON;
  // Time goes on while anybody looks at it.
  const clock = (): Instant => (now += 100);
  const sleeps: Instant[] = [];
  const until = async (at: Instant): Promise<void> => {
    sleeps.push(at);
    now = Math.max(now, at - (sleeps.length % 2 === 1 ? 150 : 0));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const archive = await memoryStore({ clock }).openWriter();
  const frames: { at: Instant; late: number }[] = [];
  const recorder = await startRecorder({
    archive,
    bus: memoryBus(),
    connectors: [],
    authorSecret: new Uint8Array(32),
    policy: POLICY,
    clock,
    until,
    cycleSeconds: 60,
    onFrame: ({ at, knownAt }) => {
      frames.push({ at, late: knownAt - at });
      if (frames.length === 12) recorder.stop();
    },
  });
  await recorder.done;
  await archive.close();
  expect(frames.map(({ at }) => at - frames[0]!.at)).toEqual(frames.map((_, i) => i * MINUTE));
  for (const { late } of frames) expect(late).toBeLessThan(SECOND);
});

test('a sleep ends when its instant has come, not when a timer thinks so', async () => {
  vi.useFakeTimers();
  let now = NOON;
  const slept = vi.fn();
  const sleep = waitUntil(() => now, new AbortController().signal)(NOON + 10 * MILLISECOND + 1).then(slept);
  now += 9 * MILLISECOND + 600;
  await vi.advanceTimersByTimeAsync(11);
  expect(slept).not.toHaveBeenCalled();
  now += 2 * MILLISECOND;
  await vi.advanceTimersByTimeAsync(1);
  expect(slept).toHaveBeenCalledOnce();
  await sleep;
});

test('a sleep ends at once when it is called off', async () => {
  const calledOff = new AbortController();
  const sleep = waitUntil(() => NOON, calledOff.signal)(NOON + MINUTE);
  calledOff.abort();
  await expect(sleep).resolves.toBeUndefined();
  await expect(waitUntil(() => NOON, calledOff.signal)(NOON + MINUTE)).resolves.toBeUndefined();
});
