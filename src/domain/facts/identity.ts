// One event of the identity register as a fact: what it says, and over which times of which subjects.
import type { Instant } from '../../kernel/instant.js';

/** Over [from, to) of the world the event speaks for a subject: something holds there, or nothing does any more. */
export interface Claim {
  readonly subject: string;
  readonly from: Instant;
  /** Open where null. */
  readonly to: Instant | null;
  readonly holds: boolean;
}

/** The claims follow from the event; they stand beside it for stores, which need not read events. */
export interface Identity {
  readonly kind: 'identity';
  /** The event's own id: an event is stored once. */
  readonly id: string;
  /** Canonical JSON. */
  readonly event: string;
  readonly claims: readonly Claim[];
}
