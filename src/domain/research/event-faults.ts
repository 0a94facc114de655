// Why an event cannot be taken into the register: every invariant that it would break, in one sentence.
import type { EventOf, IdentityEvent } from '../../contracts/research/identity-events.js';
import type { Instant } from '../../kernel/instant.js';
import { instantIn } from '../facts/identity-event.js';
import type { Chain, Span } from './chain.js';
import {
  type Holdings,
  type InstrumentFile,
  identifierKey,
  type MemberFile,
  openEnded,
  symbolKey,
} from './holdings.js';
import { exactMembers } from './standing.js';

/** Null where the event may be taken. Everything is judged by what is known to this day. */
export function faultOf(event: IdentityEvent, known: Instant, holdings: Holdings): string | null {
  return citationFault(event, holdings) ?? ownFault(event, known, holdings);
}

function citationFault(event: IdentityEvent, { sources }: Holdings): string | null {
  const cited = [
    ...('source_refs' in event ? event.source_refs : []),
    ...(event.event === 'identifier' ? [event.source_ref] : []),
    ...(event.event === 'pending' ? [event.observed.source_ref] : []),
  ];
  return cited.every((ref) => sources.get(ref) !== undefined) ? null : 'it cites a source that is not known';
}

function ownFault(event: IdentityEvent, known: Instant, holdings: Holdings): string | null {
  switch (event.event) {
    case 'source':
      return instantIn(event.retrieved_at, 'retrieved_at') > known
        ? 'the source was known before it was retrieved'
        : null;
    case 'issuer':
    case 'basket':
    case 'view':
      return null;
    case 'instrument':
      return instrumentFault(event, holdings);
    case 'identifier':
      return identifierFault(event, holdings);
    case 'symbol':
      return holdings.instruments.get(event.instrument_id) ? null : 'the instrument is not known';
    case 'membership':
      return membershipFault(event, holdings);
    case 'pending':
      return pendingFault(event, holdings);
    case 'resolution':
      return resolutionFault(event, holdings);
    case 'closing': {
      const span = openEnded(event.effective);
      const rows = closable(event.of, span, holdings)?.openWithin(span) ?? [];
      return rows.length === 0 ? 'nothing is known there that could end' : null;
    }
    case 'hypothesis':
      return hypothesisFault(event, known, holdings);
    case 'withdrawal': {
      const held = holdings.hypotheses.get(event.hypothesis_binding_id)?.chain.rows.at(-1)?.value;
      if (held === undefined) return 'the hypothesis is not known';
      return held.withdrawn ? 'the hypothesis is withdrawn already' : null;
    }
  }
}

type Closable = Pick<Chain<unknown>, 'openWithin' | 'end'>;

/** The chain that a closing would end a part of; undefined where there is none, or it holds another identifier. */
export function closable(of: EventOf<'closing'>['of'], span: Span, holdings: Holdings): Closable | undefined {
  switch (of.what) {
    case 'issuer':
      return holdings.issuers.get(of.issuer_id)?.chain;
    case 'instrument':
      return holdings.instruments.get(of.instrument_id)?.chain;
    case 'identifier': {
      const files = holdings.owner(of.owner_id)?.identifiers;
      const chain = files?.get(identifierKey(of.scheme, of.value))?.chain;
      return chain?.openWithin(span).every(({ value }) => value.value === of.value) ? chain : undefined;
    }
    case 'symbol':
      return holdings.instruments.get(of.instrument_id)?.symbols.get(symbolKey(of.mic))?.chain;
    case 'basket':
      return holdings.baskets.get(of.basket_id)?.chain;
    case 'membership':
      return holdings.member(of.basket_id, of.instrument_id)?.chain;
    case 'pending':
      return holdings.pendings.get(of.pending_id)?.chain;
  }
}

function instrumentFault(event: EventOf<'instrument'>, holdings: Holdings): string | null {
  if (holdings.issuers.get(event.issuer_id) === undefined) return 'the issuer is not known';
  const file = holdings.instruments.get(event.instrument_id);
  const span = openEnded(event.effective);
  for (const member of file?.memberships ?? []) {
    for (const row of member.chain.openWithin(span)) {
      if (row.value !== 'PRIMARY') continue;
      const shared = common(span, row)!;
      if (hasRival(member.basketId, file!, event.issuer_id, shared, holdings)) return TWO_PRIMARIES;
    }
  }
  return null;
}

const TWO_PRIMARIES = 'its issuer would have two PRIMARY instruments in one basket at the same time';

function identifierFault(event: EventOf<'identifier'>, holdings: Holdings): string | null {
  const { owner_id, scheme, value } = event;
  if (holdings.owner(owner_id) === undefined) return 'the owner is not known';
  const span = openEnded(event.effective);
  for (const chain of holdings.holdersOf(scheme, value)) {
    const taken = chain
      .openWithin(span)
      .some((row) => row.value.value === value && row.value.owner_id !== owner_id);
    if (taken) return 'the identifier names something else at that time';
  }
  return null;
}

function membershipFault(
  event: EventOf<'membership'> | EventOf<'resolution'>,
  holdings: Holdings,
): string | null {
  if (holdings.baskets.get(event.basket_id) === undefined) return 'the basket is not known';
  const instrument = holdings.instruments.get(event.instrument_id);
  if (instrument === undefined) return 'the instrument is not known';
  if (event.role !== 'PRIMARY') return null;
  const span = openEnded(event.effective);
  for (const link of instrument.chain.openWithin(span)) {
    const shared = common(span, link)!;
    if (hasRival(event.basket_id, instrument, link.value.issuer.id, shared, holdings)) return TWO_PRIMARIES;
  }
  return null;
}

/** Whether another instrument of the issuer is PRIMARY in the basket over a part of the span. */
function hasRival(
  basketId: string,
  instrument: InstrumentFile,
  issuerId: string,
  span: Span,
  holdings: Holdings,
): boolean {
  for (const other of holdings.issuers.get(issuerId)?.instruments ?? []) {
    const member = other === instrument ? undefined : holdings.member(basketId, other.id);
    if (member !== undefined && isPrimaryFor(member, issuerId, span)) return true;
  }
  return false;
}

function isPrimaryFor({ chain, instrument }: MemberFile, issuerId: string, span: Span): boolean {
  return chain.openWithin(span).some((row) => {
    if (row.value !== 'PRIMARY') return false;
    const links = instrument.chain.openWithin(common(span, row)!);
    return links.some((link) => link.value.issuer.id === issuerId);
  });
}

export function common(a: Span, b: Span): Span | null {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from < to ? { from, to } : null;
}

function pendingFault(event: EventOf<'pending'>, holdings: Holdings): string | null {
  if (holdings.baskets.get(event.basket_id) === undefined) return 'the basket is not known';
  const file = holdings.pendings.get(event.pending_id);
  if (file === undefined) return null;
  if (file.basketId !== event.basket_id) return 'the pending row belongs to another basket';
  const span = openEnded(event.effective);
  const bound = file.resolved.some(({ span: found, member }) => {
    const shared = common(span, found);
    return shared !== null && member.chain.openWithin(shared).length > 0;
  });
  return bound ? 'the pending row is resolved at that time, and the binding still stands' : null;
}

function resolutionFault(event: EventOf<'resolution'>, holdings: Holdings): string | null {
  const file = holdings.pendings.get(event.pending_id);
  if (file === undefined || file.chain.openWithin(openEnded(event.effective)).length === 0)
    return 'nothing is pending there that could be resolved';
  if (file.basketId !== event.basket_id) return 'the pending row belongs to another basket';
  return membershipFault(event, holdings);
}

function hypothesisFault(event: EventOf<'hypothesis'>, known: Instant, holdings: Holdings): string | null {
  if (holdings.hypotheses.get(event.hypothesis_binding_id) !== undefined)
    return 'the hypothesis is registered already';
  if (openEnded(event.window).from < known) return 'its window begins before its registration';
  const basket = holdings.baskets.get(event.basket_id);
  if (basket?.chain.at(known, known)?.value.state !== 'active') return 'the basket is not active';
  const point = { asOf: known, knownAt: known };
  return exactMembers(basket.members.values(), point).length === 0
    ? 'the basket has no exact member that could be frozen'
    : null;
}
