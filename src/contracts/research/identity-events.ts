// One line of a file of identity events: what came to be known of an instrument, an issuer, a basket or a hypothesis.
import { z } from 'zod';
import { InstantInput, Sha256 } from '../primitives.js';
import {
  BasketId,
  BasketKind,
  Consumer,
  HypothesisBindingId,
  HypothesisId,
  IdentifierScheme,
  InstrumentId,
  InstrumentKind,
  IssuerId,
  isIdentifier,
  JoinKey,
  Mic,
  namesInstruments,
  PendingId,
  PendingReason,
  PendingState,
  PeriodInput,
  Role,
  SourceKind,
  SourceRef,
  SourceState,
  Text,
  ViewId,
} from './identity-words.js';

const SourceRefs = z.array(SourceRef).min(1).max(20);

/** `known_at` is when it became known; without it, now. */
const head = {
  event_id: Text(100).describe('Stored once, however often it is imported.'),
  known_at: InstantInput.optional(),
};

/** A file name or an address that anybody may see: nothing before an @, nothing behind a ?. */
const Locator = Text(500).regex(/^[^@?]*$/u);

const SourceEvent = z.strictObject({
  event: z.literal('source'),
  ...head,
  source_ref: SourceRef,
  kind: SourceKind,
  publisher: Text(200),
  locator: Locator,
  published_at: InstantInput.nullable(),
  retrieved_at: InstantInput,
  content_digest: Sha256,
  licence: Text(200),
  state: SourceState,
});

const IssuerEvent = z.strictObject({
  event: z.literal('issuer'),
  ...head,
  issuer_id: IssuerId,
  legal_name: Text(300),
  effective: PeriodInput,
  source_refs: SourceRefs,
});

const InstrumentEvent = z.strictObject({
  event: z.literal('instrument'),
  ...head,
  instrument_id: InstrumentId,
  issuer_id: IssuerId,
  kind: InstrumentKind,
  share_class_label: Text(60).nullable(),
  effective: PeriodInput,
  source_refs: SourceRefs,
});

const IdentifierEvent = z
  .strictObject({
    event: z.literal('identifier'),
    ...head,
    owner_id: z.union([InstrumentId, IssuerId]),
    scheme: IdentifierScheme,
    value: Text(20),
    effective: PeriodInput,
    source_ref: SourceRef,
  })
  .refine(({ scheme, value }) => isIdentifier(scheme, value), {
    path: ['value'],
    message: 'is not an identifier of its scheme: form or check digits are wrong',
  })
  .refine(({ scheme, owner_id }) => namesInstruments(scheme) === owner_id.startsWith('ins_'), {
    path: ['scheme'],
    message: 'does not fit the owner: FIGI and ISIN name instruments, LEI and CIK name issuers',
  });

const SymbolEvent = z.strictObject({
  event: z.literal('symbol'),
  ...head,
  instrument_id: InstrumentId,
  text: Text(40),
  mic: Mic.nullable(),
  effective: PeriodInput,
});

const BasketEvent = z.strictObject({
  event: z.literal('basket'),
  ...head,
  basket_id: BasketId,
  title: Text(200),
  kind: BasketKind,
  definition_digest: Sha256,
  effective: PeriodInput,
  source_refs: SourceRefs,
});

const MembershipEvent = z.strictObject({
  event: z.literal('membership'),
  ...head,
  basket_id: BasketId,
  instrument_id: InstrumentId,
  role: Role,
  effective: PeriodInput,
  source_refs: SourceRefs,
});

const PendingEvent = z.strictObject({
  event: z.literal('pending'),
  ...head,
  pending_id: PendingId,
  basket_id: BasketId,
  requested_role: Role,
  state: PendingState,
  reason: PendingReason,
  detail: Text(300),
  observed: z.strictObject({
    symbols: z.array(z.strictObject({ text: Text(40), mic: Mic.nullable() })).max(20),
    names: z.array(Text(300)).max(20),
    source_ref: SourceRef,
  }),
  candidates_seen: z.int().min(0).max(1_000_000),
  effective: PeriodInput,
});

/** Ends the pending row and binds the instrument, in one. */
const ResolutionEvent = z.strictObject({
  event: z.literal('resolution'),
  ...head,
  pending_id: PendingId,
  instrument_id: InstrumentId,
  basket_id: BasketId,
  role: Role,
  effective: PeriodInput,
  source_refs: SourceRefs,
});

const Closable = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('issuer'), issuer_id: IssuerId }),
  z.strictObject({ what: z.literal('instrument'), instrument_id: InstrumentId }),
  z.strictObject({
    what: z.literal('identifier'),
    owner_id: z.union([InstrumentId, IssuerId]),
    scheme: IdentifierScheme,
    value: Text(20),
  }),
  z.strictObject({ what: z.literal('symbol'), instrument_id: InstrumentId, mic: Mic.nullable() }),
  z.strictObject({ what: z.literal('basket'), basket_id: BasketId }),
  z.strictObject({ what: z.literal('membership'), basket_id: BasketId, instrument_id: InstrumentId }),
  z.strictObject({ what: z.literal('pending'), pending_id: PendingId }),
]);

/** Over the period nothing of it holds any more; what was known outside of it stays. */
const ClosingEvent = z.strictObject({
  event: z.literal('closing'),
  ...head,
  of: Closable,
  effective: PeriodInput,
  source_refs: SourceRefs,
});

/** The members are those that are exact when it becomes known; nobody names them. */
const HypothesisEvent = z.strictObject({
  event: z.literal('hypothesis'),
  ...head,
  hypothesis_binding_id: HypothesisBindingId,
  hypothesis_id: HypothesisId,
  statement_digest: Sha256,
  basket_id: BasketId,
  window: PeriodInput,
});

const WithdrawalEvent = z.strictObject({
  event: z.literal('withdrawal'),
  ...head,
  hypothesis_binding_id: HypothesisBindingId,
});

const ViewEvent = z.strictObject({
  event: z.literal('view'),
  ...head,
  view_id: ViewId,
  consumer: Consumer,
  join_on: JoinKey,
  roles: z.array(Role).min(1).max(2),
});

export const IdentityLine = z.discriminatedUnion('event', [
  SourceEvent,
  IssuerEvent,
  InstrumentEvent,
  IdentifierEvent,
  SymbolEvent,
  BasketEvent,
  MembershipEvent,
  PendingEvent,
  ResolutionEvent,
  ClosingEvent,
  HypothesisEvent,
  WithdrawalEvent,
  ViewEvent,
]);
/** As written, with or without `known_at`. */
export type IdentityLine = z.output<typeof IdentityLine>;

/** Without `known_at`: when it became known is not part of what it says. */
type Said<Line> = Line extends unknown ? Omit<Line, 'known_at'> : never;
export type IdentityEvent = Said<IdentityLine>;
export type EventOf<Kind extends IdentityEvent['event']> = Extract<IdentityEvent, { event: Kind }>;
