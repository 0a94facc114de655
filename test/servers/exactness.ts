// How many of too many calls get in: on a busy machine some may time out, and only then it is tried again.
import { expect } from 'vitest';

export interface Counted {
  readonly admitted: number;
  readonly timedOut: number;
}

const ATTEMPTS = 4;

/** One admitted too many fails at once, whatever else happened; each attempt begins with a whole limit. */
export async function admitsExactly(limit: number, attempt: () => Promise<Counted>): Promise<void> {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    const { admitted, timedOut } = await attempt();
    expect(admitted, 'never more than there are').toBeLessThanOrEqual(limit);
    if (timedOut > 0 && left > 0) continue;
    expect({ admitted, timedOut }).toEqual({ admitted: limit, timedOut: 0 });
    return;
  }
}
