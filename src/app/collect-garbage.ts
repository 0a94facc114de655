// Gives back the memory that a backfill leaves behind: a heap many times the size of what stays in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One collection finds what is free, the next ones move the rest together and give the pages back. */
const ROUNDS = 4;

/** V8 shrinks a heap only under pressure, which a service at rest never makes. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return;
  for (let round = 0; round < ROUNDS; round++) collect();
}
