// What may be said of a gate record, to whom and when: the only place where a verdict or a salt leaves the archive.
import { type GateCommitments, type Realness, VERDICT_SCOPE } from '../contracts/attention/realness.js';
import { type Caller, hasScope } from '../contracts/caller.js';
import type { Verdict } from '../domain/attention/gate.js';
import type { Emitted } from '../domain/facts/emission.js';
import type { Instant } from '../kernel/instant.js';
import { DAY, formatInstant, LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

const TYPE = 'realness.commitment';

export interface Reveal {
  readonly now: Instant;
  readonly caller: Caller;
  readonly revealDays: number;
}

interface Shown {
  readonly state: 'withheld' | 'released' | 'revealed';
  readonly verdict: Verdict | null;
  readonly salt: string | null;
}

/** By the clock and never by the instant that was asked for: nobody can ask a verdict out of the past. */
function shownOf({ at, body }: Emitted, { now, caller, revealDays }: Reveal): Shown {
  const verdict = body['verdict'] as Verdict;
  if (now >= at + revealDays * DAY) return { state: 'revealed', verdict, salt: body['salt'] as string };
  return hasScope(caller, VERDICT_SCOPE)
    ? { state: 'released', verdict, salt: null }
    : { state: 'withheld', verdict: null, salt: null };
}

const text = (record: Emitted, member: string): string => record.body[member] as string;
const revealAfter = ({ at }: Emitted, revealDays: number): string => formatInstant(at + revealDays * DAY);

/** `logRoot`: of the log when it had just taken the commitment in. */
export function gateShape(record: Emitted | null, reveal: Reveal, logRoot: string | null): Realness['gate'] {
  const required_scope = VERDICT_SCOPE;
  if (!record) {
    return {
      state: 'withheld',
      verdict: null,
      salt: null,
      required_scope,
      as_of: null,
      measurement_sha256: null,
      policy_sha256: null,
      commitment: null,
      reveal_after: null,
    };
  }
  return {
    ...shownOf(record, reveal),
    required_scope,
    as_of: formatInstant(record.at),
    measurement_sha256: text(record, 'measurement_sha256'),
    policy_sha256: text(record, 'policy_sha256'),
    commitment: {
      alg: 'sha256:svc.realness.gate.v1',
      value: text(record, 'commitment'),
      seq: record.body['seq'] as number,
      log_root: logRoot,
    },
    reveal_after: revealAfter(record, reveal.revealDays),
  };
}

export function gateEntry(record: Emitted, reveal: Reveal): GateCommitments['commitments'][number] {
  return {
    ticker: record.ticker!,
    as_of: formatInstant(record.at),
    seq: record.body['seq'] as number,
    measurement_sha256: text(record, 'measurement_sha256'),
    policy_sha256: text(record, 'policy_sha256'),
    commitment: text(record, 'commitment'),
    reveal_after: revealAfter(record, reveal.revealDays),
    ...shownOf(record, reveal),
  };
}

/** The newest records for boundaries at or before the instant, in ascending order. */
export function gateRecords(
  archive: ArchiveReader,
  ticker: string,
  to: Instant,
  limit: number,
): Promise<readonly Emitted[]> {
  return archive.emissions({ kind: 'gate', types: [TYPE], ticker, to, knownBy: LATEST, newest: true, limit });
}

/** The index as it was recorded over a span, for comparison. */
export async function recordedIndexes(
  archive: ArchiveReader,
  ticker: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  limit: number,
): Promise<readonly number[]> {
  const records = await archive.emissions({
    kind: 'gate',
    types: [TYPE],
    ticker,
    from,
    to,
    knownBy: LATEST,
    newest: true,
    limit,
  });
  return records.map(({ body }) => body['coordination_index'] as number);
}
