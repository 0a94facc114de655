// The rows of a frame as the leaves of a tree of their own, one per slot: what a single row is proven by.
import { FlatLeaves, type FlatTree } from '../../kernel/flat-tree.js';
import type { Denominator, Row } from './frame.js';

/** The leaf of a slot without a row: that a ticker was not in the frame can be proven too. */
export const EMPTY_SLOT = 'null';

/**
 * The canonical JSON (RFC 8785) of a row, members by name. Written out because a cycle writes thousands: what is not a
 * number here is a word of ours, a ticker or a source.
 */
export function rowText(row: Row): string {
  return (
    `{"activity":${row.activity},"ambiguous":${row.ambiguous},"authors":${row.authors},"band":"${row.band}",` +
    `"denominator":${denominatorText(row.denominator)},"density":${row.density},` +
    `"entity_precision":${row.entityPrecision},"independence":${row.independence},` +
    `"narratives":${row.narratives},"posts":${row.posts},"rank":${row.rank},"share":${row.share},` +
    `"slot":${row.slot},"state":"${row.state}","surprise":${row.surprise},` +
    `"ticker":${JSON.stringify(row.ticker)},"velocity":${row.velocity}}`
  );
}

const DENOMINATOR_TEXTS = new WeakMap<Denominator, string>();

/** Denominators change rarely and are shared between frames, so their text is made once. */
function denominatorText(denominator: Denominator): string {
  const made = DENOMINATOR_TEXTS.get(denominator);
  if (made !== undefined) return made;
  const { close, closeDate, shares, sharesKnownAt, sharesSource, state, usdBillions } = denominator;
  const text =
    `{"close":${close},"close_date":${JSON.stringify(closeDate)},"shares":${shares},` +
    `"shares_known_at":${sharesKnownAt},"shares_source":${JSON.stringify(sharesSource)},` +
    `"state":"${state}","usd_billions":${usdBillions}}`;
  DENOMINATOR_TEXTS.set(denominator, text);
  return text;
}

/** Remembers the leaf of every slot, so that a row that did not change is not hashed again. */
export class RowLeaves {
  readonly #leaves = new FlatLeaves();
  readonly #texts: string[] = [];

  /** One leaf per slot up to the last row. */
  tree(rows: readonly Row[]): FlatTree {
    let slots = 0;
    for (const row of rows) {
      while (slots < row.slot) this.#put(slots++, EMPTY_SLOT);
      this.#put(slots++, rowText(row));
    }
    return this.#leaves.tree(slots);
  }

  #put(slot: number, text: string): void {
    if (this.#texts[slot] === text) return;
    this.#leaves.set(slot, text);
    this.#texts[slot] = text;
  }
}
