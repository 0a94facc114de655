// Options that several commands share, read strictly.
import { InvalidArgumentError } from 'commander';
import type { Instant } from '../kernel/instant.js';
import { parseDay, parseInstant } from '../kernel/instant.js';
import { CommandFault, EXIT } from './exit.js';

/** RFC 3339 with an offset, or a calendar day, which is its first instant in UTC. */
export function instantOption(text: string): Instant {
  const at = parseInstant(text) ?? parseDay(text);
  if (at === null) throw new InvalidArgumentError('write an instant such as 2026-01-31T14:30:00Z, or a day.');
  return at;
}

/** A span that ends before it begins holds nothing, and nothing would pass for a result. */
export function requireOrder(from: Instant, to: Instant): void {
  if (to < from) throw new CommandFault('--to lies before --from', EXIT.usage);
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `30s`, `15m`, `1h`, `1d`, `1w` in seconds. */
export function spanOption(text: string): number {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  const seconds = match ? Number(match[1]) * UNITS[match[2]!]! : 0;
  if (seconds < 1) throw new InvalidArgumentError('write a span such as 30s, 15m, 1h, 1d or 1w.');
  return seconds;
}
