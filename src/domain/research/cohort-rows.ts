// What the register shows at one point of the plane: baskets, exact bindings, and what is not exact, each by its id.
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { Role } from '../../contracts/research/identity-words.js';
import { type Row, united } from './chain.js';
import type { HeldBasket, HeldSource, Holdings } from './holdings.js';
import { Chunks } from './object-text.js';
import { Instruments, type ShownInstrument } from './shown-instruments.js';
import { hypothesisShape, inexactShape, membershipTexts, type Pending, pendingShape } from './shown-rows.js';
import { type Point, rowsAt } from './standing.js';

/** As much of a binding as counts and views need; the rest is in the text of all. */
export interface ShownBinding {
  readonly basketId: string;
  readonly instrumentId: string;
  readonly issuerId: string;
  readonly role: Role;
  /** `{"binding_id":…,"revision":…}` */
  readonly refText: string;
}

export interface CohortRows {
  readonly baskets: readonly Row<HeldBasket>[];
  readonly bindings: readonly ShownBinding[];
  /** All of them, with commas between; where it is cut says nothing. */
  readonly bindingTexts: readonly string[];
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
  const instruments = new Instruments(holdings, point);
  const written = new Bindings();
  const pendings: Pending[] = [];
  const outside = new Map<string, number>();
  const leaveOut = (basketId: string): void => void outside.set(basketId, (outside.get(basketId) ?? 0) + 1);

  for (const member of holdings.members.inOrder()) {
    const row = member.chain.at(asOf, knownAt);
    if (row === undefined) continue;
    const basketRevision = active.get(member.basketId);
    if (basketRevision === undefined) {
      leaveOut(member.basketId);
      continue;
    }
    const named = instruments.show(member.instrument);
    if ('missing' in named) {
      const symbols = instruments.symbols(member.instrument);
      pendings.push(inexactShape(member, row, basketRevision, named.missing, symbols));
    } else written.add(member.id, member.basketId, basketRevision, row, named);
  }
  for (const file of holdings.pendings.inOrder()) {
    const row = file.chain.at(asOf, knownAt);
    if (row === undefined) continue;
    const basketRevision = active.get(file.basketId);
    if (basketRevision === undefined) leaveOut(file.basketId);
    else pendings.push(pendingShape(row, basketRevision));
  }
  pendings.sort((a, b) => (a.pending_id < b.pending_id ? -1 : 1));

  const cited = new Set([...instruments.cited, ...written.cited]);
  for (const { sources } of baskets) for (const ref of sources) cited.add(ref);
  for (const { observed } of pendings) cited.add(observed.source_ref);
  return {
    baskets,
    bindings: written.bindings,
    bindingTexts: written.texts(),
    pendings,
    hypotheses: rowsAt(holdings.hypotheses.inOrder(), point).map((row) => hypothesisShape(row, asOf)),
    outside,
    sources: [...cited].sort().map((ref) => holdings.sources.get(ref)!.chain.at(asOf, knownAt)!),
  };
}

class Bindings {
  readonly bindings: ShownBinding[] = [];
  readonly cited = new Set<string>();
  readonly #chunks = new Chunks();
  /** The same few lists of sources stand behind most rows, and equal lists are one. */
  readonly #sourceTexts = new Map<readonly string[], string>();

  /** Members in the order of their names, as RFC 8785 asks; ids and words need no escapes. */
  add(id: string, basketId: string, basketRevision: number, row: Row<Role>, named: ShownInstrument): void {
    const [before, between, after] = membershipTexts(row);
    const to = this.#chunks;
    const comma = to.empty ? '' : ',';
    to.add(`${comma}{"basket_id":"${basketId}","basket_revision":${basketRevision},"binding_id":"${id}`);
    to.add(before!);
    for (const piece of named.pieces) to.add(piece);
    to.add(between!);
    to.add(this.#sources(row.sources, named.sources));
    to.add(after!);
    const { instrumentId, issuerId } = named;
    const refText = `{"binding_id":"${id}","revision":${row.revision}}`;
    this.bindings.push({ basketId, instrumentId, issuerId, role: row.value, refText });
  }

  texts(): readonly string[] {
    return this.#chunks.all();
  }

  #sources(own: readonly string[], others: readonly (readonly string[])[]): string {
    const all = others.every((list) => list === own) ? own : united(own, ...others);
    const found = this.#sourceTexts.get(all);
    if (found !== undefined) return found;
    for (const ref of all) this.cited.add(ref);
    const text = JSON.stringify(all);
    this.#sourceTexts.set(all, text);
    return text;
  }
}
