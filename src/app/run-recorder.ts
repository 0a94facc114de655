// Opens what the recorder needs, runs it until it is told to stop, and closes everything in order.
import { makeConnectors } from '../connectors/list.js';
import type { Clock } from '../kernel/instant.js';
import { startRecorder } from '../pipeline/recorder.js';
import type { Bus } from '../ports/bus.js';
import { openBus, openStore } from '../storage/open.js';
import { collectGarbage } from './collect-garbage.js';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { authorSecret, gatePolicy } from './secrets.js';

export interface RecorderRun {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly bus?: Bus;
}

export async function runRecorder({ config, log, clock, signal, bus: given }: RecorderRun): Promise<void> {
  const bus = given ?? openBus(config.redisUrl);
  const store = openStore(config.archive, clock);
  // A second recorder on a shared archive is a hot standby; on one machine it is a mistake.
  const shared = config.archive.kind === 'postgres';
  const archive = await store.openWriter(shared ? { standby: signal } : {});
  try {
    let frames = 0;
    const recorder = await startRecorder({
      archive,
      bus,
      connectors: makeConnectors(config.sources, { fixtureSeed: config.fixtureSeed }),
      authorSecret: await authorSecret(config.dataFolder),
      clock,
      cycleSeconds: config.cycleSeconds,
      policy: await gatePolicy(config.dataFolder),
      onFrame: (header, milliseconds) => {
        // By the second frame the backfill is over and its last batch is out of reach.
        if (++frames === 2) collectGarbage();
        const { at, sequence, rowCount, postsUsed, fingerprint } = header;
        log.debug({
          event: 'frame',
          at,
          sequence,
          rows: rowCount,
          posts: postsUsed,
          fingerprint,
          ms: Math.round(milliseconds),
        });
      },
      onFailure: (what, error) => log.warn({ event: 'recorder.failure', what, error: String(error) }),
    });
    if (signal.aborted) recorder.stop();
    signal.addEventListener('abort', () => recorder.stop(), { once: true });
    await recorder.done;
  } finally {
    await archive.close();
    await bus.close();
  }
}
