// What the log says of an attention frame: enough to prove any of its rows, and what they were computed from.
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { FlatTree } from '../../kernel/flat-tree.js';
import type { Instant } from '../../kernel/instant.js';
import type { Emission } from './emission.js';
import type { FrameHeader } from './frame.js';
import { pagesText } from './row-pages.js';
import type { Statement } from './statement.js';

export interface AttentionFrameBody extends Readonly<Record<string, unknown>> {
  readonly cycle_seconds: number;
  readonly high_water: number;
  readonly newest_known_at: Instant | null;
  readonly fingerprint: string;
  readonly row_count: number;
  /** Leaves under `rows_root`: slots up to the last row, empty ones included. */
  readonly slots: number;
  /** RFC 6962 root over the canonical rows in slot order, in hex. */
  readonly rows_root: string;
  readonly ontology_sha256: string;
  readonly universe_sha256: string;
  readonly source_set_version: number;
  readonly knowledge: {
    readonly state: 'observed' | 'simulated';
    readonly posts: number;
    readonly backfilled: number;
  };
}

/** The definitions and the tickers in force. */
export interface InForce {
  readonly ontologySha256: string;
  readonly universeSha256: string;
}

export function frameStatement(header: FrameHeader, rows: FlatTree, inForce: InForce): Statement {
  const { postsUsed, postsBackfilled } = header;
  const body: AttentionFrameBody = {
    cycle_seconds: header.cycleSeconds,
    high_water: header.highWater,
    newest_known_at: header.newestKnownAt,
    fingerprint: header.fingerprint,
    row_count: header.rowCount,
    slots: rows.size,
    rows_root: rows.root().toString('hex'),
    ontology_sha256: inForce.ontologySha256,
    universe_sha256: inForce.universeSha256,
    source_set_version: header.sourceSet.version,
    knowledge: {
      state: postsBackfilled > 0 ? 'simulated' : 'observed',
      posts: postsUsed,
      backfilled: postsBackfilled,
    },
  };
  const pages = pagesText(rows);
  const statement = { kind: 'attention_frame', subject: null, at: header.at, body } as const;
  return pages === undefined ? statement : { ...statement, attachment: pages };
}

/** The salted hashes that a frame's gate records commit to, in the order of their sequence; null where it has none. */
export function commitmentsStatement(emissions: readonly Emission[], at: Instant): Statement | null {
  const hashes = emissions.filter(({ kind }) => kind === 'gate').map(({ body }) => body['commitment']);
  if (hashes.length === 0) return null;
  return {
    kind: 'commitments',
    subject: null,
    at,
    body: { commitments: hashes.length },
    attachment: canonicalJson(hashes),
  };
}
