// What the service itself says for good. Every statement is a leaf of the transparency log, in the order of appends.
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Instant } from '../../kernel/instant.js';

export const STATEMENT_KINDS = [
  'genesis',
  'key',
  'ontology',
  'universe',
  'attention_frame',
  'commitments',
  'macro_frame',
  'narrative_terms',
  'hypothesis',
  'scorecard',
  'reputation',
  'attestation',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

export interface Statement {
  readonly kind: StatementKind;
  /** What it is about where a kind has several, for example a hypothesis's id; null otherwise. */
  readonly subject: string | null;
  /** The instant that it is about: a frame's boundary, an epoch's end. */
  readonly at: Instant;
  /** Plain JSON, small: it stands in the leaf itself. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Text too large for a leaf: kept beside it, and bound to it by its SHA-256. */
  readonly attachment?: string;
}

/** A statement with its place: in the log, and in the one sequence of the archive. */
export interface Stated extends Omit<Statement, 'attachment'> {
  /** From 0, without gaps. */
  readonly index: number;
  readonly sequence: number;
  /** Never smaller than that of the leaf before. */
  readonly knownAt: Instant;
  readonly attachmentSha256: string | null;
}

/** The bytes that a leaf's hash is over: anyone who holds a statement can write them again. */
export function leafText(stated: Omit<Stated, 'sequence'>): string {
  const { kind, subject, at, knownAt, index, body, attachmentSha256 } = stated;
  return canonicalJson({
    schema: `barograph.log.${kind}.v1`,
    index,
    known_at: knownAt,
    at,
    subject,
    body,
    attachment_sha256: attachmentSha256,
  });
}

export interface StatementQuery {
  readonly kind: StatementKind;
  readonly knownBy: Instant;
  readonly subject?: string;
  /** Statements about this instant or a later one. */
  readonly from?: Instant;
  /** Statements about this instant or an earlier one. */
  readonly to?: Instant;
  /** Strictly after this place in the log. */
  readonly afterIndex?: number;
  /** The last ones instead of the first ones; in both cases the answer is in ascending order. */
  readonly newest?: boolean;
  readonly limit: number;
}
