// The windows of a caller as response headers.
import type { Allowance } from '../contracts/caller.js';
import { SECOND } from '../kernel/instant.js';
import { secondsUntil } from './admission.js';

/** `X-RateLimit-Reset` is in seconds since 1970; the `t` of the IETF draft is a distance. Name, value, name, value. */
export function limitHeaderList(allowance: Allowance): string[] {
  const { minuteLimit, minuteUsed, minuteResetAt, dayLimit, dayUsed, dayResetAt, at } = allowance;
  const minuteLeft = Math.max(0, minuteLimit - minuteUsed);
  const dayLeft = Math.max(0, dayLimit - dayUsed);
  return [
    'X-RateLimit-Limit',
    String(minuteLimit),
    'X-RateLimit-Remaining',
    String(minuteLeft),
    'X-RateLimit-Reset',
    String(Math.ceil(minuteResetAt / SECOND)),
    'X-Quota-Limit',
    String(dayLimit),
    'X-Quota-Remaining',
    String(dayLeft),
    'RateLimit-Policy',
    `"minute";q=${minuteLimit};w=60, "day";q=${dayLimit};w=86400`,
    'RateLimit',
    `"minute";r=${minuteLeft};t=${secondsUntil(minuteResetAt, at)}, "day";r=${dayLeft};t=${secondsUntil(dayResetAt, at)}`,
  ];
}

export function limitHeaders(allowance: Allowance): readonly (readonly [name: string, value: string])[] {
  const list = limitHeaderList(allowance);
  return list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]!] as const] : []));
}
