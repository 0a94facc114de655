// The one writer: runs the connectors and turns the tape at every cycle boundary.
import { randomBytes } from 'node:crypto';
import { boundaryBefore } from '../domain/attention/attention-state.js';
import type { GatePolicy } from '../domain/attention/gate.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import type { RecorderStatus } from '../domain/facts/recorder-status.js';
import type { Stated } from '../domain/facts/statement.js';
import { deferred } from '../kernel/deferred.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { SECOND } from '../kernel/instant.js';
import { Turnstile } from '../kernel/turnstile.js';
import type { ArchiveWriter } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Connector } from '../ports/connector.js';
import { AttentionCycle } from './attention-cycle.js';
import { MacroCycle } from './macro-cycle.js';
import { openMeasuringIngest } from './open-ingest.js';
import { SourceRun, waitUntil } from './source-run.js';
import { ValidationCycle, type ValidationParts } from './validation-cycle.js';

export interface RecorderParts {
  readonly archive: ArchiveWriter;
  readonly bus: Bus;
  readonly connectors: readonly Connector[];
  readonly authorSecret: Uint8Array;
  readonly clock: Clock;
  readonly cycleSeconds: number;
  /** Distance of the macro editions; none are made when absent. */
  readonly macroSeconds?: number;
  readonly policy: GatePolicy;
  /** `name+hash+key` of whoever signs the checkpoints of the log. */
  readonly verifierKey?: string;
  /** What the weekly judgement needs; none is made when absent. */
  readonly validation?: Pick<ValidationParts, 'reader' | 'signer' | 'codeVersion' | 'onEpoch'>;
  readonly salt?: () => Uint8Array;
  readonly onFrame?: (header: RecordedHeader, milliseconds: number) => void;
  readonly onEdition?: (edition: Stated, milliseconds: number) => void;
  readonly onFailure?: (what: string, error: unknown) => void;
  /** Waiting is injected so that tests can turn the clock. */
  readonly until?: (at: Instant) => Promise<void>;
}

export interface Recorder {
  /** Ends when a stop was asked for and everything in hand is stored. Rejects when the archive can no longer be written. */
  readonly done: Promise<void>;
  status(): RecorderStatus;
  stop(): void;
}

export async function startRecorder(parts: RecorderParts): Promise<Recorder> {
  const { archive, bus, connectors, authorSecret, clock, cycleSeconds } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const until = parts.until ?? waitUntil(clock, signal);
  const { ingest, state } = await openMeasuringIngest(
    archive,
    authorSecret,
    clock,
    boundaryBefore(clock(), cycleSeconds),
  );
  const salt = parts.salt ?? (() => randomBytes(32));
  const cycle = await AttentionCycle.resume(
    { archive, state, cycleSeconds, policy: parts.policy, salt, verifierKey: parts.verifierKey ?? null },
    clock(),
  );
  const turnstile = new Turnstile();
  const macro =
    parts.macroSeconds === undefined
      ? null
      : new MacroCycle({
          archive,
          everySeconds: parts.macroSeconds,
          alone: (work) => turnstile.pass(work).catch(giveUp),
          signal,
          onEdition: async (stated, milliseconds) => {
            parts.onEdition?.(stated, milliseconds);
            await bus.publish('macro.frame', JSON.stringify(stated));
          },
          onFailure: (error) => parts.onFailure?.('macro', error),
        });
  const validation =
    parts.validation === undefined
      ? null
      : new ValidationCycle({
          ...parts.validation,
          archive,
          clock,
          alone: (work) => turnstile.pass(work).catch(giveUp),
          signal,
          onFailure: (error) => parts.onFailure?.('validation', error),
        });
  const broken = deferred<never>();

  const status = (): RecorderStatus => ({ at: clock(), sources: runs.map((run) => run.status()) });
  const tellStatus = (): void => {
    bus.publish('recorder.status', JSON.stringify(status())).catch((error: unknown) => {
      parts.onFailure?.('status', error);
    });
  };
  const runs = connectors.map(
    (connector) =>
      new SourceRun({
        connector,
        cursor: () => archive.cursor(connector.name),
        ingest: (incoming) =>
          turnstile
            .pass(() =>
              ingest(incoming, (facts) => {
                cycle.note(facts);
                macro?.take(facts);
              }),
            )
            .catch(giveUp),
        context: { signal, clock, until },
        onChange: tellStatus,
        onFailure: (name, error) => parts.onFailure?.(name, error),
      }),
  );

  /** A writer that cannot write must not go on as if it could: whoever started it starts it anew. */
  function giveUp(error: unknown): never {
    broken.reject(error);
    stopping.abort();
    throw error;
  }

  async function turn(at: Instant): Promise<void> {
    const startedAt = performance.now();
    const published = await turnstile.pass(() => cycle.run(at)).catch(giveUp);
    parts.onFrame?.(published.header, performance.now() - startedAt);
    // The tape does not depend on its listeners: who missed a frame finds it in the archive.
    await bus.publish('attention.frame', JSON.stringify(published)).catch((error: unknown) => {
      parts.onFailure?.('bus', error);
    });
    tellStatus();
  }

  const tapeTurned = deferred();
  let allSettled = false;

  /** What needs the whole past waits until every source has told it. */
  function turnTheRest(at: Instant): void {
    if (!allSettled || signal.aborted) return;
    macro?.turn(at);
    validation?.turn(at);
  }

  async function turnTape(): Promise<void> {
    const awaited = runs.filter((_, i) => !connectors[i]!.macroOnly);
    await Promise.race([Promise.all(awaited.map((run) => run.settled)), aborted(signal)]);
    while (!signal.aborted) {
      const at = boundaryBefore(clock(), cycleSeconds);
      if (cycle.lastAt === null || at > cycle.lastAt) await turn(at);
      tapeTurned.resolve();
      turnTheRest(at);
      // The next one, also when it has come meanwhile.
      await until(at + cycleSeconds * SECOND);
    }
  }

  const running = runs.map(async (run, i) => {
    if (connectors[i]!.macroOnly) await Promise.race([tapeTurned.promise, aborted(signal)]);
    await run.run();
  });
  void Promise.all(runs.map((run) => run.settled)).then(() => {
    allSettled = true;
    // With long cycles the next boundary may be an hour away.
    if (cycle.lastAt !== null) turnTheRest(cycle.lastAt);
  });
  const work = Promise.all([turnTape(), ...running])
    .then(() => macro?.idle())
    .then(() => validation?.idle())
    .then(() => turnstile.idle());
  return { done: Promise.race([work, broken.promise]), status, stop: () => stopping.abort() };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
