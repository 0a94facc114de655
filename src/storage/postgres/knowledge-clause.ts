// The one condition that every read of facts carries.
import type { Knowledge } from '../../domain/facts/knowledge.js';
import { EARLIEST } from '../../kernel/instant.js';

/** To be followed by further conditions; its values are the first three of the statement. */
export const KNOWN = 'known_at <= $1 AND known_at > $2 AND sequence <= $3';

const BEFORE_ALL = EARLIEST - 1;

export function knownValues({ knownBy, after, upToSequence }: Knowledge): readonly [number, number, number] {
  return [knownBy, after ?? BEFORE_ALL, upToSequence ?? Number.MAX_SAFE_INTEGER];
}
