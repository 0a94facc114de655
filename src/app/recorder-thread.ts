// The recorder in a thread of its own: it holds the write connection, so that a cycle never delays a request.
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../kernel/instant.js';
import { portBus } from '../storage/memory/port-bus.js';
import type { Config } from './config.js';
import { createLog } from './log.js';
import { runRecorder } from './run-recorder.js';

export interface RecorderThreadData {
  readonly config: Config;
  /** Absent when a shared bus is configured. */
  readonly busPort?: MessagePort;
}

const { config, busPort } = workerData as RecorderThreadData;

try {
  // On Linux this sets the calling thread only: requests go before recording when both want a core.
  setPriority(0, 10);
} catch {
  // Without the right to lower the priority everything works, only less evenly.
}

const stopping = new AbortController();
parentPort?.on('message', (message: unknown) => {
  if (message === 'stop') stopping.abort();
});

await runRecorder({
  config,
  log: createLog(config.logLevel),
  clock: systemClock,
  signal: stopping.signal,
  onClaim: () => parentPort?.postMessage('recording'),
  ...(busPort ? { bus: portBus(busPort) } : {}),
});
parentPort?.close();
