// Instruments with their issuers as a packet shows them: written once, however many baskets hold them.
import type { PendingReason } from '../../contracts/research/identity-words.js';
import type { Row } from './chain.js';
import type { HeldSymbol } from './holdings.js';
import type { InstrumentOutline, IssuerOutline } from './outline.js';
import type { Place, Plane } from './plane.js';

export interface ShownInstrument {
  /** The members `instrument` and `issuer`, with what stands between them. */
  readonly text: string;
  /** Who vouches for the instrument and for its issuer. */
  readonly sources: readonly [readonly string[], readonly string[]];
}

type Shown = ShownInstrument | { readonly missing: PendingReason };

export class Instruments {
  readonly #plane: Plane;
  readonly #shown = new Map<InstrumentOutline, Shown>();
  readonly #issuers = new Map<IssuerOutline, string>();
  /** The sources of all identifiers that were shown. */
  readonly cited = new Set<readonly string[]>();
  /** How many were exact, and of how many issuers. */
  exact = 0;
  issuers = 0;

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  show(outline: InstrumentOutline): Shown {
    const found = outline.shared ? this.#shown.get(outline) : undefined;
    if (found !== undefined) return found;
    const shown = this.#instrument(outline);
    if (outline.shared) this.#shown.set(outline, shown);
    return shown;
  }

  symbols({ symbols }: InstrumentOutline): readonly Row<HeldSymbol>[] {
    return symbols.filter((place) => this.#plane.stands(place)).map((place) => this.#plane.row(place));
  }

  #instrument({ place, symbols, identifiers, exact, issuers }: InstrumentOutline): Shown {
    const plane = this.#plane;
    if (!plane.stands(place)) return { missing: 'outside_known_window' };
    const issuer = issuers[plane.revision(place) - 1]!;
    if (!plane.stands(issuer.place)) return { missing: 'issuer_unlinked' };
    if (!exact.some((at) => plane.stands(at))) return { missing: 'identifier_not_found' };
    this.exact += 1;
    let text = '{"display_symbols":[';
    text += this.#list(symbols);
    text += '],"identifiers":[';
    text += this.#identifiers(identifiers);
    text += plane.shown<string>(place);
    text += this.#issuer(issuer);
    return { text, sources: [plane.sources(place), plane.sources(issuer.place)] };
  }

  #issuer(outline: IssuerOutline): string {
    const found = outline.shared ? this.#issuers.get(outline) : undefined;
    if (found !== undefined) return found;
    this.issuers += 1;
    const text = this.#identifiers(outline.identifiers) + this.#plane.shown<string>(outline.place);
    if (outline.shared) this.#issuers.set(outline, text);
    return text;
  }

  #identifiers(places: readonly Place[]): string {
    for (const place of places) if (this.#plane.stands(place)) this.cited.add(this.#plane.sources(place));
    return this.#list(places);
  }

  #list(places: readonly Place[]): string {
    let list = '';
    for (const place of places) {
      if (!this.#plane.stands(place)) continue;
      if (list !== '') list += ',';
      list += this.#plane.shown<string>(place);
    }
    return list;
  }
}
