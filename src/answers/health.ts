// The readiness answer: every part is asked, and each may fail on its own.
import type { Health } from '../contracts/readiness.js';
import type { RecorderStatus } from '../domain/facts/recorder-status.js';
import type { Clock } from '../kernel/instant.js';
import { formatInstant, SECOND } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import { isFixture } from './board-shapes.js';
import type { LiveBoard } from './live-board.js';

export interface HealthParts {
  readonly archive: ArchiveReader;
  readonly bus: Bus;
  readonly counters: Counters;
  readonly live: LiveBoard;
  readonly clock: Clock;
  readonly version: string;
}

/** Follows what the recorder says of its sources. */
export class RecorderWatch {
  #status: RecorderStatus | null = null;
  #leave: (() => Promise<void>) | null = null;

  static async open(bus: Bus): Promise<RecorderWatch> {
    const watch = new RecorderWatch();
    watch.#leave = await bus.subscribe('recorder.status', (message) => {
      watch.#status = JSON.parse(message) as RecorderStatus;
    });
    return watch;
  }

  get status(): RecorderStatus | null {
    return this.#status;
  }

  async close(): Promise<void> {
    await this.#leave?.();
  }
}

type Part = Health['archive'];
const OK: Part = { state: 'ok' };

export function healthAnswer(parts: HealthParts, watch: RecorderWatch) {
  const { archive, bus, counters, live, clock, version } = parts;
  return async (): Promise<Health> => {
    const now = clock();
    const [extent, counting] = await Promise.all([
      archive.extent().catch(() => null),
      counters.healthy().catch(() => false),
    ]);
    const archiveHealth: Part = extent ? OK : { state: 'down', detail: 'the archive does not answer' };
    const busHealth: Part = bus.healthy()
      ? OK
      : { state: 'down', detail: 'frames do not reach this process' };
    const countersHealth: Part = counting
      ? OK
      : { state: 'down', detail: 'the limiter store does not answer' };
    const header = live.latest?.header;
    const late = header && now - header.at > 3 * header.cycleSeconds * SECOND;
    const allUp = [archiveHealth, busHealth, countersHealth].every(({ state }) => state === 'ok');
    return {
      status: !allUp || late ? 'degraded' : header ? 'ok' : 'starting',
      service: 'barograph',
      version,
      now: formatInstant(now),
      archive: archiveHealth,
      bus: busHealth,
      counters: countersHealth,
      sources: (watch.status?.sources ?? []).map(({ source, state, progress, lastFactAt }) => ({
        source,
        state,
        ...(progress === undefined ? {} : { progress }),
        last_fact_at: lastFactAt === null ? null : formatInstant(lastFactAt),
      })),
      archive_begins_at: extent?.firstKnownAt == null ? null : formatInstant(extent.firstKnownAt),
      last_frame: header
        ? {
            as_of: formatInstant(header.at),
            age_s: Math.round((now - header.at) / SECOND),
            cycle_s: header.cycleSeconds,
          }
        : null,
      fixture: header ? isFixture(header) : false,
    };
  };
}
