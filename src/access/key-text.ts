// The text of an API key: a prefix that scanners know, a public id, a secret, and a checksum; only its hash is stored.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const SHAPE = new RegExp(
  `^baro_(live|test)_([${BASE58}]{${ID_LENGTH}})_[${BASE62}]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

export type KeyEnvironment = 'live' | 'test';

/** A fresh key: about 190 bits of secret. The id is public and safe in logs. */
export function makeKey(environment: KeyEnvironment): { id: string; text: string } {
  const id = randomText(BASE58, ID_LENGTH);
  const body = `baro_${environment}_${id}_${randomText(BASE62, SECRET_LENGTH)}`;
  return { id, text: body + checksum(body) };
}

/** The public id of a well-formed key. Garbage is refused here, before any store or hash is touched. */
export function keyId(text: string): string | null {
  const match = SHAPE.exec(text);
  if (!match) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH) ? match[2]! : null;
}

export function keySha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomText(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)]!;
  return text;
}
