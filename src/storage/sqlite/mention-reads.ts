// Answers about tickers and sources: the posts about one, the counts of all, and when a source began.
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../../domain/facts/fact.js';
import type { MentionCount, SourceStart } from '../../domain/facts/knowledge.js';
import { type Cells, type Connection, numberIn, type Statement } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { type Bounds, factColumns, factIn } from './fact-reads.js';

/** Tickers counted before other work gets its turn. */
const TICKERS_PER_TURN = 500;

const KNOWN = 'known_at > ?2 AND known_at <= ?3 AND +sequence <= ?4';
/** The start of the bucket of size ?5; the remainder is taken so that buckets before 1970 are aligned as well. */
const START = 'known_at - ((known_at % CAST(?5 AS INTEGER)) + CAST(?5 AS INTEGER)) % CAST(?5 AS INTEGER)';

export class MentionReads {
  readonly #dictionaries: Dictionaries;
  readonly #about: Statement;
  readonly #counts: Statement;
  readonly #logCounts: Statement;
  readonly #starts: Statement;
  readonly #sources: Statement;
  readonly #firstIn: readonly Statement[];

  constructor(connection: Connection, dictionaries: Dictionaries) {
    this.#dictionaries = dictionaries;
    // CROSS JOIN fixes the order: mentions are walked from the newest, posts are fetched one by one.
    this.#about = connection.prepare(
      `SELECT ${factColumns('post')} FROM
         (SELECT known_at, sequence FROM mention WHERE ticker = ?1 AND ${KNOWN}
          UNION ALL SELECT known_at, sequence FROM mention_log WHERE ticker = ?1 AND ${KNOWN}
          ORDER BY known_at DESC, sequence DESC LIMIT ?5) m
       CROSS JOIN post f ON f.sequence = m.sequence ORDER BY m.known_at DESC, m.sequence DESC`,
    );
    this.#counts = connection.prepare(
      `SELECT source, ${START} AS start, count(*) FROM mention WHERE ticker = ?1 AND ${KNOWN} GROUP BY start, source`,
    );
    this.#logCounts = connection.prepare(
      `SELECT source, ${START} AS start, sum(${KNOWN}), ticker, min(sequence) FROM mention_log
       GROUP BY start, source, ticker`,
    );
    this.#starts = connection.prepare(
      'SELECT source, min(known_at) FROM source_start WHERE sequence <= ? AND known_at <= ? GROUP BY source',
    );
    this.#sources = connection.prepare('SELECT DISTINCT source FROM source_start');
    this.#firstIn = ['post', 'count'].map((table) =>
      connection.prepare(
        `SELECT known_at FROM ${table} INDEXED BY ${table}_known WHERE ${KNOWN} AND source = ?1 ORDER BY known_at LIMIT 1`,
      ),
    );
  }

  postsAbout(ticker: string, { after, knownBy, upToSequence }: Bounds, limit: number): FactOf<'post'>[] {
    const slot = this.#dictionaries.tickers.find(ticker);
    if (slot === undefined) return [];
    const rows = this.#about.all(slot, after, knownBy, upToSequence, limit);
    return rows.map((cells) => factIn('post', cells, this.#dictionaries));
  }

  async mentionCounts({ after, knownBy, upToSequence }: Bounds, bucket: number): Promise<MentionCount[]> {
    const { tickers } = this.#dictionaries;
    const merged = new MergedCounts(this.#dictionaries);
    let listed = upToSequence;
    // The log is read first and at once; what of it is sorted into the list meanwhile is left out there.
    for (const cells of this.#logCounts.all(null, after, knownBy, upToSequence, bucket)) {
      listed = Math.min(listed, numberIn(cells[4]) - 1);
      if (numberIn(cells[2]) > 0) merged.add(numberIn(cells[3]), cells);
    }
    for (const slot of tickers.entries().values()) {
      if (slot % TICKERS_PER_TURN === TICKERS_PER_TURN - 1) await setImmediate();
      for (const cells of this.#counts.all(slot, after, knownBy, listed, bucket)) merged.add(slot, cells);
    }
    return merged.counts();
  }

  /** Without `after` the few recorded beginnings hold the answer; with it the first facts since are looked up. */
  sourceStarts({ after, knownBy, upToSequence }: Bounds, fromBeginning: boolean): SourceStart[] {
    const { names } = this.#dictionaries;
    if (fromBeginning) {
      return this.#starts
        .all(upToSequence, knownBy)
        .map((cells) => ({ source: names.text(numberIn(cells[0])), firstKnownAt: numberIn(cells[1]) }));
    }
    return this.#sources.all().flatMap(([source]) => {
      const firsts = this.#firstIn.flatMap(
        (first) => first.get(source!, after, knownBy, upToSequence)?.[0] ?? [],
      );
      if (firsts.length === 0) return [];
      return [{ source: names.text(numberIn(source)), firstKnownAt: Math.min(...firsts.map(numberIn)) }];
    });
  }
}

/** Counts of one bucket may come in two parts: from the list and from the log. */
class MergedCounts {
  readonly #dictionaries: Dictionaries;
  readonly #byKey = new Map<string, { -readonly [K in keyof MentionCount]: MentionCount[K] }>();

  constructor(dictionaries: Dictionaries) {
    this.#dictionaries = dictionaries;
  }

  /** Cells: source, start of the bucket, posts. */
  add(slot: number, cells: Cells): void {
    const [source, bucketStart, posts] = [numberIn(cells[0]), numberIn(cells[1]), numberIn(cells[2])];
    const key = `${slot} ${source} ${bucketStart}`;
    const present = this.#byKey.get(key);
    if (present !== undefined) {
      present.posts += posts;
      return;
    }
    const { names, tickers } = this.#dictionaries;
    this.#byKey.set(key, { ticker: tickers.text(slot), source: names.text(source), bucketStart, posts });
  }

  counts(): MentionCount[] {
    return [...this.#byKey.values()];
  }
}
