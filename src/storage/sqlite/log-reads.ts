// Reads the transparency log from the archive file.
import type { Stated, StatementKind, StatementQuery } from '../../domain/facts/statement.js';
import type { Instant } from '../../kernel/instant.js';
import type { FrontierState } from '../../kernel/merkle.js';
import { peakPlaces, type TreePlace } from '../../kernel/tree-proofs.js';
import { keptText } from '../kept-text.js';
import { bodyIn } from '../leaves.js';
import { asksForSpan } from '../span.js';
import { asBuffer, inOrder, logEnd, placeNumber, rowNumbers } from '../tree-store.js';
import { bytesIn, type Cells, type Connection, numberIn, type Statement, textIn } from './connection.js';

const LEAF = 'SELECT place, sequence, known_at, at, kind, subject, body, attachment_sha256 FROM leaf';

export class LogReads {
  readonly #connection: Connection;
  readonly #lastKnown: Statement;
  readonly #leaf: Statement;
  readonly #attachment: Statement;
  readonly #nodes: Statement;
  readonly #row: Statement;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#lastKnown = connection.prepare(
      'SELECT place FROM leaf WHERE known_at <= ? ORDER BY known_at DESC, place DESC LIMIT 1',
    );
    this.#leaf = connection.prepare(`${LEAF} WHERE place = ?`);
    this.#attachment = connection.prepare(
      'SELECT deflated, bytes, attachment_sha256 FROM leaf_attachment JOIN leaf USING (place) WHERE place = ?',
    );
    this.#nodes = connection.prepare(
      'SELECT place, hash FROM json_each(?) AS asked JOIN tree_node ON place = asked.value',
    );
    this.#row = connection.prepare(
      'SELECT hash FROM tree_node WHERE place >= ? AND place < ? ORDER BY place',
    );
  }

  /** The instants of leaves never fall, so the last one known by then has all the others before it. */
  size(knownBy: Instant): number {
    const last = this.#lastKnown.get(knownBy);
    return last === undefined ? 0 : numberIn(last[0]) + 1;
  }

  leaf(index: number): Stated | null {
    const cells = this.#leaf.get(index);
    return cells === undefined ? null : statedIn(cells);
  }

  statements(query: StatementQuery): Stated[] {
    const { kind, knownBy, subject, afterIndex, from, to, limit } = query;
    const given = [subject, afterIndex, from, to].filter((value) => value !== undefined);
    const rows = this.#connection
      .prepare(statementsSql(query))
      .all(kind, this.size(knownBy), ...given, limit);
    return rows.map(statedIn);
  }

  attachment(index: number): string | null {
    const cells = this.#attachment.get(index);
    if (cells === undefined) return null;
    return keptText({ deflated: cells[0] === 1, bytes: bytesIn(cells[1]) }, textIn(cells[2]));
  }

  hashes(places: readonly TreePlace[]): readonly Buffer[] {
    const rows = this.#nodes.all(JSON.stringify(places.map(placeNumber)));
    return inOrder(places, new Map(rows.map(([place, hash]) => [numberIn(place), bytesIn(hash)])));
  }

  row(level: number, from: number, count: number): readonly Buffer[] {
    return this.#row.all(...rowNumbers(level, from, count)).map(([hash]) => asBuffer(bytesIn(hash)));
  }

  /** Where a writer goes on. */
  end(): FrontierState {
    const size = this.size(Number.MAX_SAFE_INTEGER);
    return logEnd(size, this.hashes(peakPlaces(size)));
  }
}

/** Asks for the kind, a place beyond the last one known, what the query gives in this order, and the limit. */
export function statementsSql(query: StatementQuery): string {
  const conditions = [
    'kind = ?',
    'place < ?',
    ...(query.subject === undefined ? [] : ['subject = ?']),
    ...(query.afterIndex === undefined ? [] : ['place > ?']),
    ...(query.from === undefined ? [] : ['at >= ?']),
    ...(query.to === undefined ? [] : ['at <= ?']),
  ];
  return `${LEAF} WHERE place IN (SELECT place FROM leaf INDEXED BY ${indexFor(query)}
    WHERE ${conditions.join(' AND ')} ORDER BY place ${query.newest ? 'DESC' : 'ASC'} LIMIT ?) ORDER BY place`;
}

function indexFor(query: StatementQuery): string {
  if (query.subject !== undefined) return 'leaf_subject';
  return asksForSpan(query) ? 'leaf_at' : 'leaf_kind';
}

function statedIn(cells: Cells): Stated {
  return {
    index: numberIn(cells[0]),
    sequence: numberIn(cells[1]),
    knownAt: numberIn(cells[2]),
    at: numberIn(cells[3]),
    kind: textIn(cells[4]) as StatementKind,
    subject: cells[5] as string | null,
    body: bodyIn(textIn(cells[6])),
    attachmentSha256: cells[7] as string | null,
  };
}
