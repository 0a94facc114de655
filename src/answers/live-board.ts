// The newest recorded frame, kept in memory by every API process and replaced when the bus brings a newer one.
import { type PublishedFrame, publishedFrame } from '../domain/facts/published.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Bus } from '../ports/bus.js';

export class LiveBoard {
  #latest: PublishedFrame | null = null;
  #leave: (() => Promise<void>) | null = null;
  readonly #listeners = new Set<() => void>();

  static async open(archive: ArchiveReader, bus: Bus): Promise<LiveBoard> {
    const board = new LiveBoard();
    // Subscribe first: a frame recorded while the archive is read must not be missed.
    board.#leave = await bus.subscribe('attention.frame', (message) => {
      board.#take(JSON.parse(message) as PublishedFrame);
    });
    await board.catchUp(archive);
    return board;
  }

  /** Reads the newest frame from the archive: at the start, and when the bus was away. */
  async catchUp(archive: ArchiveReader): Promise<void> {
    const header = await archive.frameAt(Number.MAX_SAFE_INTEGER);
    if (!header || (this.#latest && this.#latest.header.at >= header.at)) return;
    const [rows, before] = await Promise.all([archive.boardAt(header.at), archive.frameAt(header.at - 1)]);
    const previous = before ? await archive.boardAt(before.at) : null;
    this.#take(publishedFrame(header, rows ?? [], previous));
  }

  get latest(): PublishedFrame | null {
    return this.#latest;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    await this.#leave?.();
  }

  #take(frame: PublishedFrame): void {
    if (this.#latest && this.#latest.header.at >= frame.header.at) return;
    this.#latest = frame;
    for (const listener of this.#listeners) listener();
  }
}
