// One turn of the attention tape: measure the boundary, record the frame, say what listeners should hear.
import type { AttentionState } from '../domain/attention/attention-state.js';
import type { Row } from '../domain/facts/frame.js';
import { type PublishedFrame, publishedFrame } from '../domain/facts/published.js';
import type { Instant } from '../kernel/instant.js';
import type { ArchiveWriter } from '../ports/archive.js';

export interface CycleParts {
  readonly archive: ArchiveWriter;
  readonly state: AttentionState;
  readonly cycleSeconds: number;
}

export class AttentionCycle {
  readonly #parts: CycleParts;
  #previous: readonly Row[] | null = null;
  #lastAt: Instant | null = null;

  private constructor(parts: CycleParts) {
    this.#parts = parts;
  }

  /** Takes up the tape where the last recorder left it. */
  static async resume(parts: CycleParts): Promise<AttentionCycle> {
    const cycle = new AttentionCycle(parts);
    const last = await parts.archive.frameAt(Number.MAX_SAFE_INTEGER);
    if (last) {
      cycle.#lastAt = last.at;
      cycle.#previous = await parts.archive.boardAt(last.at);
    }
    return cycle;
  }

  get lastAt(): Instant | null {
    return this.#lastAt;
  }

  async run(at: Instant): Promise<PublishedFrame> {
    const { archive, state, cycleSeconds } = this.#parts;
    const [{ highWater }, slots] = await Promise.all([archive.extent(), archive.slots()]);
    const frame = state.frame({ at, cycleSeconds, highWater, tickers: [...slots.keys()] });
    const header = await archive.appendFrame(frame);
    const published = publishedFrame(header, frame.rows, this.#previous);
    this.#previous = frame.rows;
    this.#lastAt = at;
    return published;
  }
}
