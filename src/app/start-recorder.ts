// Starts the recorder in a thread of its own. Kept apart from the serving, so that the two load side by side.
import { MessageChannel, Worker } from 'node:worker_threads';
import { deferred } from '../kernel/deferred.js';
import { RecorderBusy } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import { portBus } from '../storage/memory/port-bus.js';
import type { Config } from './config.js';
import type { RecorderThreadData } from './recorder-thread.js';

export interface RecorderThread {
  /** Null where a shared bus carries the messages. */
  readonly bus: Bus | null;
  /** Resolves when the archive is its own to write. */
  readonly recording: Promise<void>;
  /** Rejects when the recorder ends without being told to. */
  readonly failed: Promise<never>;
  readonly stop: () => Promise<void>;
}

export function startRecorderThread(config: Config): RecorderThread {
  const channel = config.redisUrl === null ? new MessageChannel() : null;
  const data: RecorderThreadData = { config, ...(channel ? { busPort: channel.port2 } : {}) };
  const worker = new Worker(new URL('./recorder-thread.js', import.meta.url), {
    workerData: data,
    // A batch outlives a small nursery; with a larger one it dies there, and a backfill takes less time.
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
    transferList: channel ? [channel.port2] : [],
  });
  const recording = deferred();
  worker.once('message', () => recording.resolve());
  const ended = deferred();
  const failed = deferred<never>();
  failed.promise.catch(() => {});
  let stopped = false;
  worker.on('error', (error) => failed.reject(revived(error)));
  worker.on('exit', (code) => {
    ended.resolve();
    if (!stopped) failed.reject(new Error(`the recorder ended with status ${code}`));
  });
  return {
    bus: channel ? portBus(channel.port1) : null,
    recording: recording.promise,
    failed: failed.promise,
    stop: async () => {
      stopped = true;
      worker.postMessage('stop');
      const timer = setTimeout(() => void worker.terminate(), 8_000);
      await ended.promise;
      clearTimeout(timer);
    },
  };
}

/** An error that crosses from thread to thread keeps its name and loses its class. */
function revived(error: unknown): unknown {
  return error instanceof Error && error.name === 'RecorderBusy'
    ? Object.setPrototypeOf(error, RecorderBusy.prototype)
    : error;
}
