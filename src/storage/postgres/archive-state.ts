// The one row that every transaction of the recorder locks, checks and moves.
import type { Fact } from '../../domain/facts/fact.js';
import type { Instant } from '../../kernel/instant.js';
import type { Tail } from '../stamping.js';
import { run, type Sql } from './driver.js';
import type { Month } from './months.js';

/** Another recorder has the archive: this one may only stop. */
export class Replaced extends Error {
  /** Counts as a lost connection. */
  readonly code = 'CONNECTION_ENDED';
  constructor() {
    super('another recorder has taken over');
    this.name = 'Replaced';
  }
}

export interface Claimed {
  readonly epoch: number;
  readonly firstMonth: Month;
  readonly lastDenominator: number;
}

/** From here on every older recorder finds itself replaced, even one whose lock the server forgot in a failover. */
export async function beginEpoch(sql: Sql, firstMonth: Month): Promise<Claimed> {
  const [row] = await run<Claimed>(
    sql,
    `UPDATE barograph.archive_state SET epoch = epoch + 1, first_month = coalesce(first_month, $1) WHERE only_row
     RETURNING epoch, first_month AS "firstMonth", last_denominator AS "lastDenominator"`,
    [firstMonth],
  );
  if (row === undefined) throw new Error('the archive has lost its state row');
  return row;
}

export async function lockTail(sql: Sql, epoch: number): Promise<Tail> {
  const [row] = await run<Tail>(
    sql,
    'SELECT sequence, live_at AS "liveAt" FROM barograph.archive_state WHERE only_row AND epoch = $1 FOR UPDATE',
    [epoch],
  );
  if (row === undefined) throw new Replaced();
  return row;
}

export async function moveTail(sql: Sql, { sequence, liveAt }: Tail, facts: readonly Fact[]): Promise<void> {
  let first: Instant | null = null;
  let last: Instant | null = null;
  for (const { knownAt } of facts) {
    if (first === null || knownAt < first) first = knownAt;
    if (last === null || knownAt > last) last = knownAt;
  }
  await run(
    sql,
    `UPDATE barograph.archive_state SET sequence = $1, live_at = $2,
       first_known_at = least(first_known_at, $3), last_known_at = greatest(last_known_at, $4) WHERE only_row`,
    [sequence, liveAt, first, last],
  );
}
