// Rows of many chains side by side, in the order in which they are asked for: from object to object, every step waits for memory.
import type { Instant } from '../../kernel/instant.js';
import { type Chain, type Row, shown } from './chain.js';
import type { Point } from './standing.js';

/** A chain that was laid out: its number. */
export type Place = number;

const STAMPS = 4;
const NONE = -1;

/** As many rows are walked here; a chain finds what lies further back at the same cost however long it is. */
const WALKED = 64;

type Laid<V> = Pick<Chain<V>, 'rows' | 'writes' | 'at'>;

export class Plane {
  readonly #chains: Laid<unknown>[] = [];
  readonly #places = new Map<Laid<unknown>, Place>();
  /** Of each chain how often it had been written when it was laid out, and where its rows begin and end. */
  readonly #writes: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Of each chain the row that stands. */
  readonly #standing: number[] = [];
  readonly #rows: Row<unknown>[] = [];
  readonly #sources: (readonly string[])[] = [];
  /** Of each row its from, to, knownFrom and knownTo. */
  readonly #stamps: number[] = [];
  /** Of each row how it is shown. */
  readonly #shown: unknown[] = [];
  #left = 0;

  /** Whether most of it are rows that were laid out anew elsewhere. */
  get worn(): boolean {
    return this.#left * 2 > this.#rows.length;
  }

  /**
   * Shows every row of the chain at once: whoever asks for a point later finds all texts written. The rows of a chain
   * that was written since it was laid out are laid out again, behind all others.
   */
  lay<V>(
    chain: Laid<V>,
    show: (row: Row<V>) => unknown,
    sourcesOf = (row: Row<V>): readonly string[] => row.sources,
  ): Place {
    const known = this.#places.get(chain);
    if (known !== undefined && this.#writes[known] === chain.writes) return known;
    const place = known ?? this.#chains.push(chain) - 1;
    if (known !== undefined) this.#left += this.#ends[known]! - this.#starts[known]!;
    this.#places.set(chain, place);
    this.#writes[place] = chain.writes;
    this.#standing[place] = NONE;
    this.#starts[place] = this.#rows.length;
    for (const row of chain.rows) {
      this.#rows.push(row);
      this.#sources.push(sourcesOf(row));
      this.#stamps.push(row.from, row.to, row.knownFrom, row.knownTo);
      this.#shown.push(shown(row, show));
    }
    this.#ends[place] = this.#rows.length;
    return place;
  }

  /** Looks up what stands at the point, in all chains at once. */
  moveTo({ asOf, knownAt }: Point): void {
    const standing = this.#standing;
    for (let place = 0; place < standing.length; place++) standing[place] = this.#at(place, asOf, knownAt);
  }

  stands(place: Place): boolean {
    return this.#standing[place] !== NONE;
  }

  /** All of these are about the row that stands. */
  revision(place: Place): number {
    return this.#standing[place]! - this.#starts[place]! + 1;
  }

  sources(place: Place): readonly string[] {
    return this.#sources[this.#standing[place]!]!;
  }

  row<V>(place: Place): Row<V> {
    return this.#rows[this.#standing[place]!] as Row<V>;
  }

  /** As it was shown when it was laid out. */
  shown<T>(place: Place): T {
    return this.#shown[this.#standing[place]!] as T;
  }

  #at(place: Place, asOf: Instant, knownAt: Instant): number {
    const stamps = this.#stamps;
    const start = this.#starts[place]!;
    let [low, high] = [start, this.#ends[place]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (stamps[middle * STAMPS + 2]! <= knownAt) low = middle + 1;
      else high = middle;
    }
    // The newest that was known decides: it has taken the place of all before it.
    const last = Math.max(start, low - WALKED);
    for (let i = low - 1; i >= last; i--) {
      const at = i * STAMPS;
      if (stamps[at]! <= asOf && asOf < stamps[at + 1]!) return knownAt < stamps[at + 3]! ? i : NONE;
    }
    const row = last === start ? undefined : this.#chains[place]!.at(asOf, knownAt);
    return row === undefined ? NONE : start + row.revision - 1;
  }
}
