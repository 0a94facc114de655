// From a line of a file to an identity fact and back: instants in one spelling, claims worked out.
import type { IdentityEvent, IdentityLine } from '../../contracts/research/identity-events.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { EARLIEST, formatInstant, type Instant, parseInstant } from '../../kernel/instant.js';
import type { Fact, Report } from './fact.js';
import type { Claim, Identity } from './identity.js';

/** An event that contradicts itself; the reason names members, never what they hold. */
export class ImpossibleEvent extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ImpossibleEvent';
  }
}

export const SUBJECTS = {
  source: (ref: string) => `source ${ref}`,
  issuer: (id: string) => `issuer ${id}`,
  instrument: (id: string) => `instrument ${id}`,
  /** An instrument trades at many venues at once; of every other scheme it has one identifier at a time. */
  identifier: (owner: string, scheme: string, value: string) =>
    scheme === 'figi_venue' ? `identifier ${owner} ${scheme} ${value}` : `identifier ${owner} ${scheme}`,
  symbol: (instrument: string, mic: string | null) => `symbol ${instrument} ${mic ?? '-'}`,
  basket: (id: string) => `basket ${id}`,
  membership: (basket: string, instrument: string) => `membership ${basket} ${instrument}`,
  pending: (id: string) => `pending ${id}`,
  hypothesis: (id: string) => `hypothesis ${id}`,
  view: (id: string) => `view ${id}`,
} as const;

interface Period {
  readonly from: string;
  readonly to: string | null;
}

export function instantIn(text: string, name: string): Instant {
  const at = parseInstant(text);
  if (at === null) throw new ImpossibleEvent(`${name} is not an instant that can be stored`);
  return at;
}

export function spanOf({ from, to }: Period): { from: Instant; to: Instant | null } {
  return { from: instantIn(from, 'from'), to: to === null ? null : instantIn(to, 'to') };
}

/** Everything that the event speaks for. What has no period of its own holds at all times. */
export function claimsOf(event: IdentityEvent): readonly Claim[] {
  const always = { from: EARLIEST, to: null, holds: true };
  switch (event.event) {
    case 'source':
      return [{ subject: SUBJECTS.source(event.source_ref), ...always }];
    case 'issuer':
      return [{ subject: SUBJECTS.issuer(event.issuer_id), ...spanOf(event.effective), holds: true }];
    case 'instrument':
      return [{ subject: SUBJECTS.instrument(event.instrument_id), ...spanOf(event.effective), holds: true }];
    case 'identifier': {
      const subject = SUBJECTS.identifier(event.owner_id, event.scheme, event.value);
      return [{ subject, ...spanOf(event.effective), holds: true }];
    }
    case 'symbol': {
      const subject = SUBJECTS.symbol(event.instrument_id, event.mic);
      return [{ subject, ...spanOf(event.effective), holds: true }];
    }
    case 'basket':
      return [{ subject: SUBJECTS.basket(event.basket_id), ...spanOf(event.effective), holds: true }];
    case 'membership': {
      const subject = SUBJECTS.membership(event.basket_id, event.instrument_id);
      return [{ subject, ...spanOf(event.effective), holds: true }];
    }
    case 'pending':
      return [{ subject: SUBJECTS.pending(event.pending_id), ...spanOf(event.effective), holds: true }];
    case 'resolution': {
      const span = spanOf(event.effective);
      return [
        { subject: SUBJECTS.membership(event.basket_id, event.instrument_id), ...span, holds: true },
        { subject: SUBJECTS.pending(event.pending_id), ...span, holds: false },
      ];
    }
    case 'closing':
      // A basket that is closed is still told of, as closed; everything else is gone.
      return [
        { subject: closedSubject(event.of), ...spanOf(event.effective), holds: event.of.what === 'basket' },
      ];
    case 'hypothesis':
    case 'withdrawal':
      return [{ subject: SUBJECTS.hypothesis(event.hypothesis_binding_id), ...always }];
    case 'view':
      return [{ subject: SUBJECTS.view(event.view_id), ...always }];
  }
}

function closedSubject(of: Extract<IdentityEvent, { event: 'closing' }>['of']): string {
  switch (of.what) {
    case 'issuer':
      return SUBJECTS.issuer(of.issuer_id);
    case 'instrument':
      return SUBJECTS.instrument(of.instrument_id);
    case 'identifier':
      return SUBJECTS.identifier(of.owner_id, of.scheme, of.value);
    case 'symbol':
      return SUBJECTS.symbol(of.instrument_id, of.mic);
    case 'basket':
      return SUBJECTS.basket(of.basket_id);
    case 'membership':
      return SUBJECTS.membership(of.basket_id, of.instrument_id);
    case 'pending':
      return SUBJECTS.pending(of.pending_id);
  }
}

/** Without `releasedAt` and without the line's own `known_at` the event counts as known when it is stored. */
export function identityReport(
  { known_at, ...said }: IdentityLine,
  source: string,
  releasedAt?: Instant,
): Report<Identity> {
  const event = inOneSpelling(said as IdentityEvent);
  const claims = claimsOf(event);
  for (const { from, to } of claims) {
    if (to !== null && to <= from) throw new ImpossibleEvent('effective ends before it begins');
  }
  const known = known_at === undefined ? releasedAt : instantIn(known_at, 'known_at');
  const [first] = claims;
  return {
    source,
    effectiveAt: first!.from === EARLIEST ? (known ?? EARLIEST) : first!.from,
    ...(known === undefined ? {} : { releasedAt: known }),
    body: { kind: 'identity', id: event.event_id, event: canonicalJson(event), claims },
  };
}

/** One instant can be written with many offsets; the same event must always be the same text. */
function inOneSpelling(event: IdentityEvent): IdentityEvent {
  const spelled = (text: string, name: string): string => formatInstant(instantIn(text, name));
  const period = ({ from, to }: Period): Period => ({
    from: spelled(from, 'from'),
    to: to === null ? null : spelled(to, 'to'),
  });
  if (event.event === 'source') {
    const { published_at, retrieved_at } = event;
    return {
      ...event,
      published_at: published_at === null ? null : spelled(published_at, 'published_at'),
      retrieved_at: spelled(retrieved_at, 'retrieved_at'),
    };
  }
  if (event.event === 'hypothesis') {
    const { from, to } = spanOf(event.window);
    if (to !== null && to <= from) throw new ImpossibleEvent('window ends before it begins');
    return { ...event, window: period(event.window) };
  }
  return 'effective' in event ? { ...event, effective: period(event.effective) } : event;
}

/** What was stored was checked on its way in. */
export function eventIn(body: Identity): IdentityEvent {
  return JSON.parse(body.event) as IdentityEvent;
}

/** The line that brings the fact into another archive. */
export function lineOf({ body, knownAt }: Fact<Identity>): Record<string, unknown> {
  return { ...eventIn(body), known_at: formatInstant(knownAt) };
}
