// The texts beside leaves as stores keep them: deflated where that makes them smaller, and checked when they come back.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sha256Hex } from '../kernel/fingerprint.js';

export interface KeptText {
  readonly bytes: Uint8Array;
  readonly deflated: boolean;
}

export function keepText(text: string): KeptText {
  const plain = Buffer.from(text);
  // The quickest level: half as large again as the best, at a fifth of the time.
  const bytes = deflateRawSync(plain, { level: 1 });
  return bytes.length < plain.length ? { bytes, deflated: true } : { bytes: plain, deflated: false };
}

/** A text that its leaf does not vouch for is never given out. */
export function keptText({ bytes, deflated }: KeptText, sha256: string): string {
  const plain = deflated ? inflateRawSync(bytes) : bytes;
  if (sha256Hex(plain) !== sha256) throw new Error(`the text kept for ${sha256} is damaged`);
  return Buffer.from(plain).toString();
}
