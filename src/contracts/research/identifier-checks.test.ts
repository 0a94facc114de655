// Known identifiers, and the same ones with one wrong digit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  figiCheckDigit,
  isCik,
  isFigi,
  isIsin,
  isinCheckDigit,
  isLei,
  leiCheckDigits,
} from './identifier-checks.js';

describe('identifiers', () => {
  it.each([
    ['BBG000BLNNH6', true],
    ['BBG000B9XRY4', true],
    ['BBG000BLNNH7', false],
    ['BBG000BLNNH', false],
    ['bbg000blnnh6', false],
    ['BBG000BLNNA6', false],
    ['GBG000BLNNH6', false],
  ])('FIGI %s: %s', (text, valid) => expect(isFigi(text)).toBe(valid));

  it.each([
    ['US0378331005', true],
    ['US5949181045', true],
    ['GB0002634946', true],
    ['US0378331006', false],
    ['0S0378331005', false],
    ['US037833100', false],
  ])('ISIN %s: %s', (text, valid) => expect(isIsin(text)).toBe(valid));

  it.each([
    ['5493001KJTIIGC8Y1R12', true],
    ['5493001KJTIIGC8Y1R13', false],
    ['5493001KJTIIGC8Y1R21', false],
    ['5493001KJTIIGC8Y1R1', false],
  ])('LEI %s: %s', (text, valid) => expect(isLei(text)).toBe(valid));

  it.each([
    ['0000320193', true],
    ['320193', false],
    ['0000000000', false],
    ['000032019X', false],
  ])('CIK %s: %s', (text, valid) => expect(isCik(text)).toBe(valid));

  const characters = (alphabet: string, length: number) =>
    fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength: length, maxLength: length });
  const digits = '0123456789';
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

  it('have check digits that catch every single wrong digit', () => {
    fc.assert(
      fc.property(
        characters(digits, 8),
        characters(letters + digits, 9),
        characters(letters + digits, 18),
        fc.nat(7),
        fc.integer({ min: 1, max: 9 }),
        (figi, isin, lei, place, step) => {
          const changed = (text: string, at: number): string => {
            const digit = (Number(text[at]) + step) % 10;
            return text.slice(0, at) + String(digit) + text.slice(at + 1);
          };
          const whole = `BBG${figi}${figiCheckDigit(`BBG${figi}`)!}`;
          expect(isFigi(whole)).toBe(true);
          expect(isFigi(changed(whole, 3 + place))).toBe(false);
          const country = `US${isin}${isinCheckDigit(`US${isin}`)!}`;
          expect(isIsin(country)).toBe(true);
          expect(isIsin(changed(country, 11))).toBe(false);
          const entity = `${lei}${leiCheckDigits(lei)!}`;
          expect(isLei(entity)).toBe(true);
          expect(isLei(changed(entity, 19))).toBe(false);
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });
});
