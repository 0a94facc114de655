// Gives each post its narrative: the oldest near duplicate of the last day, found through bottom-k MinHash sketches.
import type { Instant } from '../../kernel/instant.js';
import { ATTENTION } from './parameters.js';

const { bands, jaccard, candidatesPerBand, sketchSize } = ATTENTION.nearDuplicate;

/**
 * Leaders open narratives; a later post joins the oldest leader it resembles. Only leaders are indexed, so a campaign of
 * any size costs one entry. A sketch holds the smallest hashes of a text in order: a bottom-k MinHash. Its bands are the
 * pairs of neighbours in that order; two texts share a band where two smallest hashes in a row are in both, which 16
 * bands miss once in some thousand times at the similarity bound and practically never above it, while a single stock
 * phrase, being one hash, never makes a candidate. Leaders live in two generations of at least one window each: dropping
 * a whole generation is cheaper than removing entries, and since age is checked on every match, it never shows.
 */
export class NarrativeIndex {
  #current = new Generation();
  #previous = new Generation();
  #openedAt: Instant | null = null;

  /** The narrative of a post: its own key when it resembles nothing that is known. */
  assign(key: number, shingles: Uint32Array, knownAt: Instant): number {
    if (shingles.length === 0) return key;
    this.#rotate(knownAt);
    const leader =
      this.#previous.oldestMatch(shingles, knownAt) ?? this.#current.oldestMatch(shingles, knownAt);
    if (leader !== null) return leader;
    this.#current.add(key, shingles, knownAt);
    return key;
  }

  /** Puts a post that the archive holds back in place after a restart. Posts come in the order of their knowledge. */
  restore(key: number, narrative: number, shingles: Uint32Array, knownAt: Instant): void {
    if (narrative !== key || shingles.length === 0) return;
    this.#rotate(knownAt);
    this.#current.add(key, shingles, knownAt);
  }

  #rotate(knownAt: Instant): void {
    this.#openedAt ??= knownAt;
    if (knownAt - this.#openedAt < ATTENTION.window) return;
    this.#previous = this.#current;
    this.#current = new Generation();
    this.#openedAt = knownAt;
  }
}

/** Bands of a sketch; a text of one shingle is its own band. */
const bandCount = (shingles: Uint32Array): number => Math.min(bands, Math.max(1, shingles.length - 1));

/** Never zero: that marks an empty place in the table. */
function bandKey(shingles: Uint32Array, band: number): number {
  const mixed = Math.imul(shingles[band]!, 0x9e3779b1) ^ Math.imul(shingles[band + 1] ?? 0, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) | 0 || 1;
}

/**
 * An open-addressing table from band to the newest of a chain of nodes, each of which names a leader that has the band.
 * Band and node stand side by side, so that a look into the table touches one cache line.
 */
class Generation {
  #count = 0;
  #keys = new Float64Array(256);
  #knownAt = new Float64Array(256);
  /** The sketches of all leaders behind one another, and where each begins. */
  #sketches = new Uint32Array(8192);
  #sketchAt = new Int32Array(257);
  /** Pairs: the leader of a node, and the node before it in the chain. */
  #nodes = new Int32Array(4096);
  #nodesEnd = 0;
  #table = new Int32Array(1 << 13);
  #tableUsed = 0;

  add(key: number, shingles: Uint32Array, knownAt: Instant): void {
    const count = bandCount(shingles);
    this.#makeRoom(count, shingles.length);
    const leader = this.#count++;
    this.#keys[leader] = key;
    this.#knownAt[leader] = knownAt;
    const begin = this.#sketchAt[leader]!;
    this.#sketches.set(shingles, begin);
    this.#sketchAt[leader + 1] = begin + shingles.length;
    for (let band = 0; band < count; band++) {
      const wanted = bandKey(shingles, band);
      const at = probe(this.#table, wanted);
      const isNew = this.#table[at] === 0;
      if (isNew) this.#tableUsed++;
      this.#nodes[this.#nodesEnd] = leader;
      this.#nodes[this.#nodesEnd + 1] = isNew ? -1 : this.#table[at + 1]!;
      this.#table[at] = wanted;
      this.#table[at + 1] = this.#nodesEnd;
      this.#nodesEnd += 2;
    }
  }

  oldestMatch(shingles: Uint32Array, knownAt: Instant): number | null {
    if (this.#count === 0) return null;
    let oldest = -1;
    for (let band = bandCount(shingles) - 1; band >= 0; band--) {
      const at = probe(this.#table, bandKey(shingles, band));
      if (this.#table[at] === 0) continue;
      let node = this.#table[at + 1]!;
      for (let looked = 0; node >= 0 && looked < candidatesPerBand; looked++) {
        const leader = this.#nodes[node]!;
        if (
          (oldest < 0 || leader < oldest) &&
          Math.abs(knownAt - this.#knownAt[leader]!) < ATTENTION.window &&
          alike(shingles, this.#sketches, this.#sketchAt[leader]!, this.#sketchAt[leader + 1]!)
        ) {
          oldest = leader;
        }
        node = this.#nodes[node + 1]!;
      }
    }
    return oldest < 0 ? null : this.#keys[oldest]!;
  }

  #makeRoom(entries: number, hashes: number): void {
    if (this.#count === this.#keys.length) {
      this.#keys = extended(this.#keys, new Float64Array(this.#keys.length * 2));
      this.#knownAt = extended(this.#knownAt, new Float64Array(this.#knownAt.length * 2));
      this.#sketchAt = extended(this.#sketchAt, new Int32Array(2 * this.#sketchAt.length - 1));
    }
    if (this.#sketchAt[this.#count]! + hashes > this.#sketches.length) {
      this.#sketches = extended(this.#sketches, new Uint32Array(this.#sketches.length * 2));
    }
    if (this.#nodesEnd + 2 * entries > this.#nodes.length) {
      this.#nodes = extended(this.#nodes, new Int32Array(this.#nodes.length * 2));
    }
    if ((this.#tableUsed + entries) * 20 > this.#table.length * 7) this.#rehash();
  }

  #rehash(): void {
    const old = this.#table;
    // Small tables grow fast, so that most entries are moved once; large ones take no more memory than they must.
    this.#table = new Int32Array(old.length * (old.length < 1 << 20 ? 4 : 2));
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] === 0) continue;
      const at = probe(this.#table, old[i]!);
      this.#table[at] = old[i]!;
      this.#table[at + 1] = old[i + 1]!;
    }
  }
}

/** The place of a key, or the empty place where it belongs. Even places hold keys, odd ones the leaders beside them. */
function probe(table: Int32Array, key: number): number {
  const mask = table.length - 1;
  let at = (Math.imul(key, 0x9e3779b1) >>> 7) & mask & ~1;
  while (table[at] !== 0 && table[at] !== key) at = (at + 2) & mask;
  return at;
}

function extended<A extends Float64Array | Int32Array | Uint32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

/**
 * Whether two sketches reach the Jaccard bound; the second one may stand inside a larger array. Full sketches are
 * compared on the smallest hashes of their union.
 */
export function alike(a: Uint32Array, b: Uint32Array, begin = 0, end = b.length): boolean {
  const length = end - begin;
  const sampled = a.length >= sketchSize || length >= sketchSize;
  if (!sampled && Math.min(a.length, length) < jaccard * Math.max(a.length, length)) return false;
  const most = sampled ? sketchSize : a.length + length;
  // With more hashes of one side alone than this, the bound is out of reach whatever follows.
  const alonePatience = most * (1 - jaccard);
  let [i, j, both, alone] = [0, begin, 0, 0];
  while (both + alone < most && (i < a.length || j < end)) {
    if (i < a.length && j < end && a[i] === b[j]) {
      both++;
      i++;
      j++;
      continue;
    }
    if (++alone > alonePatience) return false;
    if (j >= end || (i < a.length && a[i]! < b[j]!)) i++;
    else j++;
  }
  const union = both + alone;
  return union > 0 && both >= jaccard * union;
}
