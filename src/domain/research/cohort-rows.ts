// What the register shows at one point of the plane: baskets, exact bindings, and what is not exact, each by its id.
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { Role } from '../../contracts/research/identity-words.js';
import { type Row, united } from './chain.js';
import type { HeldBasket, HeldSource, Holdings } from './holdings.js';
import { type BindingOutline, outlineAt } from './outline.js';
import type { Plane } from './plane.js';
import { Instruments, type ShownInstrument } from './shown-instruments.js';
import {
  hypothesisShape,
  inexactShape,
  type MembershipTexts,
  type Pending,
  pendingShape,
} from './shown-rows.js';
import { type Point, rowsAt } from './standing.js';
import { TextBytes } from './text-bytes.js';

/** As much of a binding as counts and views need; the rest is in the bytes of all. */
export interface ShownBinding {
  readonly id: string;
  readonly basketId: string;
  readonly revision: number;
  readonly role: Role;
}

export interface CohortRows {
  readonly baskets: readonly Row<HeldBasket>[];
  readonly bindings: readonly ShownBinding[];
  /** The list of them as JSON; good until the next packet is written. */
  readonly bindingBytes: Buffer;
  /** How many instruments and issuers the bindings name. */
  readonly instruments: number;
  readonly issuers: number;
  readonly pendings: readonly Pending[];
  readonly hypotheses: HubPitIdentityCohort['prospective_hypothesis_bindings'];
  /** Memberships and pending rows of baskets that are closed or not known at the point, by basket. */
  readonly outside: ReadonlyMap<string, number>;
  readonly sources: readonly Row<HeldSource>[];
}

export function cohortRows(holdings: Holdings, point: Point): CohortRows {
  const { asOf, knownAt } = point;
  const baskets = rowsAt(holdings.baskets.inOrder(), point);
  const active = new Map<string, number>();
  for (const { revision, value } of baskets)
    if (value.state === 'active') active.set(value.event.basket_id, revision);
  const { plane, bindings } = outlineAt(holdings, point);
  const instruments = new Instruments(plane);
  const written = new Bindings(plane);
  const pendings: Pending[] = [];
  const outside = new Map<string, number>();
  const leaveOut = (basketId: string): void => void outside.set(basketId, (outside.get(basketId) ?? 0) + 1);

  for (const binding of bindings) {
    if (!plane.stands(binding.place)) continue;
    const basketRevision = active.get(binding.basketId);
    if (basketRevision === undefined) {
      leaveOut(binding.basketId);
      continue;
    }
    const named = instruments.show(binding.instrument);
    if ('missing' in named) {
      const symbols = instruments.symbols(binding.instrument);
      pendings.push(inexactShape(binding, plane.row(binding.place), basketRevision, named.missing, symbols));
    } else written.add(binding, basketRevision, named);
  }
  for (const file of holdings.pendings.inOrder()) {
    const row = file.chain.at(asOf, knownAt);
    if (row === undefined) continue;
    const basketRevision = active.get(file.basketId);
    if (basketRevision === undefined) leaveOut(file.basketId);
    else pendings.push(pendingShape(row, basketRevision));
  }
  pendings.sort((a, b) => (a.pending_id < b.pending_id ? -1 : 1));

  const cited = new Set([...instruments.cited, ...written.cited].flat());
  for (const { sources } of baskets) for (const ref of sources) cited.add(ref);
  for (const { observed } of pendings) cited.add(observed.source_ref);
  return {
    baskets,
    bindings: written.shown,
    bindingBytes: written.bytes(),
    instruments: instruments.exact,
    issuers: instruments.issuers,
    pendings,
    hypotheses: rowsAt(holdings.hypotheses.inOrder(), point).map((row) => hypothesisShape(row, asOf)),
    outside,
    sources: [...cited].sort().map((ref) => holdings.sources.get(ref)!.chain.at(asOf, knownAt)!),
  };
}

/** The same bytes for every packet: they are copied into it before the next one is begun. */
const BYTES = new TextBytes();

class Bindings {
  readonly shown: ShownBinding[] = [];
  readonly #plane: Plane;
  /** The same few lists of sources stand behind most rows, and equal lists are one. */
  readonly #sourceTexts = new Map<readonly string[], string>();

  constructor(plane: Plane) {
    this.#plane = plane;
    BYTES.clear();
    BYTES.add('[');
  }

  get cited(): Iterable<readonly string[]> {
    return this.#sourceTexts.keys();
  }

  /** Members in the order of their names, as RFC 8785 asks; ids and words need no escapes. */
  add({ id, basketId, place }: BindingOutline, basketRevision: number, named: ShownInstrument): void {
    const { role, before, between, after } = this.#plane.shown<MembershipTexts>(place);
    if (this.shown.length > 0) BYTES.add(',');
    BYTES.add(`{"basket_id":"${basketId}","basket_revision":${basketRevision},"binding_id":"${id}`);
    BYTES.add(before);
    BYTES.add(named.text);
    BYTES.add(between);
    BYTES.add(this.#sources(this.#plane.sources(place), named.sources));
    BYTES.add(after);
    this.shown.push({ id, basketId, revision: this.#plane.revision(place), role });
  }

  bytes(): Buffer {
    BYTES.add(']');
    return BYTES.all();
  }

  #sources(own: readonly string[], others: readonly (readonly string[])[]): string {
    const all = others.every((list) => list === own) ? own : united(own, ...others);
    const found = this.#sourceTexts.get(all);
    if (found !== undefined) return found;
    const text = JSON.stringify(all);
    this.#sourceTexts.set(all, text);
    return text;
  }
}
