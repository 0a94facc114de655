// The hub identity cohort: exact instruments and point-in-time baskets, at one point of the plane effective × known-at.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, Sha256 } from '../primitives.js';
import {
  BasketId,
  BasketKind,
  BindingId,
  Consumer,
  HypothesisBindingId,
  HypothesisId,
  IdentifierScheme,
  InstrumentId,
  InstrumentKind,
  IssuerId,
  JoinKey,
  Mic,
  PENDING_REASONS,
  PendingId,
  PendingReason,
  PendingState,
  Role,
  SourceKind,
  SourceRef,
  SourceState,
  ViewId,
} from './identity-words.js';
import { REPLACEMENT } from './retired.js';

const Count = z.int().min(0);
const Revision = z
  .int()
  .min(1)
  .describe('Counts the rows of one id from 1; a row is never changed, the next one takes its place.');
const supersession = {
  revision: Revision,
  supersedes: Revision.nullable().describe('The revision before; null for the first.'),
};

const Half = z.strictObject({ from: InstantText, to: InstantText.nullable() }).meta({
  id: 'HalfOpenPeriod',
  description: 'From the first instant on, without the second; null is open.',
});
const dated = {
  effective: Half.describe('When it is true of the world.'),
  known: Half.describe(
    'When it was known. Open in every packet: what ended it later was not known at `as_known_at`.',
  ),
};

const DatedIdentifier = z
  .strictObject({
    scheme: IdentifierScheme,
    value: z.string().describe('Its check digits were verified.'),
    ...dated,
    source_ref: SourceRef,
  })
  .meta({ id: 'DatedIdentifier' });

const DisplaySymbol = z
  .strictObject({
    text: z
      .string()
      .describe('For eyes only: the same text may name two instruments, and one may change it.'),
    mic: Mic.nullable(),
    join_key: z.literal(false),
    ...dated,
  })
  .meta({ id: 'DisplaySymbol' });

const ExactInstrument = z
  .strictObject({
    instrument_id: InstrumentId,
    kind: InstrumentKind,
    share_class_label: z.string().nullable(),
    identifiers: z.array(DatedIdentifier).min(1).describe('At least one share-class FIGI or ISIN.'),
    display_symbols: z.array(DisplaySymbol),
  })
  .meta({ id: 'ExactInstrument' });

const ExactIssuer = z
  .strictObject({
    issuer_id: IssuerId,
    legal_name: z.string(),
    identifiers: z.array(DatedIdentifier).describe('LEI and CIK, where there are any.'),
  })
  .meta({ id: 'ExactIssuer' });

const SourceInput = z
  .strictObject({
    source_ref: SourceRef,
    kind: SourceKind,
    publisher: z.string(),
    locator: z.string(),
    published_at: InstantText.nullable(),
    retrieved_at: InstantText,
    known_from: InstantText,
    content_digest: Sha256,
    licence: z.string(),
    state: SourceState,
  })
  .meta({ id: 'SourceInput' });

const Coverage = z
  .strictObject({
    baskets: Count,
    instruments: Count,
    issuers: Count,
    bindings: z.strictObject({ primary: Count, context: Count }),
    pending: Count,
    unavailable: Count,
    hypotheses: Count,
    by_basket: z.array(
      z.strictObject({
        basket_id: BasketId,
        primary: Count,
        context: Count,
        pending: Count,
        unavailable: Count,
      }),
    ),
    gaps: z.array(z.strictObject({ basket_id: BasketId.nullable(), reason: PendingReason, count: Count })),
  })
  .meta({
    id: 'CohortCoverage',
    description: 'Counts of what stands in this packet; no ratio is made of them.',
  });

const Basket = z
  .strictObject({
    basket_id: BasketId,
    ...supersession,
    title: z.string(),
    kind: BasketKind,
    definition_digest: Sha256.describe('Of the written rule behind this revision.'),
    state: z.enum(['active', 'closed']),
    ...dated,
    source_refs: z.array(SourceRef),
  })
  .meta({ id: 'CohortBasket' });

const Binding = z
  .strictObject({
    binding_id: BindingId,
    ...supersession,
    basket_id: BasketId,
    basket_revision: Revision,
    instrument: ExactInstrument,
    issuer: ExactIssuer,
    role: Role,
    identity_state: z.literal('exact'),
    ...dated,
    change: z
      .enum(['asserted', 'corrected', 'remainder', 'role_changed', 'closed'])
      .describe(
        'How this row came to be: stated first, stated anew, what a later statement left of an earlier one, stated with another role, or given an end.',
      ),
    source_refs: z.array(SourceRef).min(1),
  })
  .meta({ id: 'CohortBinding' });

const TypedPendingBinding = z
  .strictObject({
    pending_id: PendingId,
    ...supersession,
    basket_id: BasketId,
    basket_revision: Revision,
    requested_role: Role,
    state: PendingState,
    reason: PendingReason,
    detail: z.string(),
    observed: z.strictObject({
      symbols: z.array(DisplaySymbol),
      names: z.array(z.string()),
      source_ref: SourceRef,
    }),
    candidates_seen: Count.describe('How many, never which: a list of candidates would invite a join.'),
    instrument_id: z.null(),
    issuer_id: z.null(),
    ...dated,
    resolved_by: z
      .strictObject({ binding_id: BindingId, revision: Revision })
      .nullable()
      .describe('Set where the identity was found for another part of the effective time.'),
  })
  .meta({ id: 'TypedPendingBinding' });

const Members = z.array(z.strictObject({ binding_id: BindingId, revision: Revision }));

const ProspectiveHypothesisBinding = z
  .strictObject({
    hypothesis_binding_id: HypothesisBindingId,
    ...supersession,
    hypothesis: z.strictObject({
      hypothesis_id: HypothesisId,
      statement_digest: Sha256,
      registered_at: InstantText,
    }),
    basket_id: BasketId,
    basket_revision: Revision,
    members: Members.describe('As they were at registration; no later correction changes them.'),
    window: Half.describe('Never begins before the registration.'),
    state: z.enum(['registered', 'open', 'closed', 'withdrawn']),
    outcome_exported: z.literal(false),
    known: Half,
  })
  .meta({ id: 'ProspectiveHypothesisBinding' });

const ConsumerView = z
  .strictObject({
    view_id: ViewId,
    consumer: Consumer,
    join_on: JoinKey,
    join_forbidden: z.array(z.literal('ticker_text')).length(1),
    roles: z.array(Role),
    members: Members.describe('Some of the bindings of this packet.'),
    omitted: z.array(
      z.strictObject({ reason: z.enum(['role_not_in_view', ...PENDING_REASONS]), count: Count }),
    ),
    digest: Sha256.describe('Of everything else in this view.'),
  })
  .meta({ id: 'ConsumerView' });

const Boundary = z
  .strictObject({
    use: z.literal('cited_context_only'),
    score_exported: z.literal(false),
    rank_exported: z.literal(false),
    vote_exported: z.literal(false),
    basket_relative_strength_exported: z.literal(false),
    trading_authority: z.literal(false),
    investment_advice: z.literal(false),
    ticker_text_join: z.literal(false),
    stored_dossier_served: z.literal(false),
    cache: z.literal('no-store'),
    canonical_form: z.literal('rfc8785-jcs'),
    packet_digest: Sha256.describe('Of the packet in its canonical form, without this member.'),
    retired_routes: z.array(z.string()),
  })
  .meta({ id: 'CohortBoundary' });

export const HubPitIdentityCohort = z
  .strictObject({
    schema: z.literal(REPLACEMENT.schema),
    status: z
      .enum(['ready', 'partial', 'pending', 'unavailable'])
      .describe(
        'unavailable: no usable source was known. pending: nothing exact, something pending. partial: something exact, but also something pending or unavailable, or from a source that is no longer read. ready: otherwise.',
      ),
    as_of: InstantText.describe('The instant of the world that the packet is about.'),
    as_known_at: InstantText.describe('The instant of knowledge: nothing learned later is in the packet.'),
    source_inputs: z.array(SourceInput).describe('The sources that rows of this packet cite.'),
    coverage: Coverage,
    baskets: z.array(Basket),
    bindings: z.array(Binding),
    typed_pending_bindings: z.array(TypedPendingBinding),
    prospective_hypothesis_bindings: z.array(ProspectiveHypothesisBinding),
    consumer_views: z.array(ConsumerView),
    boundary: Boundary,
  })
  .meta({
    id: 'HubPitIdentityCohort',
    description: 'Every list is in the order of its opaque ids, which says nothing about its members.',
  });
export type HubPitIdentityCohort = z.input<typeof HubPitIdentityCohort>;

export const hubPitIdentityCohort = operation({
  name: 'hub_pit_identity_cohort',
  method: 'GET',
  path: REPLACEMENT.path,
  surface: 'research',
  group: 'research evidence',
  summary: 'Exact instruments and point-in-time baskets, as known at an instant',
  description:
    'Binds exact instruments, issuers and baskets at one point of the plane effective × known-at. Both instants default to now and may not lie in the future. Before anything was known the status is `unavailable`. Cited context only: no score, rank, vote, relative strength or order of merit is exported, and a ticker text is never a key. Never cached.',
  access: PUBLIC,
  input: z.strictObject({
    as_of: InstantInput.optional(),
    as_known_at: InstantInput.optional().describe(
      'RFC 3339 with an offset: nothing that became known later is used.',
    ),
  }),
  output: HubPitIdentityCohort,
  failures: [
    'invalid_as_of',
    'invalid_parameter',
    'unknown_parameter',
    'as_of_out_of_range',
    'archive_unavailable',
  ],
  keeps: 'nothing',
  example: { as_of: '2026-01-31T14:30:00Z', as_known_at: '2026-02-15T00:00:00Z' },
});
