// The log as operations: checkpoint, key, leaves, and proofs between any two of its sizes.
import { Failure } from '../../contracts/failures.js';
import type {
  ConsistencyProof,
  InclusionProof,
  LogCheckpoint,
  LogEntry,
  LogKey,
  logConsistency,
  logEntry,
  logInclusion,
} from '../../contracts/log/operations.js';
import type { InputOf } from '../../contracts/operation.js';
import { leafText } from '../../domain/facts/statement.js';
import { formatInstant, LATEST } from '../../kernel/instant.js';
import { leafHash } from '../../kernel/merkle.js';
import { fromStore, storedRoot } from '../../kernel/tree-proofs.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Checkpoints } from './checkpoints.js';
import { hexPath } from './hex-path.js';

export function logAnswers(archive: ArchiveReader, checkpoints: Checkpoints) {
  const fetch = archive.treeHashes.bind(archive);

  /** The leaf's hash, its path and the root, with one question to the store. */
  async function inclusion(index: number, size: number): Promise<InclusionProof> {
    const [leaf, { root, proof }] = await Promise.all([
      archive.treeHashes([{ level: 0, index }]),
      fromStore(size, (tree) => ({ root: tree.root(), proof: tree.inclusionProof(index) }), fetch),
    ]);
    return {
      index,
      size,
      leaf_hash: leaf[0]!.toString('hex'),
      root: root.toString('hex'),
      proof: hexPath(proof),
    };
  }

  return {
    async log_checkpoint(): Promise<LogCheckpoint> {
      const { origin, size, root, note } = await checkpoints.signed();
      const last = size === 0 ? null : await archive.leaf(size - 1);
      return {
        origin,
        size,
        root: root.toString('hex'),
        last_known_at: last && formatInstant(last.knownAt),
        note,
      };
    },

    async log_key(): Promise<LogKey> {
      const { origin, verifierKey, stated } = await checkpoints.key();
      return { origin, verifier_key: verifierKey, algorithm: 'ed25519', stated_at: stated?.index ?? null };
    },

    async log_entry({ index, include_attachment }: InputOf<typeof logEntry>): Promise<LogEntry> {
      const stated = await archive.leaf(index);
      if (!stated) throw new Failure('leaf_not_found');
      const size = await archive.logSize(LATEST);
      const [{ root, proof }, attachment] = await Promise.all([
        inclusion(index, size),
        include_attachment ? archive.attachment(index) : null,
      ]);
      const leaf = leafText(stated);
      return {
        index,
        leaf_hash: leafHash(leaf).toString('hex'),
        leaf,
        kind: stated.kind,
        known_at: formatInstant(stated.knownAt),
        attachment_sha256: stated.attachmentSha256,
        attachment,
        size,
        root,
        proof,
      };
    },

    async log_inclusion({ index, size }: InputOf<typeof logInclusion>): Promise<InclusionProof> {
      const now = await archive.logSize(LATEST);
      if (size !== undefined && size > now) throw new Failure('tree_size_out_of_range');
      if (index >= (size ?? now)) throw new Failure('leaf_not_found');
      return inclusion(index, size ?? now);
    },

    async log_consistency({ from, to }: InputOf<typeof logConsistency>): Promise<ConsistencyProof> {
      const now = await archive.logSize(LATEST);
      const size = to ?? now;
      if (size > now || from > size) throw new Failure('tree_size_out_of_range');
      const [oldRoot, { root, proof }] = await Promise.all([
        storedRoot(from, fetch),
        fromStore(size, (tree) => ({ root: tree.root(), proof: tree.consistencyProof(from) }), fetch),
      ]);
      return {
        from,
        to: size,
        from_root: oldRoot.toString('hex'),
        to_root: root.toString('hex'),
        proof: hexPath(proof),
      };
    },
  };
}
