// Opens what the recorder needs, runs it until it is told to stop, and closes everything in order.
import { makeConnectors } from '../connectors/list.js';
import type { Clock } from '../kernel/instant.js';
import { startRecorder } from '../pipeline/recorder.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import { openBus, openStore } from '../storage/open.js';
import { collectGarbageLater } from './collect-garbage.js';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { recorderLogKey, verifierKeyText } from './log-key.js';
import { OpenParts } from './open-parts.js';
import { authorSecret, gatePolicy } from './secrets.js';
import { VERSION } from './version.js';

export interface RecorderRun {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly bus?: Bus;
  /** Called when the archive is this recorder's to write. */
  readonly onClaim?: () => void;
}

export async function runRecorder(run: RecorderRun): Promise<void> {
  const { config, clock, signal } = run;
  const parts = new OpenParts((error) => run.log.warn({ event: 'close.failure', error: String(error) }));
  try {
    const bus = parts.keep(run.bus ?? (await openBus(config.redisUrl)));
    const store = await openStore(config.archive, clock);
    // A second recorder on a shared archive is a hot standby; on one machine it is a mistake.
    const shared = config.archive.kind === 'postgres';
    const archive = parts.keep(await store.openWriter(shared ? { standby: signal } : {}));
    run.onClaim?.();
    // The weekly judgement reads for long, and must not stand in the way of what is written.
    const reader = parts.keep(await store.openReader());
    await record(run, { archive, reader, bus });
  } finally {
    await parts.close();
  }
}

interface Opened {
  readonly archive: ArchiveWriter;
  readonly reader: ArchiveReader;
  readonly bus: Bus;
}

async function record(
  { config, log, clock, signal }: RecorderRun,
  { archive, reader, bus }: Opened,
): Promise<void> {
  const signer = await recorderLogKey(config);
  let frames = 0;
  let editions = 0;
  const recorder = await startRecorder({
    archive,
    bus,
    connectors: makeConnectors(config.sources, { fixtureSeed: config.fixtureSeed }),
    authorSecret: await authorSecret(config.dataFolder),
    clock,
    cycleSeconds: config.cycleSeconds,
    macroSeconds: config.macroSeconds,
    policy: await gatePolicy(config.dataFolder),
    verifierKey: verifierKeyText(signer),
    validation: {
      reader,
      signer,
      codeVersion: VERSION,
      onEpoch: ([scorecard], milliseconds) => {
        collectGarbageLater();
        log.info({ event: 'epoch', ...scorecard?.body, ms: Math.round(milliseconds) });
      },
    },
    onFrame: (header, milliseconds) => {
      // By the second frame the backfill is over and its last batch is out of reach.
      if (++frames === 2) collectGarbageLater();
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
    onEdition: ({ at, index, body }, milliseconds) => {
      // The first one read the archive; what that took is out of reach now.
      if (++editions === 1) collectGarbageLater();
      log.debug({ event: 'edition', at, leaf: index, ...body, ms: Math.round(milliseconds) });
    },
    onFailure: (what, error) => log.warn({ event: 'recorder.failure', what, error: String(error) }),
  });
  if (signal.aborted) recorder.stop();
  signal.addEventListener('abort', () => recorder.stop(), { once: true });
  await recorder.done;
}
