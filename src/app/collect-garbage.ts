// Gives back the memory that heavy work leaves behind: a heap many times the size of what stays in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 shrinks a heap only under pressure, which a service at rest never makes; and its nursery only in a collection
 * before which little was allocated for some seconds.
 */
const QUIET_MS = 6_000;
/** The first finds what is free, the next ones move the rest together and give the pages back. */
const ROUNDS = 3;

let waiting: NodeJS.Timeout | undefined;

/** After the work that is over now; more such work puts it off. */
export function collectGarbageLater(rounds = ROUNDS): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    collect();
    if (rounds > 1) collectGarbageLater(rounds - 1);
  }, QUIET_MS);
  waiting.unref();
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc();
}
