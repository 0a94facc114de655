// The transparency log of an archive in memory: leaves, the texts beside them, and the tree over them.
import type { Stated, StatementKind, StatementQuery } from '../../domain/facts/statement.js';
import type { Instant } from '../../kernel/instant.js';
import type { FrontierState } from '../../kernel/merkle.js';
import type { TreePlace } from '../../kernel/tree-proofs.js';
import type { LogReader } from '../../ports/log.js';
import { EMPTY_LOG, type Growth, NoSubtree } from '../leaves.js';
import { requirePlace } from '../tree-store.js';
import { firstAfter } from './ordered.js';

export class MemoryLog implements LogReader {
  end: FrontierState = EMPTY_LOG;
  readonly #leaves: Stated[] = [];
  readonly #ofKind = new Map<StatementKind, Stated[]>();
  readonly #attachments = new Map<number, string>();
  readonly #levels: Buffer[][] = [];

  /** Takes what has grown; nothing here can fail half-way. */
  take({ leaves, nodes, end }: Growth): void {
    for (const { stated, attachment } of leaves) {
      this.#leaves.push(stated);
      const ofKind = this.#ofKind.get(stated.kind);
      if (ofKind === undefined) this.#ofKind.set(stated.kind, [stated]);
      else ofKind.push(stated);
      if (attachment !== null) this.#attachments.set(stated.index, attachment);
    }
    // Each level closes its subtrees from left to right.
    for (const { level, hash } of nodes) {
      if (this.#levels[level] === undefined) this.#levels.push([hash]);
      else this.#levels[level].push(hash);
    }
    this.end = end;
  }

  async logSize(knownBy: Instant): Promise<number> {
    return firstAfter(this.#leaves, (leaf) => leaf.knownAt > knownBy);
  }

  async leaf(index: number): Promise<Stated | null> {
    return this.#leaves[index] ?? null;
  }

  async statements(query: StatementQuery): Promise<readonly Stated[]> {
    const { subject, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, newest, limit } = query;
    const ofKind = this.#ofKind.get(query.kind) ?? [];
    const start = firstAfter(ofKind, ({ index }) => index > (query.afterIndex ?? -1));
    const stop = firstAfter(ofKind, ({ knownAt }) => knownAt > query.knownBy);
    const found: Stated[] = [];
    for (let n = 0; n < stop - start && found.length < limit; n++) {
      const one = ofKind[newest ? stop - 1 - n : start + n]!;
      if (one.at < from || one.at > to) continue;
      if (subject === undefined || one.subject === subject) found.push(one);
    }
    return newest ? found.reverse() : found;
  }

  async attachment(index: number): Promise<string | null> {
    return this.#attachments.get(index) ?? null;
  }

  async treeHashes(places: readonly TreePlace[]): Promise<readonly Buffer[]> {
    return places.map((place) => {
      const hash = this.#levels[place.level]?.[place.index];
      if (hash === undefined) throw new NoSubtree(place);
      return hash;
    });
  }

  async treeRow(level: number, from: number, count: number): Promise<readonly Buffer[]> {
    requirePlace({ level, index: from });
    return this.#levels[level]?.slice(from, from + count) ?? [];
  }
}
