// Reads a saved answer or a bare proof, checks it, and says in plain words what that proves and what it does not.
import { isPlainObject } from '../../kernel/canonical-json.js';
import { DAY, formatInstant, HOUR, MILLISECOND } from '../../kernel/instant.js';
import { disagreement } from './answer-check.js';
import { type CheckedProof, checkProof, type ReceiptCheck } from './receipt-check.js';

export interface ReceiptVerdict {
  readonly holds: boolean;
  readonly checks: readonly ReceiptCheck[];
  readonly proves: string;
  readonly leaves_open: string;
}

/** `document` is what was parsed from a file: a whole answer with `receipt.proof`, a receipt, or the proof itself. */
export function checkReceipt(document: unknown, verifierKey: string): ReceiptVerdict {
  const { proof, answer } = partsOf(document);
  const checked = checkProof(proof, verifierKey);
  const checks = [...checked.checks, ...(checked.ground ? [answerCheck(answer, checked.ground.proof)] : [])];
  const holds = checks.every(({ state }) => state !== 'fail');
  return {
    holds,
    checks,
    proves: holds && checked.ground ? proven(checked.ground, checks) : 'It proves nothing.',
    leaves_open:
      'Not proven: that the clock of the service was right when it wrote these times, and that no second log was shown to others, as no outside witness has signed the checkpoint (unanchored); nor that the posts and prices underneath are true.',
  };
}

function partsOf(document: unknown): { proof: unknown; answer: Record<string, unknown> | null } {
  if (!isPlainObject(document)) return { proof: document, answer: null };
  const receipt = document['receipt'];
  if (isPlainObject(receipt)) return { proof: receipt['proof'], answer: document };
  return { proof: document['proof'] ?? document, answer: null };
}

function answerCheck(
  answer: Record<string, unknown> | null,
  proof: NonNullable<CheckedProof['ground']>['proof'],
): ReceiptCheck {
  const name = 'answer';
  if (answer === null)
    return { name, state: 'not_shown', detail: 'only the proof was given, without the answer' };
  const fault = disagreement(answer, proof);
  return fault === null
    ? { name, state: 'pass', detail: 'every value shown is the one in the proven rows' }
    : { name, state: 'fail', detail: fault };
}

function proven(
  { head, frame, asOf, proof }: NonNullable<CheckedProof['ground']>,
  checks: readonly ReceiptCheck[],
): string {
  const rows = proof.value.rows.length === 1 ? 'This row' : `These ${proof.value.rows.length} rows`;
  const isNewest = checks.some(({ name, state }) => name === 'newest_frame' && state === 'pass');
  const newest = isNewest ? `, in the newest frame that it had for ${formatInstant(asOf)}` : '';
  const behind = frame.knownAt - frame.at;
  const late =
    behind > LATE ? ' So late it was computed afterwards: it shows what was said then, not before.' : '';
  return `${rows} stood in the log ${head.origin} at ${formatInstant(frame.knownAt)}, ${spanText(behind)} after the boundary ${formatInstant(frame.at)}${newest}; nothing of it, and nothing stated before it, can have been changed since without breaking the signed checkpoint of ${head.size} leaves.${late}`;
}

/** A frame that comes later than this after its boundary was not recorded as it happened. */
const LATE = 2 * HOUR;

function spanText(span: number): string {
  if (span >= 2 * DAY) return `${Math.floor(span / DAY)} days`;
  return span >= LATE ? `${Math.floor(span / HOUR)} hours` : `${Math.round(span / MILLISECOND) / 1000} s`;
}
