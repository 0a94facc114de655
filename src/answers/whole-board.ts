// All rows of the newest frame, read once per frame and shared by the answers that look at the whole board.
import type { RecordedHeader, Row } from '../domain/facts/frame.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { LiveBoard } from './live-board.js';
import { newestFrame } from './newest-frame.js';

export interface Board {
  readonly header: RecordedHeader;
  readonly rows: readonly Row[];
}

export class WholeBoard {
  readonly #archive: ArchiveReader;
  readonly #live: LiveBoard;
  #kept: { readonly at: number; readonly board: Promise<Board> } | null = null;

  constructor(archive: ArchiveReader, live: LiveBoard) {
    this.#archive = archive;
    this.#live = live;
  }

  newest(): Promise<Board> {
    const { header } = newestFrame(this.#live);
    if (this.#kept?.at === header.at) return this.#kept.board;
    const board = this.#read(header);
    this.#kept = { at: header.at, board };
    // A failed reading is forgotten, so that the next question tries again.
    board.catch(() => {
      if (this.#kept?.board === board) this.#kept = null;
    });
    return board;
  }

  async #read(header: RecordedHeader): Promise<Board> {
    return { header, rows: (await this.#archive.boardAt(header.at)) ?? [] };
  }
}
