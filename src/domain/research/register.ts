// The bitemporal register of identities: takes events in the order in which they became known, and refuses what breaks it.
import type { EventOf, IdentityEvent } from '../../contracts/research/identity-events.js';
import type { Instant } from '../../kernel/instant.js';
import type { Identity } from '../facts/identity.js';
import { eventIn } from '../facts/identity-event.js';
import { Chain, type Change, type Row, type Span } from './chain.js';
import { closable, faultOf } from './event-faults.js';
import { type BindingRef, Holdings, identifierKey, openEnded, symbolKey } from './holdings.js';
import { exactMembers } from './standing.js';

/** What has no period of its own holds at all times. */
const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const BEFORE_ALL: Instant = Number.NEGATIVE_INFINITY;

export class Register {
  readonly holdings = new Holdings();
  readonly #lastKnownAt = new Map<string, Instant>();
  #newestKnownAt: Instant = BEFORE_ALL;

  /** Nothing that became known before this instant can still be taken: the past at any earlier instant stands. */
  get newestKnownAt(): Instant {
    return this.#newestKnownAt;
  }

  /** Takes the event as known from the instant on, or gives back why it cannot; then nothing has changed. */
  take(body: Identity, knownAt: Instant): string | null {
    if (knownAt < this.#newestKnownAt) return 'known_at lies before what the register already knows';
    // Two events at one instant would leave no time in which the first was known.
    if (body.claims.some(({ subject }) => (this.#lastKnownAt.get(subject) ?? BEFORE_ALL) >= knownAt))
      return 'known_at is not later than that of the last event about the same subject';
    const event = eventIn(body);
    const fault = faultOf(event, knownAt, this.holdings);
    if (fault !== null) return fault;
    this.#newestKnownAt = knownAt;
    for (const { subject } of body.claims) this.#lastKnownAt.set(subject, knownAt);
    this.#write(event, knownAt);
    this.holdings.revision += 1;
    return null;
  }

  #write(event: IdentityEvent, known: Instant): void {
    const { holdings } = this;
    switch (event.event) {
      case 'source': {
        const file = holdings.sources.open(event.source_ref, () => ({
          id: event.source_ref,
          chain: new Chain(),
        }));
        const { event: _kind, event_id: _id, ...source } = event;
        state(file.chain, ALWAYS, known, source, []);
        return;
      }
      case 'issuer': {
        const { issuer_id, legal_name, effective, source_refs } = event;
        const { chain } = holdings.issuer(issuer_id);
        state(chain, openEnded(effective), known, { issuer_id, legal_name }, holdings.citing(source_refs));
        return;
      }
      case 'instrument': {
        const file = holdings.instrument(event.instrument_id);
        const { issuer_id, kind, share_class_label } = event;
        const issuer = holdings.issuer(issuer_id);
        const held = { issuer, kind, share_class_label };
        state(file.chain, openEnded(event.effective), known, held, holdings.citing(event.source_refs));
        issuer.instruments.add(file);
        return;
      }
      case 'identifier': {
        const key = identifierKey(event.scheme, event.value);
        const files = holdings.owner(event.owner_id)!.identifiers;
        const { chain } = files.open(key, () => ({ id: key, chain: new Chain() }));
        const { owner_id, scheme, value, source_ref } = event;
        const held = { owner_id, scheme, value, source_ref };
        state(chain, openEnded(event.effective), known, held, holdings.citing([source_ref]));
        holdings.noteHolder(event.scheme, event.value, chain);
        return;
      }
      case 'symbol': {
        const key = symbolKey(event.mic);
        const { symbols } = holdings.instrument(event.instrument_id);
        const { chain } = symbols.open(key, () => ({ id: key, chain: new Chain() }));
        const { text, mic } = event;
        state(chain, openEnded(event.effective), known, { text, mic }, []);
        return;
      }
      case 'basket': {
        const { chain } = holdings.basket(event.basket_id);
        state(
          chain,
          openEnded(event.effective),
          known,
          { event, state: 'active' },
          holdings.citing(event.source_refs),
        );
        return;
      }
      case 'membership':
        this.#bind(event, known);
        return;
      case 'pending': {
        const file = holdings.pendings.open(event.pending_id, () => ({
          id: event.pending_id,
          basketId: event.basket_id,
          chain: new Chain(),
          resolved: [],
        }));
        const sources = [event.observed.source_ref];
        state(file.chain, openEnded(event.effective), known, { event, resolvedBy: null }, sources);
        return;
      }
      case 'resolution':
        this.#resolve(event, known);
        return;
      case 'closing':
        this.#close(event, known);
        return;
      case 'hypothesis':
        this.#register(event, known);
        return;
      case 'withdrawal': {
        const { chain } = holdings.hypotheses.get(event.hypothesis_binding_id)!;
        state(chain, ALWAYS, known, { ...chain.rows.at(-1)!.value, withdrawn: true }, []);
        return;
      }
      case 'view': {
        const file = holdings.views.open(event.view_id, () => ({ id: event.view_id, chain: new Chain() }));
        state(file.chain, ALWAYS, known, event, []);
      }
    }
  }

  #bind(event: EventOf<'membership'> | EventOf<'resolution'>, known: Instant): BindingRef {
    const member = this.holdings.openMember(event.basket_id, event.instrument_id);
    const span = openEnded(event.effective);
    const before = member.chain.openWithin(span);
    const turned = before.length > 0 && before.every(({ value }) => value !== event.role);
    const change = turned ? 'role_changed' : undefined;
    const row = state(member.chain, span, known, event.role, this.holdings.citing(event.source_refs), change);
    return { binding_id: member.id, revision: row.revision };
  }

  #resolve(event: EventOf<'resolution'>, known: Instant): void {
    const resolvedBy = this.#bind(event, known);
    const file = this.holdings.pendings.get(event.pending_id)!;
    const span = openEnded(event.effective);
    file.chain.write(span, known, null, { value: (held) => ({ ...held, resolvedBy }), change: 'closed' });
    file.resolved.push({ span, member: this.holdings.member(event.basket_id, event.instrument_id)! });
  }

  #close({ of, effective, source_refs }: EventOf<'closing'>, known: Instant): void {
    const span = openEnded(effective);
    if (of.what === 'basket') {
      const { chain } = this.holdings.baskets.get(of.basket_id)!;
      const { event } = chain.openWithin(span).at(-1)!.value;
      state(chain, span, known, { event, state: 'closed' }, this.holdings.citing(source_refs), 'closed');
      return;
    }
    closable(of, span, this.holdings)!.end(span, known, source_refs);
  }

  #register(event: EventOf<'hypothesis'>, known: Instant): void {
    const { holdings } = this;
    const id = event.hypothesis_binding_id;
    const file = holdings.hypotheses.open(id, () => ({ id, chain: new Chain() }));
    const basket = holdings.baskets.get(event.basket_id)!;
    const exact = exactMembers(basket.members.values(), { asOf: known, knownAt: known });
    const held = {
      event,
      registeredAt: known,
      basketRevision: basket.chain.at(known, known)!.revision,
      members: exact.map(({ member, row }) => ({ binding_id: member.id, revision: row.revision })),
      withdrawn: false,
    };
    state(file.chain, ALWAYS, known, held, []);
  }
}

/** A statement is the first over its span, or it corrects what stood there. */
function state<V>(
  chain: Chain<V>,
  span: Span,
  known: Instant,
  value: NoInfer<V>,
  sources: readonly string[],
  change?: Change,
): Row<V> {
  const made = chain.openWithin(span).length === 0 ? 'asserted' : 'corrected';
  return chain.write(span, known, { value, sources, change: change ?? made })!;
}
