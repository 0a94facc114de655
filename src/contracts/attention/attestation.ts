// One trust receipt: the fingerprints of ontology, scorecard, reputation and archive, bound and signed.
import { z } from 'zod';
import { operation, PUBLIC } from '../operation.js';
import { InstantInput, InstantText, Sha256 } from '../primitives.js';
import { LogPlace, VerdictCounts } from './scorecard.js';

export const ATTESTATION_PAYLOAD_TYPE = 'application/vnd.barograph.attestation+json';

export const AttestationStatement = z
  .strictObject({
    schema: z.literal('attention_attestation.v1'),
    sequence: z.int().describe('Attestations before this one.'),
    issued_at: InstantText,
    previous_attestation_sha256: Sha256.nullable(),
    components: z.strictObject({
      ontology: z
        .strictObject({ version: z.string(), sha256: Sha256, log_index: z.int().nullable() })
        .nullable(),
      scorecard: z
        .strictObject({
          epoch_at: InstantText,
          sha256: Sha256,
          log_index: z.int(),
          verdicts: VerdictCounts,
        })
        .nullable(),
      reputation: z.strictObject({ epoch_at: InstantText, sha256: Sha256, log_index: z.int() }).nullable(),
      archive: z
        .strictObject({
          origin: z.string(),
          tree_size: z.int(),
          root_hash: z.string().describe('Base64.'),
          max_known_at: InstantText,
          archive_sha256: Sha256.describe('Of the canonical JSON of the four members above.'),
        })
        .nullable(),
    }),
    code: z.strictObject({ version: z.string() }),
    data_policy: z.strictObject({
      evidence: z.enum(['fixture', 'live', 'none']),
      sources: z.array(z.string()),
    }),
    audits: z.strictObject({
      frames_checked: z.int(),
      frames_disagreeing: z.int(),
    }),
    status: z
      .enum(['complete', 'partial', 'fixture'])
      .describe(
        'fixture: whatever else holds, the data are synthetic; partial: a component is missing or old.',
      ),
    reasons: z.array(z.string()).describe('Why it is not complete.'),
  })
  .meta({ id: 'AttestationStatement' });
export type AttestationStatement = z.input<typeof AttestationStatement>;

export const DsseEnvelope = z
  .strictObject({
    payloadType: z.literal(ATTESTATION_PAYLOAD_TYPE),
    payload: z.string().describe('Base64 of the canonical JSON of the statement.'),
    signatures: z.array(
      z.strictObject({
        keyid: z.string().describe('name+hash of the key that signs the log.'),
        sig: z.string().describe('Base64, Ed25519 over the pre-authentication encoding.'),
      }),
    ),
  })
  .meta({ id: 'DsseEnvelope' });
export type DsseEnvelope = z.input<typeof DsseEnvelope>;

export const Attestation = z
  .strictObject({
    state: z.enum(['ready', 'warming']),
    as_of: InstantText,
    next_epoch_at: InstantText,
    attestation: AttestationStatement.nullable(),
    attestation_sha256: Sha256.nullable().describe('Of the canonical JSON of the statement.'),
    envelope: DsseEnvelope.nullable(),
    statement: LogPlace.nullable(),
    policy: z.string(),
  })
  .meta({ id: 'Attestation' });
export type Attestation = z.input<typeof Attestation>;

export const attestation = operation({
  name: 'attestation',
  method: 'GET',
  path: '/v1/attestation',
  surface: 'attention',
  group: 'contract, trust, service',
  summary: 'One signed receipt over ontology, scorecard, reputation and archive',
  description:
    'A statement that binds the four fingerprints and the attestation before it, in a DSSE envelope signed with the key of the log. The statement stands in the log itself, behind what it attests.',
  access: PUBLIC,
  input: z.strictObject({ as_of: InstantInput.optional() }),
  output: Attestation,
  failures: ['invalid_as_of', 'as_of_out_of_range', 'unknown_parameter', 'archive_unavailable'],
  keeps: 'frame',
  example: {},
});
