// All chains of the register, filed under the opaque ids of what they are about. Nothing here is found by a symbol.
import type { EventOf } from '../../contracts/research/identity-events.js';
import type { Role } from '../../contracts/research/identity-words.js';
import type { Instant } from '../../kernel/instant.js';
import { spanOf } from '../facts/identity-event.js';
import { Chain, type Span } from './chain.js';
import { opaqueId } from './opaque-id.js';

export interface BindingRef {
  readonly binding_id: string;
  readonly revision: number;
}

/** Of each event what its rows need; when it holds is the row's own matter. */
export type HeldSource = Omit<EventOf<'source'>, 'event' | 'event_id'>;
export type HeldIssuer = Pick<EventOf<'issuer'>, 'issuer_id' | 'legal_name'>;
export type HeldIdentifier = Pick<EventOf<'identifier'>, 'owner_id' | 'scheme' | 'value' | 'source_ref'>;
export type HeldSymbol = Pick<EventOf<'symbol'>, 'text' | 'mic'>;

export interface HeldInstrument extends Pick<EventOf<'instrument'>, 'kind' | 'share_class_label'> {
  readonly issuer: IssuerFile;
}

export interface HeldBasket {
  readonly event: EventOf<'basket'>;
  readonly state: 'active' | 'closed';
}

export interface HeldPending {
  readonly event: EventOf<'pending'>;
  readonly resolvedBy: BindingRef | null;
}

export interface HeldHypothesis {
  readonly event: EventOf<'hypothesis'>;
  readonly registeredAt: Instant;
  readonly basketRevision: number;
  readonly members: readonly BindingRef[];
  readonly withdrawn: boolean;
}

export type IdentifierChain = Chain<HeldIdentifier>;

export interface SourceFile {
  readonly id: string;
  readonly chain: Chain<HeldSource>;
}

export interface IssuerFile {
  readonly id: string;
  readonly chain: Chain<HeldIssuer>;
  readonly identifiers: Files<{ readonly id: string; readonly chain: IdentifierChain }>;
  /** Instruments that were ever linked to it. */
  readonly instruments: Set<InstrumentFile>;
}

export interface InstrumentFile {
  readonly id: string;
  readonly chain: Chain<HeldInstrument>;
  readonly identifiers: Files<{ readonly id: string; readonly chain: IdentifierChain }>;
  readonly symbols: Files<{ readonly id: string; readonly chain: Chain<HeldSymbol> }>;
  readonly memberships: Set<MemberFile>;
}

/** One instrument in one basket; its id is the binding's. */
export interface MemberFile {
  readonly id: string;
  readonly basketId: string;
  readonly instrument: InstrumentFile;
  readonly chain: Chain<Role>;
}

export interface BasketFile {
  readonly id: string;
  readonly chain: Chain<HeldBasket>;
  readonly members: Map<string, MemberFile>;
}

export interface PendingFile {
  readonly id: string;
  readonly basketId: string;
  readonly chain: Chain<HeldPending>;
  /** What was found out, and for which time. */
  readonly resolved: { readonly span: Span; readonly member: MemberFile }[];
}

export interface HypothesisFile {
  readonly id: string;
  readonly chain: Chain<HeldHypothesis>;
}

export interface ViewFile {
  readonly id: string;
  readonly chain: Chain<EventOf<'view'>>;
}

/** Where an identifier is filed with its owner: venue FIGIs each by itself, every other scheme as one. */
export function identifierKey(scheme: string, value: string): string {
  return scheme === 'figi_venue' ? `${scheme} ${value}` : scheme;
}

export function symbolKey(mic: string | null): string {
  return mic ?? '';
}

export function openEnded(period: { readonly from: string; readonly to: string | null }): Span {
  const { from, to } = spanOf(period);
  return { from, to: to ?? Number.POSITIVE_INFINITY };
}

/** Files by id, and all of them in the order of their ids. */
export class Files<F extends { readonly id: string }> {
  readonly #files = new Map<string, F>();
  #inOrder: readonly F[] | null = null;

  get(id: string): F | undefined {
    return this.#files.get(id);
  }

  open(id: string, make: () => F): F {
    const found = this.#files.get(id);
    if (found !== undefined) return found;
    const made = make();
    this.#files.set(id, made);
    this.#inOrder = null;
    return made;
  }

  inOrder(): readonly F[] {
    this.#inOrder ??= [...this.#files.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#inOrder;
  }
}

export class Holdings {
  /** One more with every event that was taken. */
  revision = 0;
  readonly sources = new Files<SourceFile>();
  readonly issuers = new Files<IssuerFile>();
  readonly instruments = new Files<InstrumentFile>();
  readonly baskets = new Files<BasketFile>();
  readonly members = new Files<MemberFile>();
  readonly pendings = new Files<PendingFile>();
  readonly hypotheses = new Files<HypothesisFile>();
  readonly views = new Files<ViewFile>();
  readonly #citations = new Map<string, readonly string[]>();
  /** Chains that ever held an identifier, by scheme and value: one must not name two things at once. */
  readonly #holders = new Map<string, Set<IdentifierChain>>();

  issuer(id: string): IssuerFile {
    return this.issuers.open(id, () => ({
      id,
      chain: new Chain(),
      identifiers: new Files(),
      instruments: new Set(),
    }));
  }

  instrument(id: string): InstrumentFile {
    return this.instruments.open(id, () => ({
      id,
      chain: new Chain(),
      identifiers: new Files(),
      symbols: new Files(),
      memberships: new Set(),
    }));
  }

  basket(id: string): BasketFile {
    return this.baskets.open(id, () => ({ id, chain: new Chain(), members: new Map() }));
  }

  member(basketId: string, instrumentId: string): MemberFile | undefined {
    return this.baskets.get(basketId)?.members.get(instrumentId);
  }

  openMember(basketId: string, instrumentId: string): MemberFile {
    const id = opaqueId('bnd', basketId, instrumentId);
    const instrument = this.instrument(instrumentId);
    const member = this.members.open(id, () => ({ id, basketId, instrument, chain: new Chain() }));
    this.basket(basketId).members.set(instrumentId, member);
    instrument.memberships.add(member);
    return member;
  }

  owner(id: string): IssuerFile | InstrumentFile | undefined {
    return this.instruments.get(id) ?? this.issuers.get(id);
  }

  /** The one list with these sources, sorted: most rows cite the same few. */
  citing(refs: readonly string[]): readonly string[] {
    const sorted = [...new Set(refs)].sort();
    const key = sorted.join();
    const known = this.#citations.get(key) ?? sorted;
    this.#citations.set(key, known);
    return known;
  }

  holdersOf(scheme: string, value: string): Iterable<IdentifierChain> {
    return this.#holders.get(`${scheme} ${value}`) ?? [];
  }

  noteHolder(scheme: string, value: string, chain: IdentifierChain): void {
    const key = `${scheme} ${value}`;
    this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(chain));
  }
}
