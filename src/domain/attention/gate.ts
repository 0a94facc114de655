// The veto gate: a verdict that is withheld, committed to at once, and can be checked when it is revealed.
import { canonicalJson } from '../../kernel/canonical-json.js';
import { sha256Hex } from '../../kernel/fingerprint.js';
import type { CoordinationReading } from './coordination.js';

export const VERDICTS = ['clear', 'caution', 'veto', 'abstain'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Private. Its hash is published, so it carries a secret: two thresholds alone would be guessed from the hash. */
export interface GatePolicy {
  readonly veto: number;
  readonly caution: number;
  /** 64 hex digits. */
  readonly secret: string;
}

const HEX_32 = /^[0-9a-f]{64}$/;

export function policySha256(policy: GatePolicy): string {
  const { veto, caution, secret } = policy;
  if (!(caution >= 0 && caution <= veto && veto <= 1))
    throw new RangeError('a policy needs 0 ≤ caution ≤ veto ≤ 1');
  if (!HEX_32.test(secret)) throw new RangeError('a policy needs a secret of 64 hex digits');
  return sha256Hex(canonicalJson({ veto, caution, secret }));
}

/** Judged by the lower end of the interval: doubt speaks for the posts. Without a measurement there is no verdict. */
export function verdictOf(
  { measurement }: Pick<CoordinationReading, 'measurement'>,
  policy: GatePolicy,
): Verdict {
  if (measurement === null) return 'abstain';
  const { low } = measurement.interval;
  if (low >= policy.veto) return 'veto';
  return low >= policy.caution ? 'caution' : 'clear';
}

/** What is committed to, with the names it has on the wire: whoever checks a reveal hashes exactly this. */
export interface GateRecord {
  readonly ticker: string;
  readonly as_of: string;
  readonly measurement_sha256: string;
  readonly verdict: Verdict;
  readonly policy_sha256: string;
  readonly seq: number;
}

const DOMAIN = 'svc.realness.gate.v1\0';
const SALT_BYTES = 32;

/** SHA-256 of domain, record and salt. The salt has a fixed length, so the parts cannot be cut differently. */
export function commitmentOf(record: GateRecord, salt: Uint8Array): string {
  if (salt.length !== SALT_BYTES) throw new RangeError(`a salt has ${SALT_BYTES} bytes, not ${salt.length}`);
  const { ticker, as_of, measurement_sha256, verdict, policy_sha256, seq } = record;
  const text = canonicalJson({ ticker, as_of, measurement_sha256, verdict, policy_sha256, seq });
  return sha256Hex(Buffer.concat([Buffer.from(DOMAIN + text), salt]));
}

/** Whether a revealed record and salt are what was committed to. */
export function checkReveal(record: GateRecord, salt: Uint8Array, commitment: string): boolean {
  return salt.length === SALT_BYTES && commitmentOf(record, salt) === commitment;
}
