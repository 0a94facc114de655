// Ids that mean nothing: made from other ids by a hash, so that the same pair always has the same one.
import { sha256Hex } from '../../kernel/fingerprint.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

export function opaqueId(prefix: string, ...parts: readonly string[]): string {
  let rest = BigInt(`0x${sha256Hex(parts.join(' ')).slice(0, (LENGTH * 5) / 4)}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text += ALPHABET[Number(rest & 31n)]!;
    rest >>= 5n;
  }
  return `${prefix}_${text}`;
}
