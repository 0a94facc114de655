// Rows of the register as canonical text for the packet. A row never changes, so its text is written once and kept with it.
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { PendingReason, Role } from '../../contracts/research/identity-words.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import type { Row } from './chain.js';
import {
  type HeldBasket,
  type HeldHypothesis,
  type HeldIdentifier,
  type HeldInstrument,
  type HeldIssuer,
  type HeldPending,
  type HeldSource,
  type HeldSymbol,
  openEnded,
} from './holdings.js';
import { opaqueId } from './opaque-id.js';

type Packet = HubPitIdentityCohort;
type Binding = Packet['bindings'][number];
type DisplaySymbol = Binding['instrument']['display_symbols'][number];
export type Pending = Packet['typed_pending_bindings'][number];
type Hypothesis = Packet['prospective_hypothesis_bindings'][number];
type Half = Binding['effective'];

const endText = (to: Instant): string | null => (to === Number.POSITIVE_INFINITY ? null : formatInstant(to));
const effectiveOf = ({ from, to }: Row<unknown>): Half => ({ from: formatInstant(from), to: endText(to) });
/** What ended the knowledge of a row came later than any point at which the row is seen: `known` is always open. */
const knownOf = ({ knownFrom }: Row<unknown>): Half => ({ from: formatInstant(knownFrom), to: null });
const datesOf = (row: Row<unknown>) => ({ effective: effectiveOf(row), known: knownOf(row) });

/** In one piece: a text that was added up is walked through part by part whenever it is copied. */
const flat = (...pieces: readonly string[]): string => pieces.join('');

function effectiveText({ from, to }: Row<unknown>): string {
  const end = to === Number.POSITIVE_INFINITY ? 'null' : `"${formatInstant(to)}"`;
  return `{"from":"${formatInstant(from)}","to":${end}}`;
}

function knownText({ knownFrom }: Row<unknown>): string {
  return `{"from":"${formatInstant(knownFrom)}","to":null}`;
}

export function supersession({ revision }: { readonly revision: number }) {
  return { revision, supersedes: revision === 1 ? null : revision - 1 };
}

/** Written by hand: there are more of these than of all other rows. Ids, words and instants need no escapes. */
export function identifierText(row: Row<HeldIdentifier>): string {
  const { scheme, value, source_ref } = row.value;
  return flat(
    `{"effective":${effectiveText(row)},"known":${knownText(row)}`,
    `,"scheme":"${scheme}","source_ref":"${source_ref}","value":"${value}"}`,
  );
}

function symbolShape(row: Row<HeldSymbol>): DisplaySymbol {
  const { text, mic } = row.value;
  return { text, mic, join_key: false, ...datesOf(row) };
}

export function symbolText(row: Row<HeldSymbol>): string {
  const { text, mic } = row.value;
  return flat(
    `{"effective":${effectiveText(row)},"join_key":false,"known":${knownText(row)}`,
    `,"mic":${JSON.stringify(mic)},"text":${JSON.stringify(text)}}`,
  );
}

/** What stands of an instrument after its identifiers, up to those of its issuer. */
export function instrumentText(row: Row<HeldInstrument>, id: string): string {
  const { kind, share_class_label } = row.value;
  return flat(
    `],"instrument_id":"${id}","kind":"${kind}","share_class_label":${JSON.stringify(share_class_label)}`,
    '},"issuer":{"identifiers":[',
  );
}

/** What stands of an issuer after its identifiers. */
export function issuerText(row: Row<HeldIssuer>): string {
  const { issuer_id, legal_name } = row.value;
  return flat(`],"issuer_id":"${issuer_id}","legal_name":`, JSON.stringify(legal_name), '}');
}

export function sourceText(row: Row<HeldSource>): string {
  const shape: Packet['source_inputs'][number] = { ...row.value, known_from: formatInstant(row.knownFrom) };
  return canonicalJson(shape);
}

export function basketText(row: Row<HeldBasket>): string {
  const { state, event } = row.value;
  const { basket_id, title, kind, definition_digest } = event;
  const names = { basket_id, title, kind, definition_digest, state };
  const shape: Packet['baskets'][number] = {
    ...names,
    ...supersession(row),
    ...datesOf(row),
    source_refs: [...row.sources],
  };
  return canonicalJson(shape);
}

export interface MembershipTexts {
  readonly role: Role;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/**
 * All of a membership that is its own. The packet sorts members by name, so that the instrument and the issuer stand
 * between the two halves of it, and the sources of all three near the end.
 */
export function membershipTexts(row: Row<Role>): MembershipTexts {
  const { revision, supersedes } = supersession(row);
  const role = row.value;
  return {
    role,
    before: flat(
      `","change":"${row.change}","effective":${effectiveText(row)}`,
      ',"identity_state":"exact","instrument":',
    ),
    between: flat(`,"known":${knownText(row)},"revision":${revision}`, `,"role":"${role}","source_refs":`),
    after: flat(',"supersedes":', `${supersedes}}`),
  };
}

export function pendingShape(row: Row<HeldPending>, basketRevision: number): Pending {
  const { event, resolvedBy } = row.value;
  const { pending_id, basket_id, requested_role, state, reason, detail, candidates_seen, observed } = event;
  const dates = datesOf(row);
  return {
    pending_id,
    ...supersession(row),
    basket_id,
    basket_revision: basketRevision,
    requested_role,
    state,
    reason,
    detail,
    observed: {
      symbols: observed.symbols.map((symbol) => ({ ...symbol, join_key: false, ...dates })),
      names: observed.names,
      source_ref: observed.source_ref,
    },
    candidates_seen,
    instrument_id: null,
    issuer_id: null,
    ...dates,
    resolved_by: resolvedBy,
  };
}

const MISSING: Partial<Record<PendingReason, string>> = {
  outside_known_window: 'The basket names an instrument of which nothing is known at this point.',
  issuer_unlinked: 'The issuer of the instrument is not known at this point.',
  identifier_not_found: 'The instrument has neither a share-class FIGI nor an ISIN at this point.',
};

/** A membership that is not exact at the point: it is not dropped, it waits. */
export function inexactShape(
  { id, basketId }: { readonly id: string; readonly basketId: string },
  row: Row<Role>,
  basketRevision: number,
  reason: PendingReason,
  symbols: readonly Row<HeldSymbol>[],
): Pending {
  return {
    pending_id: opaqueId('pnd', id),
    ...supersession(row),
    basket_id: basketId,
    basket_revision: basketRevision,
    requested_role: row.value,
    state: 'pending',
    reason,
    detail: MISSING[reason] ?? 'The identity is not exact at this point.',
    observed: { symbols: symbols.map(symbolShape), names: [], source_ref: row.sources[0]! },
    candidates_seen: 0,
    instrument_id: null,
    issuer_id: null,
    ...datesOf(row),
    resolved_by: null,
  };
}

export function hypothesisShape(row: Row<HeldHypothesis>, asOf: Instant): Hypothesis {
  const { event, registeredAt, basketRevision, members, withdrawn } = row.value;
  const { hypothesis_binding_id, hypothesis_id, statement_digest, basket_id, window } = event;
  const { from, to } = openEnded(window);
  return {
    hypothesis_binding_id,
    ...supersession(row),
    hypothesis: { hypothesis_id, statement_digest, registered_at: formatInstant(registeredAt) },
    basket_id,
    basket_revision: basketRevision,
    members: [...members],
    window,
    state: withdrawn ? 'withdrawn' : to <= asOf ? 'closed' : from <= asOf ? 'open' : 'registered',
    outcome_exported: false,
    known: knownOf(row),
  };
}
