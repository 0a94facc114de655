// A leaf read back from its bytes, by somebody who trusts nothing but these bytes.
import { canonicalJson, isPlainObject, parseStrictJson } from '../../kernel/canonical-json.js';
import type { Instant } from '../../kernel/instant.js';

export interface LoggedLeaf {
  readonly schema: string;
  readonly index: number;
  readonly knownAt: Instant;
  readonly at: Instant;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Null for text that is not the one canonical form of a leaf. */
export function readLeaf(text: string): LoggedLeaf | null {
  const value = canonicalObject(text);
  if (value === null) return null;
  const { schema, index, known_at: knownAt, at, body } = value;
  const numbers = [index, knownAt, at].every(Number.isSafeInteger);
  if (typeof schema !== 'string' || !numbers || !isPlainObject(body)) return null;
  return { schema, index: index as number, knownAt: knownAt as number, at: at as number, body };
}

/** The object behind canonical text; null for any other text. */
export function canonicalObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = canonicalValue(text);
  return isPlainObject(value) ? value : null;
}

/** What canonical text says; null for any other text. */
export function canonicalValue(text: string): unknown {
  try {
    const value = parseStrictJson(text);
    return canonicalJson(value) === text ? value : null;
  } catch {
    return null;
  }
}
