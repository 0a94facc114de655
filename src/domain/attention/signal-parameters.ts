// When a change is worth a signal: every threshold in one place.
import { HOUR } from '../../kernel/instant.js';

export const SIGNALS = {
  /** Entering or leaving the first ranks. */
  boardRanks: 25,
  /** Share counts that differ by this much. */
  denominatorRevision: 0.05,
  /** Percentage points of attention that changed hands within an hour, and how many names are listed. */
  rotationPoints: 10,
  rotationNames: 5,
  /** Attention at least doubled while the price moved less than this many of its usual days. */
  divergence: { doublings: 1, usualDays: 0.5, minDays: 10 },
  /** One source says this much of it, and this many times its usual share. */
  concentration: { share: 0.8, timesUsual: 2, minPosts: 20 },
  /** A coordination index that moved by this much within a day. */
  coordinationShift: 0.2,
  /** A source that counts and has been silent this long. */
  silence: 2 * HOUR,
  /** Conditions that last are told once per this long. */
  repeatAfter: 24 * HOUR,
  /** How long a signal is news. */
  ttlSeconds: 3600,
} as const;
