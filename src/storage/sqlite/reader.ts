// The reading side of the archive file, through a connection of its own.
import type { EmissionQuery, Emitted } from '../../domain/facts/emission.js';
import type { FactKind, FactOf } from '../../domain/facts/fact.js';
import type { RecordedHeader, Row } from '../../domain/facts/frame.js';
import type { Knowledge, MentionCount, SourceStart } from '../../domain/facts/knowledge.js';
import type { Stated, StatementQuery } from '../../domain/facts/statement.js';
import type { Instant } from '../../kernel/instant.js';
import type { TreePlace } from '../../kernel/tree-proofs.js';
import type { ArchiveReader, Extent, SlotRange } from '../../ports/archive.js';
import { type Connection, numberIn, type Statement, textIn } from './connection.js';
import { type Dictionaries, Dictionary } from './dictionary.js';
import { readEmissions } from './emissions.js';
import { type Bounds, boundsOf, FactReads } from './fact-reads.js';
import { LogReads } from './log-reads.js';
import { MentionReads } from './mention-reads.js';
import { newestChanges } from './post-changes.js';
import { TapeReads } from './tape-reads.js';

export class SqliteReader implements ArchiveReader {
  readonly location: string;
  protected readonly connection: Connection;
  protected readonly dictionaries: Dictionaries;
  protected readonly tape: TapeReads;
  protected readonly log: LogReads;
  readonly #facts: FactReads;
  readonly #mentions: MentionReads;
  readonly #tail: Statement;
  readonly #seen: Statement;
  readonly #cursor: Statement;

  constructor(connection: Connection, location: string) {
    this.location = location;
    this.connection = connection;
    const dictionaries = {
      names: new Dictionary(connection, 'name'),
      tickers: new Dictionary(connection, 'ticker'),
    };
    this.dictionaries = dictionaries;
    this.tape = new TapeReads(connection, dictionaries);
    this.log = new LogReads(connection);
    this.#facts = new FactReads(connection, dictionaries);
    this.#mentions = new MentionReads(connection, dictionaries);
    this.#tail = connection.prepare('SELECT first_known_at, last_known_at, sequence FROM tail');
    this.#seen = connection.prepare('SELECT 1 FROM post WHERE provider = ? AND id = ?');
    this.#cursor = connection.prepare('SELECT value FROM cursor WHERE connector = ?');
  }

  async extent(): Promise<Extent> {
    const [first, last, sequence] = this.#tail.get()!;
    return {
      firstKnownAt: first as Instant | null,
      lastKnownAt: last as Instant | null,
      highWater: numberIn(sequence),
    };
  }

  async *facts<K extends FactKind>(kind: K, knowledge: Knowledge): AsyncGenerator<readonly FactOf<K>[]> {
    yield* this.#facts.facts(kind, this.#bounds(knowledge));
  }

  async postsAbout(ticker: string, knowledge: Knowledge, limit: number): Promise<readonly FactOf<'post'>[]> {
    return this.#mentions.postsAbout(ticker, this.#bounds(knowledge), limit);
  }

  async mentionCounts(knowledge: Knowledge, bucket: number): Promise<readonly MentionCount[]> {
    return this.#mentions.mentionCounts(this.#bounds(knowledge), bucket);
  }

  async sourceStarts(knowledge: Knowledge): Promise<readonly SourceStart[]> {
    return this.#mentions.sourceStarts(this.#bounds(knowledge), knowledge.after === undefined);
  }

  async seenPosts(posts: readonly { provider: string; id: string }[]): Promise<readonly boolean[]> {
    const { names } = this.dictionaries;
    return posts.map(({ provider, id }) => {
      const number = names.find(provider);
      return number !== undefined && this.#seen.get(number, id) !== undefined;
    });
  }

  async changesOf(
    posts: readonly { provider: string; id: string }[],
    knownBy: Instant,
  ): Promise<readonly (FactOf<'post_change'> | null)[]> {
    return newestChanges(this.connection, this.dictionaries, posts, knownBy);
  }

  async cursor(connector: string): Promise<string | null> {
    const cells = this.#cursor.get(connector);
    return cells === undefined ? null : textIn(cells[0]);
  }

  async frameAt(at: Instant): Promise<RecordedHeader | null> {
    return this.tape.frameAt(at);
  }

  async rowAt(at: Instant, ticker: string): Promise<Row | null> {
    return this.tape.rowAt(at, ticker);
  }

  async boardAt(at: Instant, within?: SlotRange): Promise<readonly Row[] | null> {
    return this.tape.boardAt(at, within);
  }

  frames(from: Instant, to: Instant): AsyncIterable<readonly RecordedHeader[]> {
    return this.tape.frames(from, to);
  }

  async emissions(query: EmissionQuery): Promise<readonly Emitted[]> {
    return readEmissions(this.connection, query);
  }

  async logSize(knownBy: Instant): Promise<number> {
    return this.log.size(knownBy);
  }

  async leaf(index: number): Promise<Stated | null> {
    return this.log.leaf(index);
  }

  async statements(query: StatementQuery): Promise<readonly Stated[]> {
    return this.log.statements(query);
  }

  async attachment(index: number): Promise<string | null> {
    return this.log.attachment(index);
  }

  async treeHashes(places: readonly TreePlace[]): Promise<readonly Buffer[]> {
    return this.log.hashes(places);
  }

  async treeRow(level: number, from: number, count: number): Promise<readonly Buffer[]> {
    return this.log.row(level, from, count);
  }

  async slots(): Promise<ReadonlyMap<string, number>> {
    return this.dictionaries.tickers.entries();
  }

  async close(): Promise<void> {
    this.connection.close();
  }

  #bounds(knowledge: Knowledge): Bounds {
    return boundsOf(knowledge, numberIn(this.#tail.get()?.[2]));
  }
}
