// The lists inside a post as bytes: shorter than arrays, and read without parsing text.
import type { Mention, MentionForm } from '../../domain/facts/post.js';
import type { Names, Numbers } from './names.js';

const FORMS: readonly MentionForm[] = ['tagged', 'cashtag', 'bare'];
/** The slot, then the form. */
const MENTION_BYTES = 5;
const HASH_BYTES = 8;
const SHINGLE_BYTES = 4;

export function packMentions(mentions: readonly Mention[], numbers: Numbers): Uint8Array {
  const bytes = Buffer.allocUnsafe(mentions.length * MENTION_BYTES);
  mentions.forEach(({ ticker, form }, i) => {
    bytes.writeUInt32LE(numbers.slotOf(ticker), i * MENTION_BYTES);
    bytes.writeUInt8(FORMS.indexOf(form), i * MENTION_BYTES + 4);
  });
  return bytes;
}

export function unpackMentions(bytes: Buffer, names: Names): readonly Mention[] {
  return Array.from({ length: bytes.length / MENTION_BYTES }, (_, i) => ({
    ticker: names.ticker(bytes.readUInt32LE(i * MENTION_BYTES)),
    form: FORMS[bytes.readUInt8(i * MENTION_BYTES + 4)]!,
  }));
}

/** A double holds the 52 bits of a keyed hash exactly. */
export function packHashes(hashes: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(hashes.length * HASH_BYTES);
  hashes.forEach((hash, i) => {
    bytes.writeDoubleLE(hash, i * HASH_BYTES);
  });
  return bytes;
}

export function unpackHashes(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, i) => bytes.readDoubleLE(i * HASH_BYTES));
}

export function packShingles(shingles: Uint32Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(shingles.length * SHINGLE_BYTES);
  for (let i = 0; i < shingles.length; i++) bytes.writeUInt32LE(shingles[i]!, i * SHINGLE_BYTES);
  return bytes;
}

export function unpackShingles(bytes: Buffer): Uint32Array {
  const shingles = new Uint32Array(bytes.length / SHINGLE_BYTES);
  for (let i = 0; i < shingles.length; i++) shingles[i] = bytes.readUInt32LE(i * SHINGLE_BYTES);
  return shingles;
}
