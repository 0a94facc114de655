// Names of requests: unique across processes by a random prefix, cheap by a counter.
import { randomBytes } from 'node:crypto';

/** Ids of the caller are not taken over: nothing from a request is ever echoed. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
