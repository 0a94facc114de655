// Canonical texts of lists and objects from the texts of their members, so that none of them is written twice.
import { canonicalJson } from '../../kernel/canonical-json.js';

export function memberTexts(value: object): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonicalJson(member)]));
}

/** Names are those of our contracts: plain letters, so that they need no escapes. */
export function objectPieces<T>(members: Readonly<Record<string, T>>): (string | T)[] {
  const names = Object.keys(members).sort();
  return [...names.flatMap((name, i) => [`${i === 0 ? '{' : ','}"${name}":`, members[name]!]), '}'];
}

export function objectText(texts: Readonly<Record<string, string>>): string {
  return objectPieces(texts).join('');
}

export function listText(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
