// The words of the identity register that its events and its packet share.
import { z } from 'zod';
import { InstantInput } from '../primitives.js';
import { isCik, isFigi, isIsin, isLei } from './identifier-checks.js';

/** Sixteen characters that mean nothing: an id is never made from a symbol or a name. */
const OPAQUE = '[0-9a-hjkmnp-tv-z]{16}';
const opaqueId = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${OPAQUE}$`))
    .describe(`${what}; opaque, never made from a symbol.`)
    .meta({ examples: [`${prefix}_0123456789abcdef`] });

export const InstrumentId = opaqueId('ins', 'Id of an instrument');
export const IssuerId = opaqueId('iss', 'Id of an issuer');
export const BasketId = opaqueId('bsk', 'Id of a basket');
export const BindingId = opaqueId('bnd', 'Id of the membership of one instrument in one basket');
export const PendingId = opaqueId('pnd', 'Id of an identity that is not exact yet');
export const HypothesisBindingId = opaqueId('hyb', 'Id of a hypothesis bound to a basket');
export const HypothesisId = opaqueId('hyp', 'Id of a hypothesis');
export const ViewId = opaqueId('vie', 'Id of a consumer view');
export const SourceRef = opaqueId('src', 'Id of a source; its row stands in `source_inputs`');

export const Role = z
  .enum(['PRIMARY', 'CONTEXT'])
  .describe(
    'PRIMARY: the one instrument that stands for its issuer in the basket; at most one at any point of the plane. CONTEXT: every other.',
  );
export type Role = z.infer<typeof Role>;

export const InstrumentKind = z.enum([
  'common_share',
  'preferred_share',
  'depositary_receipt',
  'fund_share',
  'unit',
  'other',
]);

export const BasketKind = z.enum(['theme', 'sector', 'index_replica', 'hypothesis', 'custom']);

export const SourceKind = z.enum([
  'identifier_registry',
  'legal_entity_registry',
  'filer_registry',
  'basket_definition',
  'membership_notice',
  'manual_review',
  'fixture',
]);

export const SourceState = z.enum(['used', 'stale', 'unavailable']);

export const PENDING_REASONS = [
  'identifier_not_found',
  'identifier_ambiguous',
  'share_class_unresolved',
  'issuer_unlinked',
  'conflicting_sources',
  'checksum_invalid',
  'listing_inactive',
  'source_unavailable',
  'source_rate_limited',
  'licence_restricted',
  'outside_known_window',
] as const;
export const PendingReason = z.enum(PENDING_REASONS);
export type PendingReason = z.infer<typeof PendingReason>;

export const PendingState = z
  .enum(['pending', 'unavailable'])
  .describe('pending: not yet researched to an end. unavailable: researched, and there is none.');

export const Consumer = z.enum(['surface_a', 'surface_b', 'surface_c', 'external']);
export const JoinKey = z.enum(['instrument_id', 'issuer_id', 'basket_id']);

const INSTRUMENT_SCHEMES = ['figi_share_class', 'figi_composite', 'figi_venue', 'isin'] as const;
const ISSUER_SCHEMES = ['lei', 'cik'] as const;
export const IdentifierScheme = z.enum([...INSTRUMENT_SCHEMES, ...ISSUER_SCHEMES]);
export type IdentifierScheme = z.infer<typeof IdentifierScheme>;

const CHECKS: Readonly<Record<IdentifierScheme, (text: string) => boolean>> = {
  figi_share_class: isFigi,
  figi_composite: isFigi,
  figi_venue: isFigi,
  isin: isIsin,
  lei: isLei,
  cik: isCik,
};

export function isIdentifier(scheme: IdentifierScheme, value: string): boolean {
  return CHECKS[scheme](value);
}

/** Which scheme names instruments, and which names issuers. */
export function namesInstruments(scheme: IdentifierScheme): boolean {
  return (INSTRUMENT_SCHEMES as readonly string[]).includes(scheme);
}

export const Text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u);
export const Mic = z
  .string()
  .regex(/^[A-Z0-9]{4}$/)
  .describe('Market identifier code, ISO 10383.')
  .meta({ examples: ['XNAS'] });

/** A period in a file: from the first instant on, up to and without the second; open where that is null. */
export const PeriodInput = z.strictObject({ from: InstantInput, to: InstantInput.nullable().default(null) });
