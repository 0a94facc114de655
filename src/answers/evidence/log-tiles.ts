// The log as files (C2SP tlog-tiles): the checkpoint, tiles of 256 hashes, and bundles of 256 leaves.
import { leafText } from '../../domain/facts/statement.js';
import { LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Checkpoints } from './checkpoints.js';

export const TILE_WIDTH = 256;
const LEVELS_PER_TILE = 8;
const MOST_LEAF_BYTES = 0xffff;

/** Which tile, and how much of it: `width` is below 256 only for one that was not full when it was asked for. */
export interface TileName {
  readonly index: number;
  readonly width: number;
}

export type LogTiles = ReturnType<typeof logTiles>;

export function logTiles(archive: ArchiveReader, checkpoints: Checkpoints) {
  return {
    async checkpoint(): Promise<string> {
      return (await checkpoints.signed()).note;
    },

    /** Hashes of subtrees of 256^level leaves; null where there are not that many. */
    async hashes(level: number, { index, width }: TileName): Promise<Buffer | null> {
      const first = index * TILE_WIDTH;
      const complete = Math.floor((await archive.logSize(LATEST)) / TILE_WIDTH ** level);
      if (first + width > complete) return null;
      return Buffer.concat(await archive.treeRow(level * LEVELS_PER_TILE, first, width));
    },

    /** Leaves, each behind its length in two bytes; null where there are not that many. */
    async entries({ index, width }: TileName): Promise<Buffer | null> {
      const first = index * TILE_WIDTH;
      if (first + width > (await archive.logSize(LATEST))) return null;
      const leaves = await Promise.all(Array.from({ length: width }, (_, i) => archive.leaf(first + i)));
      return Buffer.concat(leaves.flatMap((leaf) => framed(Buffer.from(leafText(leaf!)))));
    },
  };
}

function framed(bytes: Buffer): [Buffer, Buffer] {
  if (bytes.length > MOST_LEAF_BYTES) throw new RangeError('a leaf is too large for a bundle');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return [length, bytes];
}
