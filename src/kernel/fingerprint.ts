// Fingerprints: SHA-256 over canonical bytes, and the one rounding that makes statistics fit to be hashed.
import { hash } from 'node:crypto';
import { canonicalJson, isPlainObject, NotCanonical } from './canonical-json.js';

/** Lowercase hex SHA-256; a string is hashed as its UTF-8 bytes. */
export function sha256Hex(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** `sha256:` and 64 hex digits over the canonical JSON of the value. */
export function fingerprint(value: unknown): string {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}

/** The fingerprint of an object that carries its own: `member` is left out of the hashed bytes. */
export function fingerprintWithout(value: object, member: string): string {
  // Copying a Map or a Date would give an empty object and with it a well-formed but meaningless fingerprint.
  if (!isPlainObject(value)) throw new NotCanonical('an object that is not plain', []);
  const { [member]: _own, ...rest } = value;
  return fingerprint(rest);
}

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const FAST_DIGITS = 12;
// Scaling errs by at most 10^12 · 2^-53 ≈ 1.1e-4; nearer to a tie than this the exact decimal text decides.
const TIE_MARGIN = 1e-3;

/**
 * Rounds to significant decimal digits, exactly as `Number(x.toPrecision(digits))`, with -0 as 0.
 * Engines differ in the last bits of exp, log and pow; rounded statistics hash alike everywhere.
 */
export function roundSignificant(x: number, digits: number): number {
  if (x === 0) return 0;
  const rounded = roundByScaling(x, digits) ?? Number(x.toPrecision(digits));
  // Not only for NaN and Infinity themselves: the largest doubles can round up and out of the range.
  if (!Number.isFinite(rounded))
    throw new RangeError(`${x} has no finite value of ${digits} significant digits`);
  return rounded;
}

// Powers of ten up to 10^22 and integers below 2^53 are exact doubles, so the one division or product at the end
// is correctly rounded: the same double that parsing the decimal text gives, without making the text.
function roundByScaling(x: number, digits: number): number | undefined {
  const top = digits <= FAST_DIGITS ? POWERS_OF_TEN[digits] : undefined;
  if (top === undefined || digits < 1) return undefined;
  const magnitude = Math.abs(x);
  const shift = digits - 1 - Math.floor(Math.log10(magnitude));
  const power = POWERS_OF_TEN[Math.abs(shift)];
  if (power === undefined) return undefined;
  const scaled = shift >= 0 ? magnitude * power : magnitude / power;
  // log10 may land one off beside a power of ten; then the digit count is wrong and the text decides.
  if (scaled < top / 10 || scaled >= top) return undefined;
  const whole = Math.floor(scaled);
  const fraction = scaled - whole;
  if (Math.abs(fraction - 0.5) < TIE_MARGIN) return undefined;
  const rounded = fraction > 0.5 ? whole + 1 : whole;
  const result = shift >= 0 ? rounded / power : rounded * power;
  return x < 0 ? -result : result;
}
