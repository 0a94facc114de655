// The receipt of one KPI value: the same small object wherever a value is served.
import { z } from 'zod';
import { InstantText, Sha256 } from '../primitives.js';

export const KpiId = z
  .enum([
    'attention_density',
    'attention_share',
    'attention_velocity',
    'attention_surprise',
    'voice_independence',
  ])
  .meta({ id: 'KpiId', description: 'One of the five core KPIs; /v1/core-kpis defines them.' });

export const KpiState = z.enum(['measured', 'insufficient', 'warming', 'unavailable']).meta({
  id: 'KpiState',
  description:
    'measured; insufficient: too few posts, voices or narratives; warming: the history is too short; unavailable: an input is missing.',
});

export const Span = z.string().describe('ISO 8601 duration, for example PT24H or P14D.');

export const KpiReceipt = z
  .strictObject({
    kpi_id: KpiId,
    ontology_sha256: Sha256.describe('Fingerprint of the definitions in force; /v1/ontology has them.'),
    as_of: InstantText.describe('The boundary of the frame that the value stands in.'),
    known_at: InstantText.nullable().describe('The newest knowledge that went into the value.'),
    window: Span,
    source_set_version: z.int(),
    inputs_sha256: Sha256.describe(
      'SHA-256 of the canonical JSON (RFC 8785) of an object that maps the `receipt_members` of the KPI to the values at these paths of the body.',
    ),
    state: KpiState,
  })
  .meta({ id: 'KpiReceipt' });
export type KpiReceipt = z.input<typeof KpiReceipt>;
