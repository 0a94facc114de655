// States the macro editions of a past span over archived facts: a study on one's own data.
import { MACRO_KINDS } from '../domain/macro/recall.js';
import type { Instant } from '../kernel/instant.js';
import { SECOND } from '../kernel/instant.js';
import type { ArchiveWriter } from '../ports/archive.js';
import { FrameStands } from '../ports/archive.js';
import { FrameLog, type LogOpening } from './frame-log.js';
import { MacroTeller, newestEdition, newsIn } from './macro-teller.js';
import type { ReplaySpan } from './replay.js';

export interface ReplayedEdition {
  readonly at: Instant;
  /** False where the edition in force already said the same. */
  readonly stated: boolean;
}

/** Refuses to begin where editions stand: what was said was said once. */
export async function* replayMacro(
  archive: ArchiveWriter,
  span: ReplaySpan,
  opening: LogOpening = { verifierKey: null, now: span.to },
): AsyncIterable<ReplayedEdition> {
  const standing = await newestEdition(archive);
  if (standing && standing.at >= span.from) throw new FrameStands(standing.at);
  await FrameLog.resume(archive, opening);
  const step = span.everySeconds * SECOND;
  const { highWater } = await archive.extent();
  const teller = await MacroTeller.open(archive, { knownBy: span.from, upToSequence: highWater });
  for (let at = span.from; at <= span.to; at += step) {
    if (at > span.from) {
      for (const kind of [...MACRO_KINDS, 'post'] as const) {
        const news = { knownBy: at, after: at - step, upToSequence: highWater };
        for await (const facts of archive.facts(kind, news)) teller.take(newsIn(facts));
      }
    }
    const said = await teller.tell(at, highWater);
    if (said.length > 0) await archive.state(said);
    yield { at, stated: said.some(({ kind }) => kind === 'macro_frame') };
  }
}
