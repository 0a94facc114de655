// Identifiers that sort by time (ULID), made from what they name instead of from chance: the same thing, the same id.
import { hash } from 'node:crypto';
import { type Instant, MILLISECOND } from './instant.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 48 bits of milliseconds, 48 bits of the number itself, so that equal times keep its order, and 32 bits of hash. */
export function ulidOf(at: Instant, number: number): string {
  const tail = hash('sha256', `${at} ${number}`, 'hex').slice(0, 8);
  const hex = (value: number): string => value.toString(16).padStart(12, '0');
  let rest = BigInt(`0x${hex(Math.floor(at / MILLISECOND))}${hex(number)}${tail}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = CROCKFORD[Number(rest & 31n)]! + text;
    rest >>= 5n;
  }
  return text;
}
