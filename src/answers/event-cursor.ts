// The place in a list of events up to which a client has read, sealed so that only this service can make one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Failure } from '../contracts/failures.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { sha256Hex } from '../kernel/fingerprint.js';
import type { Instant } from '../kernel/instant.js';
import { DAY, SECOND } from '../kernel/instant.js';

/** Every answer gives a fresh cursor, so only a client that was away this long finds its own too old. */
const GOOD_FOR = 30 * DAY;

const VERSION = 1;
/** Version, six bytes of sequence, six of seconds, eight of the question; then half of an HMAC-SHA-256. */
const PLAIN_BYTES = 21;
const SEAL_BYTES = 16;

export class EventCursors {
  readonly #secret: Uint8Array;

  /** Processes that answer the same clients share the secret. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** `question` is what was asked apart from the place and the number: a cursor answers no other. */
  issue(sequence: number, question: object, now: Instant): string {
    const plain = Buffer.alloc(PLAIN_BYTES);
    plain.writeUInt8(VERSION, 0);
    plain.writeUIntBE(sequence, 1, 6);
    plain.writeUIntBE(Math.max(0, Math.floor(now / SECOND)), 7, 6);
    plain.set(hashOf(question), 13);
    return Buffer.concat([plain, this.#seal(plain)]).toString('base64url');
  }

  /** The sequence behind which to go on. */
  open(text: string, question: object, now: Instant): number {
    const bytes = Buffer.from(text, 'base64url');
    const plain = bytes.subarray(0, PLAIN_BYTES);
    // The text must be the one spelling of its bytes: a decoder forgives what a seal must not.
    const whole = bytes.length === PLAIN_BYTES + SEAL_BYTES && bytes.toString('base64url') === text;
    if (!whole || !timingSafeEqual(bytes.subarray(PLAIN_BYTES), this.#seal(plain)))
      throw new Failure('invalid_cursor');
    if (plain.readUInt8(0) !== VERSION || !hashOf(question).equals(plain.subarray(13)))
      throw new Failure('invalid_cursor');
    if (now - plain.readUIntBE(7, 6) * SECOND > GOOD_FOR) throw new Failure('cursor_expired');
    return plain.readUIntBE(1, 6);
  }

  #seal(plain: Uint8Array): Buffer {
    return createHmac('sha256', this.#secret).update(plain).digest().subarray(0, SEAL_BYTES);
  }
}

function hashOf(question: object): Buffer {
  return Buffer.from(sha256Hex(canonicalJson(question)).slice(0, 16), 'hex');
}
