// The recorder's side of the archive file: every call is one transaction, and a failed one leaves no trace.
import type { Emission } from '../../domain/facts/emission.js';
import type { Fact } from '../../domain/facts/fact.js';
import { DENOMINATOR_STATES, type Frame, type RecordedHeader } from '../../domain/facts/frame.js';
import type { Statement as Said, Stated } from '../../domain/facts/statement.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import type { FrontierState } from '../../kernel/merkle.js';
import type { Appended, ArchiveWriter, Batch } from '../../ports/archive.js';
import { ArchiveUnavailable, FrameStands } from '../../ports/archive.js';
import { stampEmissions } from '../emissions.js';
import { headerText } from '../frame-header.js';
import { growLog, livePlaces, placesWith } from '../leaves.js';
import { Stamping, type Tail } from '../stamping.js';
import { type NumberedDenominator, TapePages } from '../tape-pages.js';
import { type Connection, isEngineFault, numberIn, type Statement } from './connection.js';
import { writeEmission } from './emissions.js';
import { FactWrites } from './fact-writes.js';
import { LogWrites } from './log-writes.js';
import { MentionWrites } from './mention-writes.js';
import { SqliteReader } from './reader.js';
import type { RecorderLock } from './recorder-lock.js';
import { pageId } from './tape-reads.js';

/** The stored end of the archive. */
interface End extends Tail {
  readonly firstKnownAt: Instant | null;
  readonly lastKnownAt: Instant | null;
}

export class SqliteWriter extends SqliteReader implements ArchiveWriter {
  readonly #clock: Clock;
  readonly #lock: RecorderLock;
  readonly #mentions: MentionWrites;
  readonly #writes: FactWrites;
  readonly #logWrites: LogWrites;
  readonly #readEnd: Statement;
  readonly #storeEnd: Statement;
  readonly #storeCursor: Statement;
  readonly #insertFrame: Statement;
  readonly #insertPage: Statement;
  readonly #insertDenominator: Statement;
  readonly #pages: TapePages;
  #open = true;
  #end: End;
  #frame: number;
  #boundary: Instant | null;
  #logEnd: FrontierState;

  constructor(connection: Connection, location: string, clock: Clock, lock: RecorderLock) {
    super(connection, location);
    this.#clock = clock;
    this.#lock = lock;
    this.#mentions = new MentionWrites(connection);
    this.#writes = new FactWrites(connection, this.dictionaries, this.#mentions);
    this.#logWrites = new LogWrites(connection);
    this.#readEnd = connection.prepare('SELECT sequence, live_at, first_known_at, last_known_at FROM tail');
    this.#storeEnd = connection.prepare(
      'UPDATE tail SET sequence = ?, live_at = ?, first_known_at = ?, last_known_at = ?',
    );
    this.#storeCursor = connection.prepare(
      'INSERT INTO cursor VALUES (?, ?) ON CONFLICT (connector) DO UPDATE SET value = excluded.value',
    );
    this.#insertFrame = connection.prepare('INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#insertPage = connection.prepare('INSERT INTO page VALUES (?, ?, ?)');
    this.#insertDenominator = connection.prepare('INSERT INTO denominator VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#end = this.#storedEnd();
    this.dictionaries.names.refresh();
    this.dictionaries.tickers.refresh();
    const tape = this.tape.tail();
    this.#pages = new TapePages(tape);
    this.#frame = tape.frame;
    this.#boundary = tape.at;
    this.#logEnd = this.log.end();
  }

  async append({ facts: reports, cursor }: Batch): Promise<Appended> {
    const stamping = new Stamping(this.#clock, this.#end);
    let facts: readonly Fact[] = [];
    const end = this.#atomically(() => {
      facts = this.#writes.writeAll(reports, stamping);
      this.#mentions.finish();
      if (cursor !== undefined) this.#storeCursor.run(cursor.connector, cursor.value);
      return facts.length === 0 ? this.#end : this.#moveEnd(stamping.tail, facts);
    });
    this.#end = end;
    return { facts, duplicates: reports.length - facts.length, highWater: end.sequence };
  }

  async assignSlots(tickers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.#atomically(() => {
      for (const ticker of tickers) this.dictionaries.tickers.give(ticker);
    });
    return this.dictionaries.tickers.entries();
  }

  async state(statements: readonly Said[]): Promise<readonly Stated[]> {
    const stamping = new Stamping(this.#clock, this.#end);
    const growth = growLog(this.#logEnd, statements, livePlaces(stamping));
    if (statements.length === 0) return [];
    this.#end = this.#atomically(() => {
      this.#logWrites.write(growth);
      return this.#moveEnd(stamping.tail, []);
    });
    this.#logEnd = growth.end;
    return growth.leaves.map(({ stated }) => stated);
  }

  async appendFrame(
    { header, rows }: Frame,
    emissions: readonly Emission[] = [],
    statements: readonly Said[] = [],
  ): Promise<RecordedHeader> {
    if (this.#boundary !== null && header.at <= this.#boundary) throw new FrameStands(header.at);
    const number = this.#frame + 1;
    const plan = this.#pages.plan(number, rows, this.dictionaries.tickers.entries());
    const stamping = new Stamping(this.#clock, this.#end);
    const recorded: RecordedHeader = { ...header, ...stamping.frame(header.at) };
    const emitted = stampEmissions(stamping, header.at, emissions);
    const growth = growLog(this.#logEnd, statements, placesWith(stamping, recorded.knownAt));
    const end = this.#atomically(() => {
      const { at, sequence, knownAt, highWater, fingerprint } = recorded;
      this.#insertFrame.run(number, at, sequence, knownAt, highWater, fingerprint, headerText(header));
      for (const denominator of plan.denominators) this.#storeDenominator(denominator);
      for (const { page, keyFrame, bytes } of plan.pages)
        this.#insertPage.run(pageId(page, number), keyFrame, bytes);
      for (const one of emitted) writeEmission(this.connection, one);
      this.#logWrites.write(growth);
      return this.#moveEnd(stamping.tail, []);
    });
    plan.commit();
    this.#end = end;
    this.#frame = number;
    this.#boundary = header.at;
    this.#logEnd = growth.end;
    return recorded;
  }

  override async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#atomically(() => this.#mentions.settle());
      // The file alone is then the whole archive, ready to be copied.
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      await super.close();
      this.#lock.release();
    }
  }

  /** What memory took over from a transaction that failed is read again from the file. */
  #atomically<T>(work: () => T): T {
    try {
      return this.connection.transaction(work);
    } catch (error) {
      this.dictionaries.names.reload();
      this.dictionaries.tickers.reload();
      this.#writes.reload();
      this.#mentions.reload();
      throw isEngineFault(error) ? new ArchiveUnavailable(this.location, error) : error;
    }
  }

  #moveEnd({ sequence, liveAt }: Tail, facts: readonly Fact[]): End {
    let { firstKnownAt, lastKnownAt } = this.#end;
    for (const { knownAt } of facts) {
      if (firstKnownAt === null || knownAt < firstKnownAt) firstKnownAt = knownAt;
      if (lastKnownAt === null || knownAt > lastKnownAt) lastKnownAt = knownAt;
    }
    this.#storeEnd.run(sequence, liveAt, firstKnownAt, lastKnownAt);
    return { sequence, liveAt, firstKnownAt, lastKnownAt };
  }

  #storedEnd(): End {
    const cells = this.#readEnd.get()!;
    return {
      sequence: numberIn(cells[0]),
      liveAt: cells[1] as Instant | null,
      firstKnownAt: cells[2] as Instant | null,
      lastKnownAt: cells[3] as Instant | null,
    };
  }

  #storeDenominator({ ref, denominator }: NumberedDenominator): void {
    const { state, usdBillions, shares, sharesKnownAt, sharesSource, close, closeDate } = denominator;
    const source = sharesSource === null ? null : this.dictionaries.names.give(sharesSource);
    const stateNumber = DENOMINATOR_STATES.indexOf(state);
    this.#insertDenominator.run(
      ref,
      stateNumber,
      usdBillions,
      shares,
      sharesKnownAt,
      source,
      close,
      closeDate,
    );
  }
}
