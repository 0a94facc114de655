// Runs the cycles of a past span over archived facts: a study on one's own data.
import { recallAttention } from '../domain/attention/recall.js';
import type { FactKind } from '../domain/facts/fact.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { SECOND } from '../kernel/instant.js';
import type { ArchiveWriter } from '../ports/archive.js';
import { FrameStands } from '../ports/archive.js';
import { FrameLog, type LogOpening } from './frame-log.js';

/** Kinds that the attention measures read, references before what is measured against them. */
const KINDS: readonly FactKind[] = ['asset', 'shares', 'split', 'price', 'count', 'post'];

export interface ReplaySpan {
  readonly from: Instant;
  readonly to: Instant;
  readonly everySeconds: number;
}

/** Refuses to begin where recorded frames stand: the past is recorded once. */
export async function* replay(
  archive: ArchiveWriter,
  span: ReplaySpan,
  opening: LogOpening = { verifierKey: null, now: span.to },
): AsyncIterable<RecordedHeader> {
  const standing = await archive.frameAt(Number.MAX_SAFE_INTEGER);
  if (standing && standing.at >= span.from) throw new FrameStands(standing.at);
  const step = span.everySeconds * SECOND;
  const log = await FrameLog.resume(archive, opening);
  const tickers = [...(await archive.slots()).keys()];
  const { highWater } = await archive.extent();
  const state = await recallAttention(archive, { knownBy: span.from, upToSequence: highWater });
  for (let at = span.from; at <= span.to; at += step) {
    if (at > span.from) {
      for (const kind of KINDS) {
        const news = { knownBy: at, after: at - step, upToSequence: highWater };
        for await (const facts of archive.facts(kind, news)) state.take(facts);
      }
    }
    const frame = state.frame({ at, cycleSeconds: span.everySeconds, highWater, tickers });
    yield await archive.appendFrame(frame, [], log.statements(frame, [], tickers));
  }
}
