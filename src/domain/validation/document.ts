// The one rounding of documents: statistics at ten significant digits, what is undefined as null.
import { fingerprintWithout, roundSignificant } from '../../kernel/fingerprint.js';

const DIGITS = 10;

/** Engines differ in the last bits of logarithms and roots; ten digits hash alike everywhere. */
export function statistic(value: number): number | null {
  return Number.isFinite(value) ? roundSignificant(value, DIGITS) : null;
}

/** Snake case, as on the wire. */
export function wireParameters(parameters: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** The document with its own fingerprint as the last member. */
export function sealed<T extends object, M extends string>(
  document: T,
  member: M,
): T & { readonly [key in M]: string } {
  return { ...document, [member]: fingerprintWithout(document, member) } as T & {
    readonly [key in M]: string;
  };
}
