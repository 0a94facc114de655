// Whether an identifier is one: every scheme with its own check digits, so that a typing error is never an identity.

/** 0 to 9, then A as 10 to Z as 35: the reading that all three schemes share. */
function letterValue(character: string): number {
  return Number.parseInt(character, 36);
}

function digitSum(value: number): number {
  return Math.floor(value / 10) + (value % 10);
}

const FIGI_BODY = /^[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}$/;
/** Prefixes that the standard leaves out, so that no FIGI can be read as an ISIN. */
const FIGI_FORBIDDEN = new Set(['BS', 'BM', 'GG', 'GB', 'GH', 'KY', 'VG']);

/** The twelfth character of a FIGI, from the eleven before it; null when those begin no FIGI. */
export function figiCheckDigit(body: string): string | null {
  if (!FIGI_BODY.test(body) || FIGI_FORBIDDEN.has(body.slice(0, 2))) return null;
  let sum = 0;
  for (let i = 0; i < body.length; i++) sum += digitSum(letterValue(body[i]!) * (i % 2 === 0 ? 1 : 2));
  return String((10 - (sum % 10)) % 10);
}

export function isFigi(text: string): boolean {
  return text.length === 12 && figiCheckDigit(text.slice(0, 11)) === text[11];
}

const ISIN_BODY = /^[A-Z]{2}[0-9A-Z]{9}$/;

/** The twelfth character of an ISIN: Luhn over the digits that its letters stand for. */
export function isinCheckDigit(body: string): string | null {
  if (!ISIN_BODY.test(body)) return null;
  const digits = body
    .split('')
    .map((character) => String(letterValue(character)))
    .join('');
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const fromRight = digits.length - 1 - i;
    sum += digitSum(Number(digits[i]) * (fromRight % 2 === 0 ? 2 : 1));
  }
  return String((10 - (sum % 10)) % 10);
}

export function isIsin(text: string): boolean {
  return text.length === 12 && isinCheckDigit(text.slice(0, 11)) === text[11];
}

const LEI_BODY = /^[0-9A-Z]{18}$/;

function modulo97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = letterValue(character);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}

/** The last two characters of an LEI (ISO 7064, modulo 97). */
export function leiCheckDigits(body: string): string | null {
  if (!LEI_BODY.test(body)) return null;
  return String(98 - modulo97(`${body}00`)).padStart(2, '0');
}

export function isLei(text: string): boolean {
  return text.length === 20 && leiCheckDigits(text.slice(0, 18)) === text.slice(18);
}

/** The SEC's number of a filer, in its one spelling: padded to ten digits. */
export function isCik(text: string): boolean {
  return /^[0-9]{10}$/.test(text) && !/^0+$/.test(text);
}
