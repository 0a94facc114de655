// Limits and quotas of one process, in memory.
import type { Clock, Instant } from '../../kernel/instant.js';
import type { Charge, Counters, Standing } from '../../ports/counters.js';
import { decide, type Used, windowsAt } from '../admission.js';

interface Window {
  readonly resetAt: Instant;
  readonly used: number;
}

export function memoryCounters({ clock }: { readonly clock: Clock }): Counters {
  const windows = new Map<string, Window>();
  let sweptAt: Instant | null = null;

  const minuteKey = ({ bucket }: Pick<Charge, 'bucket'>): string => JSON.stringify([bucket]);
  const dayKey = ({ bucket, quota }: Pick<Charge, 'bucket' | 'quota'>): string =>
    JSON.stringify([bucket, quota]);
  const used = (key: string, resetAt: Instant): number => {
    const window = windows.get(key);
    return window?.resetAt === resetAt ? window.used : 0;
  };
  const take = (key: string, resetAt: Instant, cost: number): void => {
    const left = used(key, resetAt);
    if (left > 0) windows.set(key, { resetAt, used: Math.max(0, left - cost) });
  };
  const sweep = (at: Instant, minuteResetAt: Instant): void => {
    if (sweptAt === minuteResetAt) return;
    sweptAt = minuteResetAt;
    for (const [key, window] of windows) if (window.resetAt <= at) windows.delete(key);
  };
  const look = (charge: Charge): Standing => {
    const ends = windowsAt(clock());
    const before: Used = {
      minuteUsed: used(minuteKey(charge), ends.minuteResetAt),
      dayUsed: used(dayKey(charge), ends.dayResetAt),
    };
    return { refused: decide(charge, before), ...before, ...ends };
  };

  return {
    async admit(charge) {
      const standing = look(charge);
      sweep(standing.at, standing.minuteResetAt);
      if (standing.refused !== null) return standing;
      const minuteUsed = standing.minuteUsed + charge.cost;
      const dayUsed = standing.dayUsed + charge.cost;
      windows.set(minuteKey(charge), { resetAt: standing.minuteResetAt, used: minuteUsed });
      windows.set(dayKey(charge), { resetAt: standing.dayResetAt, used: dayUsed });
      return { ...standing, minuteUsed, dayUsed };
    },
    peek: async (charge) => look(charge),
    async giveBack(calls, { minuteResetAt, dayResetAt }) {
      take(minuteKey(calls), minuteResetAt, calls.cost);
      take(dayKey(calls), dayResetAt, calls.cost);
    },
    healthy: async () => true,
    close: async () => windows.clear(),
  };
}
