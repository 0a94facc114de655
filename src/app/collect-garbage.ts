// Gives back the memory that a backfill leaves behind: a heap many times the size of what stays in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 shrinks a heap only under pressure, which a service at rest never makes. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
