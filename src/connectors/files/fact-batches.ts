// Collects what the lines of a file say into batches, with every line that was refused and why.
import type { Report } from '../../domain/facts/fact.js';
import type { PostReport } from '../../domain/facts/post.js';
import type { Clock } from '../../kernel/instant.js';
import { type RawRecord, Refused, refuse } from './fields.js';
import type { FileFormat } from './file-format.js';
import { LineSplitter } from './line-splitter.js';
import type { Intake, ReadingAt, ReleaseOf } from './record-kind.js';
import { RecordReader, type RecordSink } from './record-reader.js';

export interface RejectedLine {
  /** Where the record begins, counted from 1. */
  readonly line: number;
  readonly reason: string;
  /** The record as it stands in the file, at most `SHOWN_CHARACTERS` of it. */
  readonly text: string;
}

export interface Gathered {
  readonly posts: readonly PostReport[];
  readonly facts: readonly Report[];
  readonly rejected: readonly RejectedLine[];
  /** Lines read since the file began. */
  readonly lines: number;
}

export interface GatheringOptions {
  readonly clock: Clock;
  readonly source: string;
  /** Null where the first line has to tell it. */
  readonly format: FileFormat | null;
  readonly releaseOf: ReleaseOf;
  readonly onLine?: ((line: number) => void) | undefined;
  readonly admit?: Admit | undefined;
}

/** A further look at a fact by whoever will store it: as it may be stored, or the reason why not. */
export type Admit = (report: Report) => Report | string;

export const SHOWN_CHARACTERS = 2_000;
const BATCH_LINES = 1_000;
/** Long lines fill a batch sooner, so that a batch is bounded whatever the file holds. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

export class FactBatches {
  readonly #splitter: LineSplitter;
  readonly #records: RecordReader;
  readonly #clock: Clock;
  #ready: Gathered[] = [];
  #posts: PostReport[] = [];
  #facts: Report[] = [];
  #rejected: RejectedLine[] = [];
  #firstLine = 0;
  #characters = 0;
  #now: number;

  constructor(intake: Intake, { clock, source, format, releaseOf, onLine, admit }: GatheringOptions) {
    this.#clock = clock;
    this.#now = clock();
    const reading = (): ReadingAt => ({ now: this.#now, source, releaseOf });
    const take =
      intake.into === 'posts'
        ? (record: RawRecord) => this.#posts.push(intake.kind.read(record, reading()))
        : (record: RawRecord) => {
            const read = intake.kind.read(record, reading());
            const admitted = admit === undefined ? read : admit(read);
            if (typeof admitted === 'string') refuse(admitted);
            this.#facts.push(admitted);
          };
    const sink: RecordSink = {
      record: (record, line, text) => {
        try {
          take(record);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          this.#refuse(line, error.message, text);
        }
      },
      refuse: (line, reason, text) => this.#refuse(line, reason, text),
    };
    this.#records = new RecordReader(intake.kind, sink, format);
    this.#splitter = new LineSplitter((text, flaw, oddQuotes) => {
      this.#records.line(text, flaw, oddQuotes);
      onLine?.(this.#records.lines);
      this.#characters += text.length;
      if (this.#records.lines - this.#firstLine >= BATCH_LINES || this.#characters >= BATCH_CHARACTERS)
        this.#close();
    });
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /** The end of the file; an unfinished last line counts. */
  end(): void {
    this.#splitter.end();
    this.#records.end();
  }

  /** Batches that are full. */
  *full(): Generator<Gathered> {
    const ready = this.#ready;
    this.#ready = [];
    yield* ready;
  }

  /** What stands so far, full or not; for the end, and before an error is passed on. */
  rest(): Gathered {
    this.#close();
    return this.#ready.pop()!;
  }

  #refuse(line: number, reason: string, text: string): void {
    this.#rejected.push({ line, reason, text: shown(text) });
  }

  #close(): void {
    this.#ready.push({
      posts: this.#posts,
      facts: this.#facts,
      rejected: this.#rejected,
      lines: this.#records.lines,
    });
    this.#posts = [];
    this.#facts = [];
    this.#rejected = [];
    this.#firstLine = this.#records.lines;
    this.#characters = 0;
    this.#now = this.#clock();
  }
}

/** Copied rather than sliced: a slice would keep the whole record in memory behind it. */
function shown(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const cut = text.slice(0, SHOWN_CHARACTERS);
  const whole = /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
  return Buffer.from(whole).toString();
}
