// One statement that binds what is claimed to what is archived, signed with the key of the log and checkable offline.
import { type KeyObject, sign, verify } from 'node:crypto';
import {
  ATTESTATION_PAYLOAD_TYPE,
  type AttestationStatement,
  type DsseEnvelope,
} from '../../contracts/attention/attestation.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { preAuthEncoding } from '../../kernel/dsse.js';
import { fingerprint } from '../../kernel/fingerprint.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { keyHash } from '../../kernel/signed-note.js';
import { WEEK } from './epochs.js';

type Components = AttestationStatement['components'];
type Archive = NonNullable<Components['archive']>;

export function archiveComponent(archive: Omit<Archive, 'archive_sha256'>): Archive {
  return {
    ...archive,
    archive_sha256: fingerprint(archive),
  };
}

export interface AttestationParts {
  readonly sequence: number;
  readonly issuedAt: Instant;
  readonly previousSha256: string | null;
  readonly components: Components;
  readonly epochAt: Instant;
  readonly codeVersion: string;
  readonly evidence: AttestationStatement['data_policy']['evidence'];
  readonly sources: readonly string[];
  readonly audits: AttestationStatement['audits'];
}

/** Complete only when every component is there, fresh and verified; synthetic data are never complete. */
export function attestationOf(parts: AttestationParts): AttestationStatement {
  const { components, evidence, audits } = parts;
  const reasons = (['ontology', 'scorecard', 'reputation', 'archive'] as const)
    .filter((name) => components[name] === null)
    .map((name) => `no_${name}`);
  if (parts.issuedAt - parts.epochAt > WEEK) reasons.push('epoch_is_old');
  if (audits.frames_disagreeing > 0) reasons.push('archive_audit_failed');
  if (evidence === 'none') reasons.push('no_tape');
  const status = evidence === 'fixture' ? 'fixture' : reasons.length === 0 ? 'complete' : 'partial';
  return {
    schema: 'attention_attestation.v1',
    sequence: parts.sequence,
    issued_at: formatInstant(parts.issuedAt),
    previous_attestation_sha256: parts.previousSha256,
    components,
    code: { version: parts.codeVersion },
    data_policy: { evidence, sources: [...parts.sources].sort() },
    audits,
    status,
    reasons: evidence === 'fixture' ? ['fixture_data', ...reasons] : reasons,
  };
}

export const attestationSha256 = (statement: AttestationStatement): string => fingerprint(statement);

export interface AttestationKey {
  /** The name under which the log signs. */
  readonly name: string;
  readonly privateKey: KeyObject;
}

export function signAttestation(
  statement: AttestationStatement,
  { name, privateKey }: AttestationKey,
): DsseEnvelope {
  const payload = Buffer.from(canonicalJson(statement));
  const signature = sign(null, preAuthEncoding(ATTESTATION_PAYLOAD_TYPE, payload), privateKey);
  return {
    payloadType: ATTESTATION_PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: `${name}+${keyHash(name, privateKey)}`, sig: signature.toString('base64') }],
  };
}

export interface AttestationCheck {
  readonly check: 'payload_type' | 'signature' | 'canonical' | 'archive_fingerprint' | 'chain';
  readonly holds: boolean;
}

/** Everything that can be checked with the public key alone; `previous` is the statement before, null for the first. */
export function verifyAttestation(
  envelope: DsseEnvelope,
  publicKey: KeyObject,
  previous: AttestationStatement | null,
): AttestationCheck[] {
  const payload = Buffer.from(envelope.payload, 'base64');
  const signed = preAuthEncoding(envelope.payloadType, payload);
  const statement = parsed(payload);
  const archive = statement?.components.archive ?? null;
  const { archive_sha256: stated, ...rest } = archive ?? { archive_sha256: null };
  return [
    { check: 'payload_type', holds: envelope.payloadType === ATTESTATION_PAYLOAD_TYPE },
    {
      check: 'signature',
      holds: envelope.signatures.some(({ sig }) =>
        verify(null, signed, publicKey, Buffer.from(sig, 'base64')),
      ),
    },
    { check: 'canonical', holds: statement !== null && canonicalJson(statement) === payload.toString() },
    { check: 'archive_fingerprint', holds: stated === null || fingerprint(rest) === stated },
    {
      check: 'chain',
      holds:
        (statement?.previous_attestation_sha256 ?? null) ===
        (previous === null ? null : attestationSha256(previous)),
    },
  ];
}

function parsed(payload: Buffer): AttestationStatement | null {
  try {
    return JSON.parse(payload.toString()) as AttestationStatement;
  } catch {
    return null;
  }
}
