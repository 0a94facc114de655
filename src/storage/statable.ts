// What a statement must hold so that every store can give it back unchanged and anyone can hash it again.
import { STATEMENT_KINDS, type Statement } from '../domain/facts/statement.js';
import { canonicalJson, isPlainObject, NotCanonical } from '../kernel/canonical-json.js';
import { instant, isWellFormed, key, Unstorable } from './storable.js';

const KINDS: ReadonlySet<string> = new Set(STATEMENT_KINDS);

export function requireStatable(statement: Statement): void {
  const fault = faultIn(statement);
  if (fault !== null) throw new Unstorable(`${statement.kind} statement`, fault);
}

function faultIn({ kind, subject, at, body, attachment }: Statement): string | null {
  if (!KINDS.has(kind)) return 'kind';
  if (subject !== null && !key(subject)) return 'subject';
  if (!instant(at)) return 'at';
  if (attachment !== undefined && !isText(attachment)) return 'attachment';
  return isPlainObject(body) ? bodyFault(body) : 'body';
}

const isText = (value: unknown): boolean => typeof value === 'string' && isWellFormed(value);

function bodyFault(body: Statement['body']): string | null {
  try {
    // One level down, as it stands in its leaf: depth counts.
    canonicalJson({ body });
    return null;
  } catch (error) {
    if (error instanceof NotCanonical) return error.pointer.slice(1);
    throw error;
  }
}
