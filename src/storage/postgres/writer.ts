// The recorder's side of the archive in PostgreSQL: every write is one transaction in the session that holds the claim.
import type { Emission } from '../../domain/facts/emission.js';
import type { Frame, RecordedHeader } from '../../domain/facts/frame.js';
import type { Stated, Statement } from '../../domain/facts/statement.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import type { FrontierState } from '../../kernel/merkle.js';
import { type Appended, type ArchiveWriter, type Batch, FrameStands } from '../../ports/archive.js';
import { stampEmissions } from '../emissions.js';
import { growLog, livePlaces, placesWith } from '../leaves.js';
import { Stamping, stampBatch } from '../stamping.js';
import { requireStorable } from '../storable.js';
import { TapePages } from '../tape-pages.js';
import { beginEpoch, lockTail, moveTail } from './archive-state.js';
import { run, type Sql } from './driver.js';
import { writeEmissions } from './emissions.js';
import { writeFacts } from './fact-writes.js';
import { readLogEnd } from './log-reads.js';
import { writeGrowth } from './log-writes.js';
import { monthOf } from './months.js';
import { NameBook, NameDraft } from './names.js';
import { MONTHS_BACK, Partitions } from './partitions.js';
import type { Pool } from './pool.js';
import { PostgresReader } from './reader.js';
import { releaseRecorder } from './recorder-claim.js';
import type { Session } from './session.js';
import { readStored } from './stored-versions.js';
import { readBoard, readFrameAt } from './tape-reads.js';
import { writeFrame } from './tape-writes.js';

/** What the recorder keeps in memory between its transactions. */
interface Memory {
  readonly epoch: number;
  readonly names: NameBook;
  readonly partitions: Partitions;
  readonly tape: TapePages;
  /** Where the log ended when the recorder came. */
  readonly logEnd: FrontierState;
}

export async function openWriter(session: Session, pool: Pool, clock: Clock): Promise<ArchiveWriter> {
  const now = clock();
  const memory = await session.transaction(async (sql): Promise<Memory> => {
    const { epoch, firstMonth, lastDenominator } = await beginEpoch(sql, monthOf(now) - MONTHS_BACK);
    const names = new NameBook();
    await names.refresh(sql);
    const newest = await readFrameAt(sql, Number.MAX_SAFE_INTEGER);
    const rows = newest === null ? [] : ((await readBoard(sql, newest.at)) ?? []);
    return {
      epoch,
      names,
      partitions: await Partitions.open(sql, firstMonth),
      tape: new TapePages({ lastRef: lastDenominator, rows }),
      logEnd: await readLogEnd(sql),
    };
  });
  const writer = new PostgresWriter(session, pool, clock, memory);
  await writer.prepareMonthAfter(now);
  return writer;
}

class PostgresWriter extends PostgresReader implements ArchiveWriter {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #memory: Memory;
  #logEnd: FrontierState;

  constructor(session: Session, pool: Pool, clock: Clock, memory: Memory) {
    super(pool);
    this.#session = session;
    this.#clock = clock;
    this.#memory = memory;
    this.#logEnd = memory.logEnd;
  }

  async append({ facts: reports, cursor }: Batch): Promise<Appended> {
    for (const report of reports) requireStorable(report);
    const { names, partitions } = this.#memory;
    const appended = await this.#write(async (sql, stamping) => {
      const draft = new NameDraft(names);
      const { facts, duplicates } = stampBatch(reports, stamping, await readStored(sql, reports, names));
      const months = partitions.missing(facts);
      await partitions.make(sql, months);
      await writeFacts(sql, facts, draft);
      if (cursor !== undefined) await storeCursor(sql, cursor);
      await moveTail(sql, stamping.tail, facts);
      return {
        result: { facts, duplicates, highWater: stamping.tail.sequence },
        kept: () => {
          draft.keep();
          partitions.keep(months);
        },
      };
    });
    const last = appended.facts.findLast(({ backfilled }) => !backfilled);
    if (last !== undefined) await this.prepareMonthAfter(last.knownAt);
    return appended;
  }

  assignSlots(tickers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { names } = this.#memory;
    return this.#write(async (sql) => {
      const draft = new NameDraft(names);
      for (const ticker of tickers) draft.slotOf(ticker);
      await draft.store(sql);
      return { result: null, kept: () => draft.keep() };
    }).then(() => new Map(names.slots));
  }

  async state(statements: readonly Statement[]): Promise<readonly Stated[]> {
    if (statements.length === 0) return [];
    return this.#write(async (sql, stamping) => {
      const growth = growLog(this.#logEnd, statements, livePlaces(stamping));
      await writeGrowth(sql, growth);
      await moveTail(sql, stamping.tail, []);
      return {
        result: growth.leaves.map(({ stated }) => stated),
        kept: () => {
          this.#logEnd = growth.end;
        },
      };
    });
  }

  appendFrame(
    { header, rows }: Frame,
    emissions: readonly Emission[] = [],
    statements: readonly Statement[] = [],
  ): Promise<RecordedHeader> {
    const { names, tape } = this.#memory;
    return this.#write(async (sql, stamping) => {
      const newest = await readFrameAt(sql, Number.MAX_SAFE_INTEGER);
      if (newest !== null && newest.at >= header.at) throw new FrameStands(header.at);
      const plan = tape.plan(header.at, rows, names.slots);
      const recorded: RecordedHeader = { ...header, ...stamping.frame(header.at) };
      const emitted = stampEmissions(stamping, header.at, emissions);
      const growth = growLog(this.#logEnd, statements, placesWith(stamping, recorded.knownAt));
      await writeFrame(sql, recorded, plan);
      await writeEmissions(sql, emitted);
      await writeGrowth(sql, growth);
      await Promise.all([
        moveTail(sql, stamping.tail, []),
        run(sql, 'UPDATE barograph.archive_state SET last_denominator = $1 WHERE only_row', [plan.lastRef]),
      ]);
      return {
        result: recorded,
        kept: () => {
          plan.commit();
          this.#logEnd = growth.end;
        },
      };
    });
  }

  /** Ahead of its time and without insisting: making a partition waits for whoever reads the table, a backup too. */
  async prepareMonthAfter(now: Instant): Promise<void> {
    const { partitions } = this.#memory;
    const next = monthOf(now) + 1;
    if (!partitions.lacks(next)) return;
    const made = this.#session.transaction(async (sql) => {
      await sql.unsafe(`SET LOCAL lock_timeout = '1s'`);
      await partitions.make(sql, [next]);
    });
    await made.then(
      () => partitions.keep([next]),
      () => {},
    );
  }

  override async close(): Promise<void> {
    await releaseRecorder(this.#session);
    await super.close();
  }

  /** `kept` runs once the server has confirmed the commit: memory never runs ahead of the tables. */
  #write<T>(
    work: (sql: Sql, stamping: Stamping) => Promise<{ readonly result: T; readonly kept: () => void }>,
  ): Promise<T> {
    return this.#session
      .transaction(
        async (sql) => work(sql, new Stamping(this.#clock, await lockTail(sql, this.#memory.epoch))),
        ({ kept }) => kept(),
      )
      .then(({ result }) => result);
  }
}

async function storeCursor(sql: Sql, { connector, value }: NonNullable<Batch['cursor']>): Promise<void> {
  await run(
    sql,
    `INSERT INTO barograph.cursors (connector, value) VALUES ($1, $2)
     ON CONFLICT (connector) DO UPDATE SET value = excluded.value`,
    [connector, value],
  );
}
