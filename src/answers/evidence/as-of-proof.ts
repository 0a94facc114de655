// Builds the proof of an answer about the past: from its rows to the leaf of their frame, and from there to a checkpoint.
import type { AsOfProof } from '../../contracts/log/proof.js';
import { leafText, type Stated, type StatementKind } from '../../domain/facts/statement.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { fromStore, peakPlaces, storedRoot } from '../../kernel/tree-proofs.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { SignedHead } from './checkpoints.js';
import { hexPath } from './hex-path.js';

export interface ProvenRow {
  readonly slot: number;
  readonly row: string;
  readonly proof: readonly Buffer[];
}

export interface Claim {
  readonly kind: AsOfProof['kind'];
  readonly asOf: Instant;
  /** The leaf of the frame that answers. */
  readonly frame: Stated;
  readonly rows: readonly ProvenRow[];
}

/** More leaves than this between a frame and the edge are not listed one by one. */
export const MOST_LEAVES = 64;

export async function asOfProof(archive: ArchiveReader, head: SignedHead, claim: Claim): Promise<AsOfProof> {
  const { kind, asOf, frame, rows } = claim;
  const fetch = archive.treeHashes.bind(archive);
  const cutAt = Math.max(asOf, frame.knownAt);
  // What was appended since the checkpoint was signed is beyond it.
  const size = Math.min(await archive.logSize(cutAt), head.size);
  const open = size === head.size;
  const start = size - frame.index <= MOST_LEAVES ? frame.index : size - 1;
  const [leaves, right, paths, root, peaks, ontology, universe] = await Promise.all([
    Promise.all(Array.from({ length: size - start }, (_, i) => archive.leaf(start + i))),
    open ? null : archive.leaf(size),
    fromStore(
      head.size,
      (tree) => ({
        consistency: tree.consistencyProof(size),
        frame: tree.inclusionProof(frame.index),
        right: open ? [] : tree.inclusionProof(size),
      }),
      fetch,
    ),
    storedRoot(size, fetch),
    start === 0 ? [] : archive.treeHashes(peakPlaces(start)),
    inForce(archive, 'ontology', frame),
    inForce(archive, 'universe', frame),
  ]);
  return {
    schema: 'barograph.receipt.v1',
    kind,
    as_of: formatInstant(asOf),
    cut_at: formatInstant(cutAt),
    checkpoint: head.note,
    prefix: { size, root: root.toString('hex'), consistency: hexPath(paths.consistency) },
    left_edge: {
      size: start,
      peaks: hexPath(peaks as Buffer[]),
      leaves: leaves.map((leaf) => leafText(leaf!)),
    },
    right_edge: right && { index: size, leaf: leafText(right), proof: hexPath(paths.right) },
    open_edge: open,
    value: {
      frame: { index: frame.index, leaf: leafText(frame), proof: hexPath(paths.frame) },
      rows: rows.map(({ slot, row, proof }) => ({ slot, row, proof: hexPath(proof as Buffer[]) })),
    },
    parameters: { ontology, universe },
    anchors: [],
    anchor_state: 'unanchored',
  };
}

/** The newest statement of a kind before the frame, where the frame names its fingerprint. */
async function inForce(
  archive: ArchiveReader,
  kind: Extract<StatementKind, 'ontology' | 'universe'>,
  frame: Stated,
): Promise<AsOfProof['parameters']['ontology']> {
  const member = `${kind}_sha256`;
  if (frame.body[member] === undefined) return null;
  const [stated] = await archive.statements({ kind, knownBy: frame.knownAt, newest: true, limit: 1 });
  return stated ? { index: stated.index, sha256: stated.body[member] as string } : null;
}
