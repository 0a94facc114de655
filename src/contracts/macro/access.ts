// Who may ask on surface B, and what every question of it may be refused with.
import type { FailureCode } from '../failures.js';
import type { Access } from '../operation.js';

/** Without a key within the anonymous quota of the day, or with one within its plan. */
export const METERED: Access = { kind: 'metered', quota: 'asset_reads' };

export const STRUCTURE_GROUP = 'macro structure';
export const TOOLS_GROUP = 'agent tools';

/** What every read costs, for descriptions. */
export const COST =
  'Costs one asset read: without a key 500 a day per client address, with a key as many as its plan has.';

/** Of an answer that comes from the newest edition. */
export const EDITION_FAILURES = ['unknown_parameter', 'warming_up', 'archive_unavailable'] as const;

/** Of an answer that can replay the past. */
export const REPLAY_FAILURES = [
  ...EDITION_FAILURES,
  'invalid_as_of',
  'as_of_out_of_range',
  'replay_busy',
] as const satisfies readonly FailureCode[];
