// What became of posts, from the table of their changes: one index seek a post.
import type { FactOf } from '../../domain/facts/fact.js';
import type { Instant } from '../../kernel/instant.js';
import type { Connection } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { factColumns, factIn } from './fact-reads.js';

/** The first of the changes named in KIND_TABLES; a deletion is final, so it goes before whatever is newer. */
const DELETED = 0;

const NEWEST = `SELECT ${factColumns('post_change')} FROM post_change f INDEXED BY post_change_key
  WHERE f.provider = ? AND f.id = ? AND f.known_at <= ?
  ORDER BY f.change = ${DELETED} DESC, f.known_at DESC, f.sequence DESC LIMIT 1`;

export function newestChanges(
  connection: Connection,
  dictionaries: Dictionaries,
  posts: readonly { readonly provider: string; readonly id: string }[],
  knownBy: Instant,
): (FactOf<'post_change'> | null)[] {
  const newest = connection.prepare(NEWEST);
  return posts.map(({ provider, id }) => {
    const number = dictionaries.names.find(provider);
    const cells = number === undefined ? undefined : newest.get(number, id, knownBy);
    return cells === undefined ? null : factIn('post_change', cells, dictionaries);
  });
}
