// Reads the whole log again: every leaf, every hash over it, and whether it and the tape say the same.
import type { RecordedHeader } from '../domain/facts/frame.js';
import { leafText, type Stated } from '../domain/facts/statement.js';
import { sha256Hex } from '../kernel/fingerprint.js';
import { type Instant, LATEST } from '../kernel/instant.js';
import { leafHash, MerkleFrontier } from '../kernel/merkle.js';
import type { TreePlace } from '../kernel/tree-proofs.js';
import type { ArchiveReader } from '../ports/archive.js';

export interface LogFault {
  /** The leaf, or null for a frame that has none. */
  readonly index: number | null;
  readonly what:
    | 'leaf_missing'
    | 'leaf_altered'
    | 'attachment_altered'
    | 'known_at_decreases'
    | 'tree_altered'
    | 'frame_differs'
    | 'frame_unstated';
  readonly at: Instant | null;
}

export interface LogAudit {
  readonly size: number;
  /** Recomputed from the leaves, in hex. */
  readonly root: string;
  readonly faults: readonly LogFault[];
}

const LEAVES_PER_READ = 512;

export async function auditLog(archive: ArchiveReader): Promise<LogAudit> {
  const size = await archive.logSize(LATEST);
  const tape = new TapeWalk(archive);
  const tree = new MerkleFrontier();
  const faults: LogFault[] = [];
  let knownAt = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < size; first += LEAVES_PER_READ) {
    const count = Math.min(LEAVES_PER_READ, size - first);
    const leaves = await Promise.all(Array.from({ length: count }, (_, i) => archive.leaf(first + i)));
    const nodes: (TreePlace & { readonly hash: Buffer })[] = [];
    for (const [i, leaf] of leaves.entries()) {
      const index = first + i;
      const fault = (what: LogFault['what']): void => void faults.push({ index, what, at: leaf?.at ?? null });
      if (leaf === null) {
        fault('leaf_missing');
        continue;
      }
      tree.append(leafHash(leafText(leaf)), (level, place, hash) =>
        nodes.push({ level, index: place, hash }),
      );
      if (leaf.knownAt < knownAt) fault('known_at_decreases');
      knownAt = leaf.knownAt;
      if (!(await attachmentHolds(archive, leaf))) fault('attachment_altered');
      if (leaf.kind === 'attention_frame' && !(await tape.agrees(leaf))) fault('frame_differs');
    }
    // A leaf that is gone moves all that follow: the tree beyond it says nothing more.
    if (!faults.some(({ what }) => what === 'leaf_missing'))
      faults.push(...(await treeFaults(archive, nodes)));
  }
  for await (const { at } of tape.rest()) faults.push({ index: null, what: 'frame_unstated', at });
  return { size, root: tree.root().toString('hex'), faults };
}

async function attachmentHolds(archive: ArchiveReader, leaf: Stated): Promise<boolean> {
  try {
    const text = await archive.attachment(leaf.index);
    return (text === null ? null : sha256Hex(text)) === leaf.attachmentSha256;
  } catch {
    // A store may refuse to give out what is not what was kept.
    return false;
  }
}

/** Stored hashes that are not what the leaves give. */
async function treeFaults(
  archive: ArchiveReader,
  nodes: readonly (TreePlace & { readonly hash: Buffer })[],
): Promise<LogFault[]> {
  const stored = await archive.treeHashes(nodes).catch(() => []);
  const fault = nodes.find(({ hash }, i) => stored[i] === undefined || !hash.equals(stored[i]));
  if (fault === undefined) return [];
  const what = fault.level === 0 ? 'leaf_altered' : 'tree_altered';
  return [{ index: fault.index * 2 ** fault.level, what, at: null }];
}

/** The recorded frames in order, beside the leaves that state them. */
class TapeWalk {
  readonly #archive: ArchiveReader;
  #headers: AsyncIterator<RecordedHeader> | null = null;

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  async agrees(leaf: Stated): Promise<boolean> {
    const next = await (await this.#walk()).next();
    if (next.done) return false;
    return next.value.at === leaf.at && next.value.fingerprint === leaf.body['fingerprint'];
  }

  /** Frames that no leaf has stated. */
  async *rest(): AsyncGenerator<RecordedHeader> {
    const headers = await this.#walk();
    for (let next = await headers.next(); !next.done; next = await headers.next()) yield next.value;
  }

  async #walk(): Promise<AsyncIterator<RecordedHeader>> {
    this.#headers ??= framesSince(this.#archive, await logBegins(this.#archive));
    return this.#headers;
  }
}

/** The sequence of the first leaf: what was recorded before it could not be stated. */
async function logBegins(archive: ArchiveReader): Promise<number> {
  return (await archive.leaf(0))?.sequence ?? Number.POSITIVE_INFINITY;
}

async function* framesSince(archive: ArchiveReader, sequence: number): AsyncGenerator<RecordedHeader> {
  for await (const headers of archive.frames(0, LATEST))
    for (const header of headers) if (header.sequence > sequence) yield header;
}
