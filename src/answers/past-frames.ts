// The frame that answers for a past instant: the recorded one, or one computed from what was known then.
import { Failure } from '../contracts/failures.js';
import { recallAttention } from '../domain/attention/recall.js';
import type { Frame, FrameHeader, RecordedHeader, Row } from '../domain/facts/frame.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { parseInstant, SECOND } from '../kernel/instant.js';
import { Turnstile } from '../kernel/turnstile.js';
import type { ArchiveReader } from '../ports/archive.js';

export type FrameOfInstant =
  | { readonly recorded: true; readonly header: RecordedHeader }
  | { readonly recorded: false; readonly header: FrameHeader; readonly rows: readonly Row[] };

const KEPT_COMPUTED_FRAMES = 16;
const MOST_WAITING = 8;

export class PastFrames {
  readonly #archive: ArchiveReader;
  readonly #clock: Clock;
  readonly #computed = new Map<Instant, Frame>();
  readonly #turnstile = new Turnstile();
  #waiting = 0;

  constructor(archive: ArchiveReader, clock: Clock) {
    this.#archive = archive;
    this.#clock = clock;
  }

  /** Reads `as_of` and refuses instants that have not come or that the archive cannot know. */
  async instantOf(asOf: string): Promise<Instant> {
    const at = parseInstant(asOf);
    if (at === null) throw new Failure('invalid_as_of');
    const { firstKnownAt } = await this.#archive.extent();
    if (at > this.#clock() || firstKnownAt === null || at < firstKnownAt)
      throw new Failure('as_of_out_of_range');
    return at;
  }

  async at(instant: Instant): Promise<FrameOfInstant> {
    const header = await this.#archive.frameAt(instant);
    // A frame answers for the span of its own cycle; beyond it the recorder was silent and the past is computed.
    if (header && instant < header.at + 2 * header.cycleSeconds * SECOND) return { recorded: true, header };
    const frame = await this.#compute(instant);
    return { recorded: false, ...frame };
  }

  async row(frame: FrameOfInstant, ticker: string): Promise<Row | null> {
    if (frame.recorded) return this.#archive.rowAt(frame.header.at, ticker);
    return frame.rows.find((row) => row.ticker === ticker) ?? null;
  }

  async board(frame: FrameOfInstant): Promise<readonly Row[]> {
    return frame.recorded ? ((await this.#archive.boardAt(frame.header.at)) ?? []) : frame.rows;
  }

  async #compute(at: Instant): Promise<Frame> {
    if (this.#waiting >= MOST_WAITING) throw new Failure('replay_busy', { retryAfterSeconds: 2 });
    this.#waiting++;
    try {
      return await this.#turnstile.pass(async () => {
        const known = this.#computed.get(at);
        if (known) return known;
        const [{ highWater }, slots] = await Promise.all([this.#archive.extent(), this.#archive.slots()]);
        const state = await recallAttention(this.#archive, { knownBy: at, upToSequence: highWater });
        const frame = state.frame({ at, cycleSeconds: 1, highWater, tickers: [...slots.keys()] });
        if (this.#computed.size >= KEPT_COMPUTED_FRAMES)
          this.#computed.delete(this.#computed.keys().next().value!);
        this.#computed.set(at, frame);
        return frame;
      });
    } finally {
      this.#waiting--;
    }
  }
}
