// One function per operation: the whole read side, put together from the ports.
import type { Answers } from '../contracts/operations.js';
import type { Clock } from '../kernel/instant.js';
import type { NoteSigner } from '../kernel/signed-note.js';
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
import { Checkpoints } from './evidence/checkpoints.js';
import { Evidence } from './evidence/evidence.js';
import { logAnswers } from './evidence/log-answers.js';
import { type LogTiles, logTiles } from './evidence/log-tiles.js';
import { healthAnswer, RecorderWatch } from './health.js';
import { LiveBoard } from './live-board.js';
import { type MacroSide, openMacroSide } from './macro/macro-answers.js';
import type { MacroDesk } from './macro/macro-desk.js';
import { PastFrames } from './past-frames.js';
import { realnessAnswers } from './realness.js';
import { cohortAnswer } from './research/cohort.js';
import { signalAnswers } from './signals.js';
import { snapshotAnswers } from './snapshot.js';
import { type StandingOf, standingOf } from './standing.js';
import { tickerAnswer } from './ticker.js';
import { usageAnswer } from './usage.js';
import { validationAnswers } from './validation.js';
import { watchlistAnswers } from './watchlists.js';
import { WholeBoard } from './whole-board.js';

export interface ReadSide {
  readonly answers: Answers;
  readonly live: LiveBoard;
  readonly macro: Pick<MacroSide, 'live' | 'stated'>;
  /** For the receipts of tools. */
  readonly standing: StandingOf;
  /** The log as files. */
  readonly tiles: LogTiles;
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
  /** Signs the checkpoints of the log; without it they are refused. */
  readonly logSigner?: NoteSigner | null;
  /** Days after which everybody sees a verdict of the gate. */
  readonly revealDays?: number;
  /** Where macro questions beyond the newest edition are worked out; in this thread when absent. */
  readonly macroDesk?: MacroDesk;
}

const REVEAL_DAYS = 30;

export async function openReadSide(parts: ReadParts): Promise<ReadSide> {
  const { archive, bus, counters, watchlists, clock, version, revealDays = REVEAL_DAYS } = parts;
  const [live, watch] = await Promise.all([LiveBoard.open(archive, bus), RecorderWatch.open(bus)]);
  const past = new PastFrames(archive, clock);
  const names = new AssetNames(archive, clock);
  const cursors = new EventCursors(parts.cursorSecret);
  const instantOf = (asOf: string) => past.instantOf(asOf);
  const checkpoints = new Checkpoints(archive, parts.logSigner ?? null);
  const evidence = new Evidence(archive, checkpoints);
  const macro = await openMacroSide({
    archive,
    bus,
    clock,
    cursors,
    evidence,
    instantOf,
    desk: parts.macroDesk,
  });
  const board = new WholeBoard(archive, live);
  return {
    answers: withArchiveFailures({
      ...snapshotAnswers({ archive, live, past, evidence, clock }),
      snapshot_ticker: tickerAnswer({ archive, live, past, names, evidence, clock }),
      ...cohortAnswers({ board, names, clock }),
      ...watchlistAnswers({ watchlists, board, clock }),
      ...signalAnswers({ archive, cursors, clock }),
      ...realnessAnswers({ archive, live, past, names, evidence, clock, revealDays }),
      ...catalogueAnswers(),
      ...validationAnswers({ archive, past, clock }),
      ...macro.answers,
      api_scope: apiScopeAnswer(),
      diagnostics: diagnosticsAnswer({ archive, board, watch, clock }),
      customer_usage: usageAnswer(counters),
      hub_pit_identity_cohort: cohortAnswer({ archive, clock }),
      ...logAnswers(archive, checkpoints),
      health: healthAnswer({ archive, bus, counters, live, clock, version }, watch),
    } satisfies Answers),
    live,
    macro,
    tiles: withArchiveFailures(logTiles(archive, checkpoints)),
    standing: standingOf({ archive, live, origin: parts.logSigner?.name ?? null }),
    async close() {
      await Promise.all([live.close(), watch.close(), macro.close()]);
    },
  };
}
