// What an answer can show for itself: whether its frame was committed to, and the proof of the rows that it is made from.
import type { TickerPacket } from '../../contracts/attention/board.js';
import type { AsOfProof } from '../../contracts/log/proof.js';
import type { Row } from '../../domain/facts/frame.js';
import { rowText } from '../../domain/facts/row-leaves.js';
import { pagedTree, pagesOf } from '../../domain/facts/row-pages.js';
import type { Stated, StatementKind } from '../../domain/facts/statement.js';
import { scoreTexts } from '../../domain/macro/edition.js';
import { FlatLeaves } from '../../kernel/flat-tree.js';
import { type Instant, LATEST } from '../../kernel/instant.js';
import type { MerkleTree } from '../../kernel/merkle.js';
import { storedRoot } from '../../kernel/tree-proofs.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { receiptShape } from '../board-shapes.js';
import type { FrameOfInstant } from '../past-frames.js';
import { asOfProof } from './as-of-proof.js';
import type { Checkpoints } from './checkpoints.js';

export class Evidence {
  readonly #archive: ArchiveReader;
  readonly #checkpoints: Checkpoints;

  constructor(archive: ArchiveReader, checkpoints: Checkpoints) {
    this.#archive = archive;
    this.#checkpoints = checkpoints;
  }

  /** The receipt of an answer; `rows` are those that it shows, given where their proof is wanted. */
  async receipt(
    frame: FrameOfInstant,
    asOf: Instant,
    rows: readonly Row[] | null = null,
  ): Promise<TickerPacket['receipt']> {
    const stated = frame.recorded ? await this.statedAt('attention_frame', frame.header.at) : null;
    const receipt = receiptShape(frame, asOf, stated?.index ?? null);
    if (rows === null || stated === null) return receipt;
    return { ...receipt, proof: await this.#rowsProof(stated, asOf, rows) };
  }

  /** The leaf of a frame; null where the log did not exist yet. */
  async statedAt(kind: StatementKind, at: Instant): Promise<Stated | null> {
    const query = { kind, knownBy: LATEST, from: at, to: at, newest: true, limit: 1 };
    return (await this.#archive.statements(query))[0] ?? null;
  }

  /** The root of the log, in hex, once it held the commitments of the frame of a boundary. */
  async commitmentRoot(at: Instant): Promise<string | null> {
    const stated = await this.statedAt('commitments', at);
    if (stated === null) return null;
    const root = await storedRoot(stated.index + 1, (places) => this.#archive.treeHashes(places));
    return root.toString('hex');
  }

  /** The proof of one asset's score in the edition that the leaf states. */
  async scoreProof(index: number, asOf: Instant, ticker: string): Promise<AsOfProof> {
    const [frame, attachment, head] = await Promise.all([
      this.#archive.leaf(index),
      this.#archive.attachment(index),
      this.#checkpoints.signed(),
    ]);
    const rows = scoreTexts(attachment!);
    const leaves = new FlatLeaves();
    for (const [i, { text }] of rows.entries()) leaves.set(i, text);
    const slot = rows.findIndex((row) => row.ticker === ticker);
    const proven = { slot, row: rows[slot]!.text, proof: leaves.tree().inclusionProof(slot) };
    return asOfProof(this.#archive, head, { kind: 'macro_frame', asOf, frame: frame!, rows: [proven] });
  }

  async #rowsProof(frame: Stated, asOf: Instant, rows: readonly Row[]): Promise<AsOfProof> {
    const [head, tree] = await Promise.all([this.#checkpoints.signed(), this.#rowsTree(frame, rows)]);
    return asOfProof(this.#archive, head, {
      kind: 'attention_frame',
      asOf,
      frame,
      rows: rows.map((row) => ({ slot: row.slot, row: rowText(row), proof: tree.inclusionProof(row.slot) })),
    });
  }

  /** Of the frame's rows, as far as the proofs of some of them need it. */
  async #rowsTree({ index, at, body }: Stated, shown: readonly Row[]): Promise<MerkleTree> {
    const size = body['slots'] as number;
    const ranges = pagesOf(
      shown.map(({ slot }) => slot),
      size,
    );
    const [pages, ...rows] = await Promise.all([
      this.#archive.attachment(index),
      ...ranges.map((range) => this.#archive.boardAt(at, range)),
    ]);
    return pagedTree(
      rows.flatMap((page) => page ?? []),
      size,
      pages,
    );
  }
}
