// Turns statements into leaves: their places, their bytes, and the hashes of the tree that grows by them.
import type { Stamp } from '../domain/facts/fact.js';
import { leafText, type Stated, type Statement } from '../domain/facts/statement.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { sha256Hex } from '../kernel/fingerprint.js';
import type { Instant } from '../kernel/instant.js';
import { type FrontierState, leafHash, MerkleFrontier } from '../kernel/merkle.js';
import type { TreePlace } from '../kernel/tree-proofs.js';
import type { Stamping } from './stamping.js';
import { requireStatable } from './statable.js';

export const EMPTY_LOG: FrontierState = { size: 0, peaks: [] };

export interface NewLeaf {
  readonly stated: Stated;
  /** Canonical, so that it is kept as it stands in the leaf. */
  readonly body: string;
  readonly attachment: string | null;
}

export interface NewNode extends TreePlace {
  readonly hash: Buffer;
}

/** What one transaction adds to the log, and where the log then ends. */
export interface Growth {
  readonly leaves: readonly NewLeaf[];
  /** Every complete subtree that closed, the leaves themselves among them. */
  readonly nodes: readonly NewNode[];
  readonly end: FrontierState;
}

/** Asked for a hash over leaves that are not all there. */
export class NoSubtree extends RangeError {
  constructor({ level, index }: TreePlace) {
    super(`no complete subtree ${index} at level ${level}`);
    this.name = 'NoSubtree';
  }
}

type Place = Pick<Stamp, 'sequence' | 'knownAt'>;

/** Refuses all of them when one cannot be stored. `end` is only to be kept after the commit. */
export function growLog(
  log: FrontierState,
  statements: readonly Statement[],
  place: (at: Instant) => Place,
): Growth {
  for (const statement of statements) requireStatable(statement);
  const frontier = MerkleFrontier.restore(log);
  const nodes: NewNode[] = [];
  const leaves = statements.map((statement) => {
    const leaf = newLeaf(statement, frontier.size, place(statement.at));
    frontier.append(leafHash(leafText(leaf.stated)), (level, index, node) =>
      nodes.push({ level, index, hash: node }),
    );
    return leaf;
  });
  return { leaves, nodes, end: frontier.serialise() };
}

/** Places for statements on their own: each arrives live. */
export const livePlaces =
  (stamping: Stamping) =>
  (at: Instant): Place =>
    stamping.frame(at);

/** Places for statements that come with a frame: behind its emissions, known when it is. */
export const placesWith = (stamping: Stamping, knownAt: Instant) => (): Place => stamping.beside(knownAt);

function newLeaf({ kind, subject, at, body, attachment }: Statement, index: number, place: Place): NewLeaf {
  const text = canonicalJson(body);
  const stated: Stated = {
    kind,
    subject,
    at,
    // Read back from its text: what is given out is what any later reader will get.
    body: bodyIn(text),
    index,
    sequence: place.sequence,
    knownAt: place.knownAt,
    attachmentSha256: attachment === undefined ? null : sha256Hex(attachment),
  };
  return { stated, body: text, attachment: attachment ?? null };
}

export const bodyIn = (text: string): Stated['body'] => JSON.parse(text) as Stated['body'];
