// One turn of the attention tape: measure the boundary, say what changed, record both, tell what listeners should hear.
import { SIGNALS } from '../domain/attention/signal-parameters.js';
import { type BoardMoment, frameSignals, rotation, signal } from '../domain/attention/signals.js';
import type { Emission } from '../domain/facts/emission.js';
import type { Fact } from '../domain/facts/fact.js';
import type { Frame, RecordedHeader } from '../domain/facts/frame.js';
import { type PublishedFrame, publishedFrame } from '../domain/facts/published.js';
import type { Instant } from '../kernel/instant.js';
import { DAY, HOUR } from '../kernel/instant.js';
import type { ArchiveReader, ArchiveWriter } from '../ports/archive.js';
import { FrameLog } from './frame-log.js';
import { Patrol, type PatrolParts } from './patrol.js';

export interface CycleParts extends PatrolParts {
  readonly archive: ArchiveWriter;
  /** `name+hash+key` of whoever signs the checkpoints of the log. */
  readonly verifierKey?: string | null;
}

const EVER = Number.MAX_SAFE_INTEGER;

export class AttentionCycle {
  readonly #parts: CycleParts;
  readonly #patrol: Patrol;
  readonly #log: FrameLog;
  #previous: BoardMoment | null = null;
  #silent: ReadonlySet<string> = new Set();
  #restated = new Map<string, number>();

  private constructor(parts: CycleParts, patrol: Patrol, log: FrameLog, previous: BoardMoment | null) {
    this.#parts = parts;
    this.#patrol = patrol;
    this.#log = log;
    this.#previous = previous;
  }

  /** Takes up the tape where the last recorder left it: what it had told is not told again, what it had not, is. */
  static async resume(parts: CycleParts, now: Instant): Promise<AttentionCycle> {
    const { archive, verifierKey = null } = parts;
    const log = await FrameLog.resume(archive, { verifierKey, now });
    const patrol = await Patrol.resume(parts, archive, now);
    const last = await archive.frameAt(EVER);
    if (!last) return new AttentionCycle(parts, patrol, log, null);
    const rows = (await archive.boardAt(last.at)) ?? [];
    const cycle = new AttentionCycle(parts, patrol, log, { header: last, rows });
    cycle.#silent = await silentAt(last, archive);
    for await (const facts of archive.facts('post_change', { knownBy: EVER, after: last.at - DAY }))
      cycle.note(facts.filter(({ sequence }) => sequence > last.sequence));
    return cycle;
  }

  get lastAt(): Instant | null {
    return this.#previous?.header.at ?? null;
  }

  /** Counts what happened to posts that were counted before: told with the next frame. */
  note(facts: readonly Fact[]): void {
    for (const { body } of facts) {
      if (body.kind === 'post_change')
        this.#restated.set(body.change, (this.#restated.get(body.change) ?? 0) + 1);
    }
  }

  async run(at: Instant): Promise<PublishedFrame> {
    const { archive, state, cycleSeconds } = this.#parts;
    const [{ highWater }, slots] = await Promise.all([archive.extent(), archive.slots()]);
    const tickers = [...slots.keys()];
    const frame = state.frame({ at, cycleSeconds, highWater, tickers });
    const emissions = [
      ...frameSignals(this.#previous, frame, (ticker) => state.isFirst(ticker, at)),
      ...this.#coverage(frame),
      ...(await this.#rotation(frame)),
    ];
    // The frame itself takes the next place in the sequence, its emissions the ones after it.
    emissions.push(...this.#patrol.walk(frame, highWater + 2 + emissions.length));
    const statements = this.#log.statements(frame, emissions, tickers);
    const header = await archive.appendFrame(frame, emissions, statements);
    const published = publishedFrame(header, frame.rows, this.#previous?.rows ?? null);
    this.#previous = frame;
    this.#restated = new Map();
    return published;
  }

  /** Sources that fell silent or came back, and posts that were deleted or changed after they were counted. */
  #coverage({ header }: Frame): Emission[] {
    const { state } = this.#parts;
    const { at, sourceSet } = header;
    const silent = new Set(
      sourceSet.sources.filter((source) => at - (state.sources.lastAt(source) ?? at) > SIGNALS.silence),
    );
    const found: Emission[] = [];
    const tell = (reason: string, prev: unknown, now: unknown): void => {
      found.push(signal('data.coverage_changed', null, { prev, now, evidence: { reason } }));
    };
    for (const source of silent) if (!this.#silent.has(source)) tell('source_silent', { source }, { source });
    for (const source of this.#silent)
      if (!silent.has(source)) tell('source_resumed', { source }, { source });
    // Before the first frame nothing had been counted that could be restated.
    if (this.#previous && this.#restated.size > 0)
      tell('restatement', null, Object.fromEntries(this.#restated));
    this.#silent = silent;
    return found;
  }

  /** Judged at the first frame of every clock hour, against the frame of an hour ago. */
  async #rotation({ header: { at }, rows }: Frame): Promise<Emission[]> {
    const last = this.#previous?.header.at;
    if (last === undefined || Math.floor(last / HOUR) === Math.floor(at / HOUR)) return [];
    const header = await this.#parts.archive.frameAt(at - HOUR);
    // After a gap in the tape the last frame before it may be days old.
    if (!header || at - header.at >= 2 * HOUR) return [];
    const then = await this.#parts.archive.boardAt(header.at);
    const told = then ? rotation(then, rows) : null;
    return told ? [told] : [];
  }
}

/** Sources that were silent when a frame was recorded. */
async function silentAt(
  { at, highWater, sourceSet }: RecordedHeader,
  archive: ArchiveReader,
): Promise<ReadonlySet<string>> {
  const silent = new Set(sourceSet.sources);
  const lately = { knownBy: EVER, after: at - SIGNALS.silence - 1, upToSequence: highWater };
  for (const kind of ['post', 'count'] as const) {
    for await (const facts of archive.facts(kind, lately))
      for (const { source } of facts) silent.delete(source);
  }
  return silent;
}
