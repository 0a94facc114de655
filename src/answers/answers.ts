// One function per operation: the whole read side, put together from the ports.
import type { Answers } from '../contracts/operations.js';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';
import type { Counters } from '../ports/counters.js';
import { AssetNames } from './asset-names.js';
import { healthAnswer, RecorderWatch } from './health.js';
import { LiveBoard } from './live-board.js';
import { PastFrames } from './past-frames.js';
import { snapshotAnswers } from './snapshot.js';

export interface ReadSide {
  readonly answers: Answers;
  readonly live: LiveBoard;
  close(): Promise<void>;
}

export interface ReadParts {
  readonly archive: ArchiveReader;
  readonly bus: Bus;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly version: string;
}

export async function openReadSide(parts: ReadParts): Promise<ReadSide> {
  const { archive, bus, counters, clock, version } = parts;
  const [live, watch] = await Promise.all([LiveBoard.open(archive, bus), RecorderWatch.open(bus)]);
  const past = new PastFrames(archive, clock);
  const names = new AssetNames(archive, clock);
  return {
    answers: {
      ...snapshotAnswers({ live, past, names, clock }),
      health: healthAnswer({ archive, bus, counters, live, clock, version }, watch),
    },
    live,
    async close() {
      await Promise.all([live.close(), watch.close()]);
    },
  };
}
