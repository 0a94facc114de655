// Counters decide, in one atomic step, whether a call is admitted, and charge it only then.
import type { Instant } from '../kernel/instant.js';

/** Windows are fixed and aligned to the UTC minute and the UTC day of the store's own clock. */
export interface Charge {
  /** Whose account: one per key, or one per anonymous address prefix. */
  readonly bucket: string;
  readonly minuteLimit: number;
  /** Which daily quota of the bucket is used, for example `asset_reads`. */
  readonly quota: string;
  readonly dayLimit: number;
  readonly cost: number;
}

export interface Standing {
  /** `quota_exceeded` wins over `rate_limited`: it is the longer wait. */
  readonly refused: 'quota_exceeded' | 'rate_limited' | null;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  readonly minuteResetAt: Instant;
  readonly dayResetAt: Instant;
  /** The store's clock at the decision. */
  readonly at: Instant;
}

/** Which minute and which day. */
export type Windows = Pick<Standing, 'minuteResetAt' | 'dayResetAt'>;

export class CountersUnavailable extends Error {
  constructor(cause: unknown) {
    super('the shared limiter store does not answer', { cause });
    this.name = 'CountersUnavailable';
  }
}

export interface Counters {
  /** Checks both windows, then charges both, or neither. */
  admit(charge: Charge): Promise<Standing>;
  /** The same answer without charging. */
  peek(charge: Charge): Promise<Standing>;
  /** Takes calls that were charged and never made out of the windows they went into, where those are still kept. */
  giveBack(calls: Pick<Charge, 'bucket' | 'quota' | 'cost'>, windows: Windows): Promise<void>;
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
