// One function per operation: the whole read side, put together from the ports.
import type { Answers } from '../contracts/operations.js';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import type { Watchlists } from '../ports/watchlists.js';
import { apiScopeAnswer } from './api-scope.js';
import { withArchiveFailures } from './archive-failures.js';
import { AssetNames } from './asset-names.js';
import { catalogueAnswers } from './catalogue.js';
import { cohortAnswers } from './cohorts.js';
import { diagnosticsAnswer } from './diagnostics.js';
import { EventCursors } from './event-cursor.js';
import { healthAnswer, RecorderWatch } from './health.js';
import { LiveBoard } from './live-board.js';
import { PastFrames } from './past-frames.js';
import { realnessAnswers } from './realness.js';
import { signalAnswers } from './signals.js';
import { snapshotAnswers } from './snapshot.js';
import { tickerAnswer } from './ticker.js';
import { usageAnswer } from './usage.js';
import { watchlistAnswers } from './watchlists.js';
import { WholeBoard } from './whole-board.js';

export interface ReadSide {
  readonly answers: Answers;
  readonly live: LiveBoard;
  close(): Promise<void>;
}

export interface ReadParts {
  readonly archive: ArchiveReader;
  readonly bus: Bus;
  readonly counters: Counters;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
  readonly version: string;
  /** Seals the cursors; shared by all processes that answer the same clients. */
  readonly cursorSecret: Uint8Array;
  /** Days after which everybody sees a verdict of the gate. */
  readonly revealDays?: number;
}

const REVEAL_DAYS = 30;

export async function openReadSide(parts: ReadParts): Promise<ReadSide> {
  const { archive, bus, counters, watchlists, clock, version, revealDays = REVEAL_DAYS } = parts;
  const [live, watch] = await Promise.all([LiveBoard.open(archive, bus), RecorderWatch.open(bus)]);
  const past = new PastFrames(archive, clock);
  const names = new AssetNames(archive, clock);
  const board = new WholeBoard(archive, live);
  return {
    answers: withArchiveFailures({
      ...snapshotAnswers({ archive, live, past, clock }),
      snapshot_ticker: tickerAnswer({ archive, live, past, names, clock }),
      ...cohortAnswers({ board, names, clock }),
      ...watchlistAnswers({ watchlists, board, clock }),
      ...signalAnswers({ archive, cursors: new EventCursors(parts.cursorSecret), clock }),
      ...realnessAnswers({ archive, live, past, names, clock, revealDays }),
      ...catalogueAnswers(),
      api_scope: apiScopeAnswer(),
      diagnostics: diagnosticsAnswer({ archive, board, watch, clock }),
      customer_usage: usageAnswer(counters),
      health: healthAnswer({ archive, bus, counters, live, clock, version }, watch),
    } satisfies Answers),
    live,
    async close() {
      await Promise.all([live.close(), watch.close()]);
    },
  };
}
