// Composes the roles of one process and runs them until it is told to stop.
import { Registry } from 'prom-client';
import { PrepaidCounters } from '../access/prepaid.js';
import { openReadSide, type ReadSide } from '../answers/answers.js';
import { STREAM_SCOPE } from '../contracts/attention/stream.js';
import { FEEDS } from '../contracts/feeds.js';
import { OPERATIONS } from '../contracts/operations.js';
import { RETIRED_ROUTES } from '../contracts/research/retired.js';
import type { RecorderStatus } from '../domain/facts/recorder-status.js';
import { deferred } from '../kernel/deferred.js';
import { systemClock } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import { openBus, openCounters, openStore, openWatchlists } from '../storage/open.js';
import { causeText } from '../surfaces/http/ledger.js';
import { refusalCounter } from '../surfaces/http/refusal-counter.js';
import { createHttpSurface } from '../surfaces/http/server.js';
import { tileRoutes } from '../surfaces/log/tile-routes.js';
import { knownHosts } from '../surfaces/mcp/hosts.js';
import { mcpSurface } from '../surfaces/mcp/servers.js';
import { pageRoutes } from '../surfaces/page/page-routes.js';
import { handshakeKey } from '../surfaces/stream/handshake-key.js';
import { leaderboardStreams } from '../surfaces/stream/leaderboard-streams.js';
import { macroStreamSurface } from '../surfaces/stream/macro-stream.js';
import { StreamSlots, USUAL_STREAM_LIMITS } from '../surfaces/stream/stream-slots.js';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { givenLogKey, recorderLogKey } from './log-key.js';
import { threadMacroDesk } from './macro-thread-desk.js';
import { openAccess } from './open-access.js';
import { OpenParts } from './open-parts.js';
import { cursorSecret } from './secrets.js';
import { type RecorderThread, startRecorderThread } from './start-recorder.js';
import { VERSION } from './version.js';

export interface Served {
  readonly url: string | null;
  /** Rejects when a part of the process fails for good. */
  readonly failed: Promise<never>;
  onStatus(listener: (status: RecorderStatus) => void): void;
  /** Resolves with the first frame that this process can serve. */
  readonly firstFrame: Promise<void>;
  stop(): Promise<void>;
}

/** A shared archive appears with the recorder's first write; a reader that comes earlier waits for it. */
async function openReaderWhenThere(
  open: () => Promise<ArchiveReader>,
  signal: AbortSignal | undefined,
): Promise<ArchiveReader> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (signal?.aborted || performance.now() - STARTED_AT > 30_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
const STARTED_AT = performance.now();

export interface Serving {
  /** The thread that records for this process, where it has been started already. */
  readonly recorder?: RecorderThread | undefined;
  /** Ends the waiting for an archive that is not there yet. */
  readonly signal?: AbortSignal;
}

export async function serve(config: Config, log: Log, { recorder, signal }: Serving = {}): Promise<Served> {
  const parts = new OpenParts((error) => log.warn({ event: 'close.failure', cause: causeText(error) }));
  try {
    if (config.role === 'recorder') return await serveRecorder(config, log, parts);
    const thread = config.role === 'all' ? (recorder ?? startRecorderThread(config)) : null;
    return await serveSurfaces(config, log, { thread, parts, signal });
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function serveRecorder(config: Config, log: Log, parts: OpenParts): Promise<Served> {
  const { runRecorder } = await import('./run-recorder.js');
  const failed = deferred<never>();
  failed.promise.catch(() => {});
  const stopping = new AbortController();
  const bus = await openBus(config.redisUrl);
  const done = runRecorder({ config, log, clock: systemClock, signal: stopping.signal, bus });
  done.catch(failed.reject);
  parts.keep({
    close: async () => {
      stopping.abort();
      await done.catch(() => {});
    },
  });
  return {
    url: null,
    failed: failed.promise,
    firstFrame: deferred().promise,
    onStatus: (listener) => void listenToStatus(bus, listener),
    stop: () => parts.close(),
  };
}

interface Surfaces {
  readonly thread: RecorderThread | null;
  readonly parts: OpenParts;
  readonly signal: AbortSignal | undefined;
}

async function serveSurfaces(config: Config, log: Log, { thread, parts, signal }: Surfaces): Promise<Served> {
  const failed = deferred<never>();
  failed.promise.catch(() => {});
  const firstFrame = deferred();
  const bus = parts.keep(thread?.bus ?? (await openBus(config.redisUrl)));
  if (thread !== null) {
    parts.keep({ close: thread.stop });
    thread.failed.catch(failed.reject);
    // On one machine a second recorder is a mistake, and shall be told before anything is served; elsewhere it stands by.
    if (config.archive.kind === 'sqlite') await Promise.race([thread.recording, thread.failed]);
  }
  const store = await openStore(config.archive, systemClock);
  const archive = parts.keep(await openReaderWhenThere(() => store.openReader(), signal));
  const counters = parts.keep(
    new PrepaidCounters(await openCounters(config.redisUrl, config.dataFolder, systemClock), systemClock),
  );
  const access = parts.keep(await openAccess(config, counters, systemClock, log));
  const watchlists = parts.keep(await openWatchlists(config.archive, config.dataFolder));
  const readSide: ReadSide = parts.keep(
    await openReadSide({
      archive,
      bus,
      counters,
      watchlists,
      clock: systemClock,
      version: VERSION,
      cursorSecret: await cursorSecret(config.dataFolder),
      logSigner: config.role === 'all' ? await recorderLogKey(config) : await givenLogKey(config),
      revealDays: config.revealDays,
      macroDesk: threadMacroDesk(config),
    }),
  );
  if (readSide.live.latest) firstFrame.resolve();

  const metrics = new Registry();
  const shown = Object.fromEntries(
    Object.entries(OPERATIONS).filter(
      ([, { surface }]) => surface === 'service' || (config.surfaces as readonly string[]).includes(surface),
    ),
  ) as typeof OPERATIONS;
  const slots = new StreamSlots(USUAL_STREAM_LIMITS.perProcess);
  const macroStream = config.surfaces.includes('macro')
    ? macroStreamSurface({
        ...readSide.macro,
        clock: systemClock,
        guard: access.guard,
        isCurrent: (key) => access.keyring.current(key) !== null,
        onKeysChange: (listener) => void access.keyring.onChange(listener),
        audit: access.audit,
        allowedOrigins: config.origins,
        trustedProxies: config.trustedProxies,
        slots,
        metrics,
      })
    : null;
  const streams = config.surfaces.includes('attention')
    ? leaderboardStreams({
        live: readSide.live,
        clock: systemClock,
        authenticate: handshakeKey({
          keyring: access.keyring,
          counters,
          scope: STREAM_SCOPE,
          audit: access.audit,
          trustedProxies: config.trustedProxies,
          failedKeys: access.failedKeys,
        }),
        onKeysChange: (listener) => void access.keyring.onChange(listener),
        record: (event) => log.info(event),
        audit: access.audit,
        allowedOrigins: config.origins,
        trustedProxies: config.trustedProxies,
        slots,
        metrics,
      })
    : null;
  const feeds = Object.fromEntries(
    Object.entries(FEEDS).filter(([, feed]) => (config.surfaces as readonly string[]).includes(feed.surface)),
  );
  const mcp = mcpSurface(
    (['attention', 'macro'] as const).filter((name) => config.surfaces.includes(name)),
    readSide,
    VERSION,
    {
      guard: access.guard,
      isKnownHost: knownHosts(config.host, config.origins),
      origins: config.origins,
      onFault: (error) => log.error({ event: 'tool.failure', cause: causeText(error) }),
      onRefusal: refusalCounter(metrics),
    },
  );
  const surface = createHttpSurface({
    operations: shown,
    feeds,
    ...(streams === null ? {} : { upgrade: streams.upgrade }),
    extraRoutes: [
      ...(streams === null ? [] : [...streams.routes, ...pageRoutes()]),
      ...(macroStream === null ? [] : [macroStream.route]),
      ...tileRoutes(readSide.tiles),
    ],
    answers: readSide.answers,
    guard: access.guard,
    spend: access.guard.spend,
    ...(config.surfaces.includes('research') ? { before: access.retired, retired: RETIRED_ROUTES } : {}),
    direct: mcp.routes,
    allowedOrigins: config.origins,
    log: (event) => log.info(event),
    metrics,
    version: VERSION,
    publicUrl: `http://${config.host}:${config.port}`,
  });
  readSide.live.onChange(() => {
    surface.forgetFrame();
    mcp.forgetFrame();
    firstFrame.resolve();
  });
  readSide.macro.live.onChange(() => {
    surface.forgetFrame();
    mcp.forgetFrame();
  });
  parts.keep({
    close: async () => {
      // First nobody new, then farewell to the streams, which would keep the server waiting.
      const drained = surface.drain();
      streams?.close();
      macroStream?.close();
      await mcp.close();
      await drained;
    },
  });
  const { port } = await surface.listen(config.port, config.host);

  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    failed: failed.promise,
    firstFrame: firstFrame.promise,
    onStatus: (listener) => void listenToStatus(bus, listener),
    stop: () => parts.close(),
  };
}

async function listenToStatus(bus: Bus, listener: (status: RecorderStatus) => void): Promise<void> {
  await bus.subscribe('recorder.status', (message) => listener(JSON.parse(message) as RecorderStatus));
}
