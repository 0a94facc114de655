// The upper half of a tree of rows, kept beside the leaf of its frame: a row is then proven from its own page alone.
import { canonicalJson } from '../../kernel/canonical-json.js';
import { FlatLeaves, type FlatTree, flatTree } from '../../kernel/flat-tree.js';
import { createMerkleTree, type MerkleTree } from '../../kernel/merkle.js';
import type { Row } from './frame.js';
import { EMPTY_SLOT, rowText } from './row-leaves.js';

/** Subtrees of 256 slots. */
const PAGE_LEVEL = 8;
const PAGE_SLOTS = 2 ** PAGE_LEVEL;

interface PagesText {
  /** Roots over every full page of slots, in hex. */
  readonly pages: readonly string[];
}

/** Undefined where no page is full. */
export function pagesText(tree: FlatTree): string | undefined {
  const count = Math.floor(tree.size / PAGE_SLOTS);
  const pages = Array.from({ length: count }, (_, i) => tree.node(PAGE_LEVEL, i).toString('hex'));
  return count === 0 ? undefined : canonicalJson({ pages } satisfies PagesText);
}

/** Ranges of slots whose rows are needed to prove the rows in some slots: their pages, and the one that is not full. */
export function pagesOf(slots: readonly number[], size: number): [from: number, to: number][] {
  const tail = size % PAGE_SLOTS === 0 ? [] : [size - 1];
  const pages = new Set([...slots, ...tail].map((slot) => Math.floor(slot / PAGE_SLOTS)));
  return [...pages].map((page) => [page * PAGE_SLOTS, (page + 1) * PAGE_SLOTS]);
}

/** The tree of a frame's rows; `rows` are at least those of the pages that it will be asked about. */
export function pagedTree(rows: readonly Row[], slots: number, text: string | null): MerkleTree {
  const roots = text === null ? [] : (JSON.parse(text) as PagesText).pages;
  const upper = flatTree(Buffer.from(roots.join(''), 'hex'));
  const pages = new Map<number, FlatTree>();
  return createMerkleTree(slots, (level, index) => {
    if (level >= PAGE_LEVEL) return upper.node(level - PAGE_LEVEL, index);
    const perPage = PAGE_SLOTS / 2 ** level;
    const page = Math.floor(index / perPage);
    const tree = pages.get(page) ?? pageTree(rows, page, slots);
    pages.set(page, tree);
    return tree.node(level, index % perPage);
  });
}

function pageTree(rows: readonly Row[], page: number, slots: number): FlatTree {
  const first = page * PAGE_SLOTS;
  const end = Math.min(first + PAGE_SLOTS, slots);
  const bySlot = new Map(
    rows.filter(({ slot }) => slot >= first && slot < end).map((row) => [row.slot, row]),
  );
  const leaves = new FlatLeaves();
  for (let slot = first; slot < end; slot++) {
    const row = bySlot.get(slot);
    leaves.set(slot - first, row ? rowText(row) : EMPTY_SLOT);
  }
  return leaves.tree();
}
