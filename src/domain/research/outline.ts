// Which chains each binding is made of, laid out on a plane in the order of the packet.
import type { Row } from './chain.js';
import type { HeldIdentifier, Holdings, InstrumentFile, IssuerFile } from './holdings.js';
import { type Place, Plane } from './plane.js';
import { identifierText, instrumentText, issuerText, membershipTexts, symbolText } from './shown-rows.js';
import { EXACT, type Point } from './standing.js';

export interface IssuerOutline {
  readonly place: Place;
  readonly identifiers: readonly Place[];
  /** Whether more than one instrument names it. */
  readonly shared: boolean;
}

export interface InstrumentOutline {
  readonly id: string;
  readonly place: Place;
  readonly symbols: readonly Place[];
  readonly identifiers: readonly Place[];
  /** Those that make it exact. */
  readonly exact: readonly Place[];
  /** By the revision of the instrument, from 1. */
  readonly issuers: readonly IssuerOutline[];
  /** Whether it is in more than one basket. */
  readonly shared: boolean;
}

export interface BindingOutline {
  readonly id: string;
  readonly basketId: string;
  readonly place: Place;
  readonly instrument: InstrumentOutline;
}

export class Outline {
  readonly plane: Plane;
  readonly bindings: readonly BindingOutline[];
  readonly #instruments = new Map<InstrumentFile, InstrumentOutline>();
  readonly #issuers = new Map<IssuerFile, IssuerOutline>();
  readonly #holdings: Holdings;

  constructor(holdings: Holdings, plane: Plane) {
    this.plane = plane;
    this.#holdings = holdings;
    const { members, baskets } = holdings;
    this.bindings = members.inOrder().map(({ id, basketId, chain, instrument }) => ({
      id,
      // One and the same text for all members of a basket.
      basketId: baskets.get(basketId)!.id,
      place: this.plane.lay(chain, membershipTexts),
      instrument: this.#instruments.get(instrument) ?? this.#instrument(instrument),
    }));
  }

  #instrument(file: InstrumentFile): InstrumentOutline {
    const place = this.plane.lay(file.chain, (row) => instrumentText(row, file.id));
    const symbols = file.symbols.inOrder().map(({ chain }) => this.plane.lay(chain, symbolText));
    const identifiers = this.#identifiers(file);
    const exact = file.identifiers
      .inOrder()
      .flatMap(({ id }, i) => (EXACT.includes(id) ? [identifiers[i]!] : []));
    const issuers = file.chain.rows.map(
      ({ value }) => this.#issuers.get(value.issuer) ?? this.#issuer(value.issuer),
    );
    const shared = file.memberships.size > 1;
    const outline = { id: file.id, place, symbols, identifiers, exact, issuers, shared };
    this.#instruments.set(file, outline);
    return outline;
  }

  #issuer(file: IssuerFile): IssuerOutline {
    const place = this.plane.lay(file.chain, issuerText);
    const identifiers = this.#identifiers(file);
    const outline = { place, identifiers, shared: file.instruments.size > 1 };
    this.#issuers.set(file, outline);
    return outline;
  }

  /** They are filed by scheme, and within a scheme by value; each cites its own source alone. */
  #identifiers({ identifiers }: IssuerFile | InstrumentFile): Place[] {
    const cited = ({ sources, value }: Row<HeldIdentifier>) =>
      sources.length === 1 ? sources : this.#holdings.citing([value.source_ref]);
    return identifiers.inOrder().map(({ chain }) => this.plane.lay(chain, identifierText, cited));
  }
}

const OUTLINES = new WeakMap<Holdings, { readonly revision: number; readonly outline: Outline }>();

/** The outline of what is held, its plane at the point. */
export function outlineAt(holdings: Holdings, point: Point): Outline {
  const { revision } = holdings;
  let known = OUTLINES.get(holdings);
  if (known?.revision !== revision) {
    const before = known?.outline.plane;
    const plane = before === undefined || before.worn ? new Plane() : before;
    known = { revision, outline: new Outline(holdings, plane) };
    OUTLINES.set(holdings, known);
  }
  known.outline.plane.moveTo(point);
  return known.outline;
}
