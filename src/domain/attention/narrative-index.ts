// Gives each post its narrative: the oldest near duplicate of the last day, found through banded MinHash.
import type { Instant } from '../../kernel/instant.js';
import { createMinHasher } from '../../kernel/statistics/min-hash.js';
import { ATTENTION } from './parameters.js';

const { bands, permutations, jaccard, candidatesPerBand, sketchSize, seed } = ATTENTION.nearDuplicate;
const ROWS_PER_BAND = permutations / bands;

/**
 * Leaders open narratives; a later post joins the oldest leader it resembles. Only leaders are indexed, so a
 * campaign of any size costs one entry. Leaders live in two generations of at least one window each: dropping a whole
 * generation is cheaper than removing entries, and since age is checked on every match, when it happens never shows.
 */
export class NarrativeIndex {
  #current = new Generation();
  #previous = new Generation();
  #openedAt: Instant | null = null;
  readonly #hasher = createMinHasher(permutations, seed);
  readonly #signature = new Uint32Array(permutations);
  readonly #bandKeys = new Int32Array(bands);

  /** The narrative of a post: its own key when it resembles nothing that is known. */
  assign(key: number, shingles: Uint32Array, knownAt: Instant): number {
    if (shingles.length === 0) return key;
    this.#rotate(knownAt);
    this.#hashBands(shingles);
    const inCurrent = this.#current.oldestMatch(this.#bandKeys, shingles, knownAt);
    const leader = this.#previous.oldestMatch(this.#bandKeys, shingles, knownAt) ?? inCurrent;
    if (leader !== null) return leader;
    this.#current.add(key, this.#bandKeys, shingles, knownAt);
    return key;
  }

  /** Puts a post that the archive holds back in place after a restart. Posts come in the order of their knowledge. */
  restore(key: number, narrative: number, shingles: Uint32Array, knownAt: Instant): void {
    if (narrative !== key || shingles.length === 0) return;
    this.#rotate(knownAt);
    this.#hashBands(shingles);
    this.#current.place(this.#bandKeys);
    this.#current.add(key, this.#bandKeys, shingles, knownAt);
  }

  #rotate(knownAt: Instant): void {
    this.#openedAt ??= knownAt;
    if (knownAt - this.#openedAt < ATTENTION.window) return;
    this.#previous = this.#current;
    this.#current = new Generation();
    this.#openedAt = knownAt;
  }

  #hashBands(shingles: Uint32Array): void {
    this.#hasher.signature(shingles, this.#signature);
    for (let band = 0; band < bands; band++) {
      let hash = band + 1;
      for (let row = 0; row < ROWS_PER_BAND; row++) {
        hash = Math.imul(hash ^ this.#signature[band * ROWS_PER_BAND + row]!, 0x9e3779b1);
        hash ^= hash >>> 15;
      }
      this.#bandKeys[band] = hash === 0 ? 1 : hash;
    }
  }
}

/** Leaders with an open-addressing table from band key to the newest leader, and chains to older ones. */
class Generation {
  #count = 0;
  #keys = new Float64Array(256);
  #knownAt = new Float64Array(256);
  #shingles: Uint32Array[] = [];
  #older = new Int32Array(256 * bands);
  #tableKeys = new Int32Array(1 << 14);
  #tableHeads = new Int32Array(1 << 14);
  #tableUsed = 0;
  /** Where the last search ended in the table, per band: an entry added right after it need not search again. */
  readonly #places = new Int32Array(bands);
  readonly #looked = new Set<number>();

  /** Begins a search anew, for an entry that is added without one. */
  place(bandKeys: Int32Array): void {
    for (let band = 0; band < bands; band++) this.#places[band] = home(this.#tableKeys, bandKeys[band]!);
  }

  /** Follows a search for the same bands. */
  add(key: number, bandKeys: Int32Array, shingles: Uint32Array, knownAt: Instant): void {
    if (this.#count === this.#keys.length) this.#grow();
    if ((this.#tableUsed + bands) * 10 > this.#tableKeys.length * 7) this.#rehash(bandKeys);
    const leader = this.#count++;
    this.#keys[leader] = key;
    this.#knownAt[leader] = knownAt;
    this.#shingles.push(shingles);
    for (let band = 0; band < bands; band++) {
      const at = probe(this.#tableKeys, bandKeys[band]!, this.#places[band]!);
      if (this.#tableKeys[at] === 0) {
        this.#tableKeys[at] = bandKeys[band]!;
        this.#tableUsed++;
        this.#older[leader * bands + band] = -1;
      } else {
        this.#older[leader * bands + band] = this.#tableHeads[at]!;
      }
      this.#tableHeads[at] = leader;
    }
  }

  oldestMatch(bandKeys: Int32Array, shingles: Uint32Array, knownAt: Instant): number | null {
    let oldest = -1;
    this.#looked.clear();
    for (let band = 0; band < bands; band++) {
      const at = probe(this.#tableKeys, bandKeys[band]!, home(this.#tableKeys, bandKeys[band]!));
      this.#places[band] = at;
      if (this.#tableKeys[at] === 0) continue;
      let leader = this.#tableHeads[at]!;
      for (let looked = 0; leader >= 0 && looked < candidatesPerBand; looked++) {
        if (!this.#looked.has(leader)) {
          this.#looked.add(leader);
          const inWindow = Math.abs(knownAt - this.#knownAt[leader]!) < ATTENTION.window;
          if (inWindow && (oldest < 0 || leader < oldest) && alike(shingles, this.#shingles[leader]!))
            oldest = leader;
        }
        leader = this.#older[leader * bands + band]!;
      }
    }
    return oldest < 0 ? null : this.#keys[oldest]!;
  }

  #grow(): void {
    this.#keys = extended(this.#keys, new Float64Array(this.#keys.length * 2));
    this.#knownAt = extended(this.#knownAt, new Float64Array(this.#knownAt.length * 2));
    this.#older = extended(this.#older, new Int32Array(this.#older.length * 2));
  }

  #rehash(bandKeys: Int32Array): void {
    const [keys, heads] = [this.#tableKeys, this.#tableHeads];
    // Small tables grow fast, so that most entries are moved once; large ones take no more memory than they must.
    const size = keys.length * (keys.length < 1 << 20 ? 4 : 2);
    this.#tableKeys = new Int32Array(size);
    this.#tableHeads = new Int32Array(size);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === 0) continue;
      const at = probe(this.#tableKeys, keys[i]!, home(this.#tableKeys, keys[i]!));
      this.#tableKeys[at] = keys[i]!;
      this.#tableHeads[at] = heads[i]!;
    }
    this.place(bandKeys);
  }
}

const home = (table: Int32Array, key: number): number => (key ^ (key >>> 16)) & (table.length - 1);

/** The place of a key at or after `from`, or the empty place where it belongs. */
function probe(table: Int32Array, key: number, from: number): number {
  const mask = table.length - 1;
  let at = from;
  while (table[at] !== 0 && table[at] !== key) at = (at + 1) & mask;
  return at;
}

function extended<A extends Float64Array | Int32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

/** Whether two sketches reach the Jaccard bound. Full sketches are compared on the smallest hashes of their union. */
export function alike(a: Uint32Array, b: Uint32Array): boolean {
  const sampled = a.length >= sketchSize || b.length >= sketchSize;
  const most = sampled ? sketchSize : Number.POSITIVE_INFINITY;
  let [i, j, union, both] = [0, 0, 0, 0];
  while (union < most && (i < a.length || j < b.length)) {
    const left = i < a.length ? a[i]! : Number.POSITIVE_INFINITY;
    const right = j < b.length ? b[j]! : Number.POSITIVE_INFINITY;
    if (left === right) both++;
    if (left <= right) i++;
    if (right <= left) j++;
    union++;
  }
  return union > 0 && both >= jaccard * union;
}
