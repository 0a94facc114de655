// The archive in memory: for tests and for studies that need not outlive their process.
import type { Emission, EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import type { FactKind, FactOf } from '../../domain/facts/fact.js';
import type { Frame, RecordedHeader, Row } from '../../domain/facts/frame.js';
import type { Knowledge, MentionCount, SourceStart } from '../../domain/facts/knowledge.js';
import type { Stated, Statement, StatementQuery } from '../../domain/facts/statement.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { floorTo } from '../../kernel/instant.js';
import type { TreePlace } from '../../kernel/tree-proofs.js';
import type {
  Appended,
  ArchiveReader,
  ArchiveStore,
  ArchiveWriter,
  Batch,
  Extent,
  SlotRange,
} from '../../ports/archive.js';
import { FrameStands, RecorderBusy } from '../../ports/archive.js';
import { stampEmissions } from '../emissions.js';
import { growLog, livePlaces, placesWith } from '../leaves.js';
import { Stamping, stampBatch, tickersIn } from '../stamping.js';
import { requireSlotOrder } from '../tape-pages.js';
import { Claim } from './claim.js';
import { World } from './world.js';

const LOCATION = 'memory';
const READ_BATCH = 2_000;

/** All readers and writers of one store share one world. */
export function memoryStore({ clock }: { readonly clock: Clock }): ArchiveStore {
  const world = new World();
  const claim = new Claim();
  return {
    openReader: async () => new MemoryReader(world),
    async openWriter({ standby } = {}) {
      if (standby === undefined) {
        if (!claim.take()) throw new RecorderBusy(LOCATION);
      } else {
        await claim.wait(standby);
      }
      return new MemoryWriter(world, clock, () => claim.release());
    },
  };
}

class MemoryReader implements ArchiveReader {
  readonly location = LOCATION;
  protected readonly world: World;
  protected open = true;

  constructor(world: World) {
    this.world = world;
  }

  async extent(): Promise<Extent> {
    const { firstKnownAt, lastKnownAt, tail } = this.world;
    return { firstKnownAt, lastKnownAt, highWater: tail.sequence };
  }

  async *facts<K extends FactKind>(kind: K, knowledge: Knowledge): AsyncGenerator<readonly FactOf<K>[]> {
    const known = this.world.known(kind, knowledge);
    for (let i = 0; i < known.length; i += READ_BATCH) yield known.slice(i, i + READ_BATCH);
  }

  async postsAbout(ticker: string, knowledge: Knowledge, limit: number): Promise<readonly FactOf<'post'>[]> {
    return this.world.knownAbout(ticker, knowledge).reverse().slice(0, limit);
  }

  async mentionCounts(knowledge: Knowledge, bucket: number): Promise<readonly MentionCount[]> {
    const counts = new Map<string, MentionCount>();
    for (const { knownAt, source, body } of this.world.known('post', knowledge)) {
      const bucketStart = floorTo(knownAt, bucket);
      for (const ticker of new Set(tickersIn(body))) {
        const key = JSON.stringify([ticker, source, bucketStart]);
        const posts = (counts.get(key)?.posts ?? 0) + 1;
        counts.set(key, { ticker, source, bucketStart, posts });
      }
    }
    return [...counts.values()];
  }

  async sourceStarts(knowledge: Knowledge): Promise<readonly SourceStart[]> {
    const starts = new Map<string, Instant>();
    for (const kind of ['post', 'count'] as const) {
      for (const { source, knownAt } of this.world.known(kind, knowledge)) {
        if (knownAt < (starts.get(source) ?? Number.POSITIVE_INFINITY)) starts.set(source, knownAt);
      }
    }
    return Array.from(starts, ([source, firstKnownAt]) => ({ source, firstKnownAt }));
  }

  async seenPosts(posts: readonly { provider: string; id: string }[]): Promise<readonly boolean[]> {
    return posts.map(({ provider, id }) => this.world.seenPost(provider, id));
  }

  async changesOf(
    posts: readonly { provider: string; id: string }[],
    knownBy: Instant,
  ): Promise<readonly (FactOf<'post_change'> | null)[]> {
    const known = this.world.known('post_change', { knownBy });
    return posts.map(({ provider, id }) => {
      const own = known.filter(({ body }) => body.provider === provider && body.id === id);
      return own.findLast(({ body }) => body.change === 'deleted') ?? own.at(-1) ?? null;
    });
  }

  async cursor(connector: string): Promise<string | null> {
    return this.world.cursors.get(connector) ?? null;
  }

  async frameAt(at: Instant): Promise<RecordedHeader | null> {
    return this.world.frameAt(at)?.header ?? null;
  }

  async rowAt(at: Instant, ticker: string): Promise<Row | null> {
    return (await this.boardAt(at))?.find((row) => row.ticker === ticker) ?? null;
  }

  async boardAt(at: Instant, within?: SlotRange): Promise<readonly Row[] | null> {
    const frame = this.world.frameAt(at);
    if (frame?.header.at !== at) return null;
    if (within === undefined) return frame.rows;
    return frame.rows.filter(({ slot }) => slot >= within[0] && slot < within[1]);
  }

  async *frames(from: Instant, to: Instant): AsyncGenerator<readonly RecordedHeader[]> {
    const headers = this.world.frames.map(({ header }) => header).filter(({ at }) => at >= from && at <= to);
    for (let i = 0; i < headers.length; i += READ_BATCH) yield headers.slice(i, i + READ_BATCH);
  }

  async emissions(query: EmissionQuery): Promise<readonly Emitted[]> {
    const {
      kind,
      knownBy,
      types,
      ticker,
      afterSequence = -1,
      beforeSequence = Number.POSITIVE_INFINITY,
      from = Number.NEGATIVE_INFINITY,
      to = Number.POSITIVE_INFINITY,
      newest,
      limit,
    } = query;
    const found = this.world.emitted.filter(
      (one) =>
        one.kind === kind &&
        one.knownAt <= knownBy &&
        one.sequence > afterSequence &&
        one.sequence < beforeSequence &&
        one.at >= from &&
        one.at <= to &&
        (ticker === undefined || one.ticker === ticker) &&
        (types === undefined || types.includes(one.type)),
    );
    return newest ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  }

  logSize(knownBy: Instant): Promise<number> {
    return this.world.log.logSize(knownBy);
  }

  leaf(index: number): Promise<Stated | null> {
    return this.world.log.leaf(index);
  }

  statements(query: StatementQuery): Promise<readonly Stated[]> {
    return this.world.log.statements(query);
  }

  attachment(index: number): Promise<string | null> {
    return this.world.log.attachment(index);
  }

  treeHashes(places: readonly TreePlace[]): Promise<readonly Buffer[]> {
    return this.world.log.treeHashes(places);
  }

  treeRow(level: number, from: number, count: number): Promise<readonly Buffer[]> {
    return this.world.log.treeRow(level, from, count);
  }

  async slots(): Promise<ReadonlyMap<string, number>> {
    return new Map(this.world.slots);
  }

  async close(): Promise<void> {
    this.open = false;
  }
}

class MemoryWriter extends MemoryReader implements ArchiveWriter {
  readonly #clock: Clock;
  readonly #release: () => void;

  constructor(world: World, clock: Clock, release: () => void) {
    super(world);
    this.#clock = clock;
    this.#release = release;
  }

  async append({ facts: reports, cursor }: Batch): Promise<Appended> {
    this.#requireOpen();
    const stamping = new Stamping(this.#clock, this.world.tail);
    const { facts, duplicates } = stampBatch(reports, stamping, this.world);
    this.world.take(facts, stamping.tail);
    if (cursor !== undefined) this.world.cursors.set(cursor.connector, cursor.value);
    return { facts, duplicates, highWater: this.world.tail.sequence };
  }

  async assignSlots(tickers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    this.#requireOpen();
    for (const ticker of tickers) this.world.giveSlot(ticker);
    return this.slots();
  }

  async state(statements: readonly Statement[]): Promise<readonly Stated[]> {
    this.#requireOpen();
    const { world } = this;
    const stamping = new Stamping(this.#clock, world.tail);
    const growth = growLog(world.log.end, statements, livePlaces(stamping));
    world.log.take(growth);
    world.tail = stamping.tail;
    return growth.leaves.map(({ stated }) => stated);
  }

  async appendFrame(
    { header, rows }: Frame,
    emissions: readonly Emission[] = [],
    statements: readonly Statement[] = [],
  ): Promise<RecordedHeader> {
    this.#requireOpen();
    const { world } = this;
    const newest = world.frames.at(-1);
    if (newest !== undefined && newest.header.at >= header.at) throw new FrameStands(header.at);
    requireSlotOrder(rows, world.slots);
    const stamping = new Stamping(this.#clock, world.tail);
    const recorded: RecordedHeader = { ...header, ...stamping.frame(header.at) };
    const emitted = stampEmissions(stamping, header.at, emissions);
    const growth = growLog(world.log.end, statements, placesWith(stamping, recorded.knownAt));
    world.frames.push({ header: recorded, rows: [...rows] });
    world.emitted.push(...emitted);
    world.log.take(growth);
    world.tail = stamping.tail;
    return recorded;
  }

  override async close(): Promise<void> {
    if (this.open) this.#release();
    await super.close();
  }

  #requireOpen(): void {
    if (!this.open) throw new Error('this writer is closed');
  }
}
