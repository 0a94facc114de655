// An RFC 6962 tree over one flat buffer of leaf hashes: for trees of thousands of leaves that are built every few seconds.
import { hash } from 'node:crypto';
import { createMerkleTree, HASH_BYTES, type MerkleTree } from './merkle.js';

const NODE_INPUT = Buffer.alloc(1 + 2 * HASH_BYTES);
NODE_INPUT[0] = 0x01;

export interface FlatTree extends MerkleTree {
  /** The hash over leaves [index · 2^level, (index + 1) · 2^level), all of which must be there. */
  node(level: number, index: number): Buffer;
}

/** The tree over hashes that lie one after the other: leaves, or the roots of subtrees of one size. */
export function flatTree(hashes: Buffer): FlatTree {
  const levels: Buffer[] = [hashes];
  for (let width = hashes.length / HASH_BYTES; width > 1; ) {
    width = Math.floor(width / 2);
    levels.push(parents(levels.at(-1)!, width));
  }
  const node = (level: number, index: number): Buffer =>
    levels[level]!.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  return { ...createMerkleTree(hashes.length / HASH_BYTES, node), node };
}

/** Leaf hashes one after the other. Digests come as text of one byte per character: a buffer for each costs more than the hash. */
export class FlatLeaves {
  #bytes: Buffer = Buffer.alloc(256 * HASH_BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Sets the hash of the leaf with this text; leaves are added in order, and may be set again. */
  set(index: number, text: string): void {
    if (index > this.#count) throw new RangeError(`leaf ${index} would leave a gap after ${this.#count}`);
    if (index === this.#count) this.#grow();
    this.#bytes.write(hash('sha256', `\0${text}`, 'binary'), index * HASH_BYTES, 'latin1');
  }

  /** The tree of the first `count` leaves as they are now. */
  tree(count: number = this.#count): FlatTree {
    if (count > this.#count) throw new RangeError(`there are ${this.#count} leaves, not ${count}`);
    return flatTree(Buffer.from(this.#bytes.subarray(0, count * HASH_BYTES)));
  }

  #grow(): void {
    this.#count++;
    if (this.#count * HASH_BYTES <= this.#bytes.length) return;
    this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
  }
}

function parents(children: Buffer, count: number): Buffer {
  const row = Buffer.alloc(count * HASH_BYTES);
  for (let i = 0; i < count; i++) {
    children.copy(NODE_INPUT, 1, 2 * i * HASH_BYTES, 2 * (i + 1) * HASH_BYTES);
    row.write(hash('sha256', NODE_INPUT, 'binary'), i * HASH_BYTES, 'latin1');
  }
  return row;
}
