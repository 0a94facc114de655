// The desk in this very thread, on an archive reader: for the command line, for tests, and inside the thread of its own.
import { type Briefing, briefingAt } from '../../domain/macro/briefing.js';
import { changesBetween } from '../../domain/macro/changes.js';
import { editionAt } from '../../domain/macro/edition.js';
import type { IndexDetail } from '../../domain/macro/index-detail.js';
import { dayOfSession, lastStepBy, stepOf } from '../../domain/macro/sessions.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { writeDay } from '../../kernel/new-york-time.js';
import { Turnstile } from '../../kernel/turnstile.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { ChangesAt, ComputedEdition, MacroDesk } from './macro-desk.js';
import { RecalledState } from './recalled-state.js';
import { StatedChanges } from './stated-changes.js';

export function localMacroDesk(archive: ArchiveReader, clock: Clock): MacroDesk {
  const recalled = new RecalledState(archive, clock);
  const stated = new StatedChanges(archive);
  const turnstile = new Turnstile();

  /** Frames at the sessions' steps with `from` < at ≤ `to`, and that of the last instant, each against the one before. */
  async function steps(from: Instant, to: Instant, last: Instant | null): Promise<ChangesAt[]> {
    const state = await recalled.current();
    const found: ChangesAt[] = [];
    const first = lastStepBy(from);
    let before = state.frame(stepOf(first));
    const compare = (at: Instant): void => {
      const frame = state.frame(at);
      found.push({ at, changes: changesBetween(before, frame) });
      before = frame;
    };
    for (let session = first + 1; stepOf(session) <= to; session += 1) compare(stepOf(session));
    if (last !== null) compare(last);
    return found;
  }

  return {
    edition: (at) =>
      turnstile.pass(async (): Promise<ComputedEdition> => {
        const state = await recalled.current();
        const edition = editionAt(state, at);
        return { edition, highWater: recalled.highWater, knowledge: recalled.knowledge(at) };
      }),

    briefing: (at) => turnstile.pass(async (): Promise<Briefing> => briefingAt(await recalled.current(), at)),

    drivers: (ticker, at) =>
      turnstile.pass(async () => {
        const state = await recalled.current();
        return state.drivers(state.frame(at), ticker) ?? [];
      }),

    detail: (symbol, at, points) =>
      turnstile.pass(async (): Promise<IndexDetail> => {
        const detail = (await recalled.current()).detail(symbol, at, points);
        if (detail === null) throw new RangeError('there is no such index');
        return detail;
      }),

    regimes: (at, sessions) =>
      turnstile.pass(async () => {
        const state = await recalled.current();
        const last = lastStepBy(at);
        const wanted = Array.from({ length: sessions }, (_, i) => last - sessions + 1 + i);
        return wanted.flatMap((session) => {
          const step = state.stepAt(stepOf(session));
          return step?.session === session
            ? [{ date: writeDay(dayOfSession(session)), label: step.label }]
            : [];
        });
      }),

    changes: (from, to) =>
      turnstile.pass(async () => {
        // Stated editions tell what was published; before the first of them the days are compared as they were known.
        const { beginsAt, changes } = await stated.between(from, to);
        if (beginsAt !== null && beginsAt <= from) return changes;
        return [...(await steps(from, beginsAt === null ? to : beginsAt - 1, beginsAt)), ...changes];
      }),

    close: () => turnstile.idle(),
  };
}
