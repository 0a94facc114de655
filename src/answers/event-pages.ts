// Reads recorded events page by page: the newest, from an instant on, or behind a cursor.
import { Failure } from '../contracts/failures.js';
import type { Emitted } from '../domain/facts/emission.js';
import type { Clock } from '../kernel/instant.js';
import { LATEST, parseInstant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { EventCursors } from './event-cursor.js';

export interface Paging {
  readonly types?: readonly string[] | undefined;
  readonly ticker?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly Emitted[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

export interface PageParts {
  readonly archive: ArchiveReader;
  readonly cursors: EventCursors;
  readonly clock: Clock;
}

/** `list` names the list that is paged, so that a cursor of one is none of another. */
export async function readEvents(
  { archive, cursors, clock }: PageParts,
  list: string,
  { types, ticker, since, until, cursor, limit }: Paging,
): Promise<EventPage> {
  const now = clock();
  const question = {
    list,
    types: types === undefined ? null : [...new Set(types)].sort(),
    ticker: ticker ?? null,
    since: since === undefined ? null : instantOf(since, 'since'),
    // Absent from questions without it, whose cursors are older than this member.
    ...(until === undefined ? {} : { until: instantOf(until, 'until') }),
  };
  const after = cursor === undefined ? null : cursors.open(cursor, question, now);
  const newest = after === null && since === undefined;
  // One more than asked for tells whether there is more; sequences only grow, so going on behind one misses nothing.
  const found = await archive.emissions({
    kind: 'signal',
    // What is recorded is known, also by the clock of a recorder that is ahead of ours.
    knownBy: LATEST,
    ...(types === undefined ? {} : { types }),
    ...(ticker === undefined ? {} : { ticker }),
    ...(question.since === null ? {} : { from: question.since }),
    ...(question.until === undefined ? {} : { to: question.until }),
    ...(after === null ? {} : { afterSequence: after }),
    newest,
    limit: newest ? limit : limit + 1,
  });
  const events = found.slice(0, limit);
  return {
    events,
    nextCursor: cursors.issue(events.at(-1)?.sequence ?? after ?? 0, question, now),
    hasMore: found.length > limit,
  };
}

function instantOf(text: string, name: string): number {
  const at = parseInstant(text);
  if (at === null) throw new Failure('invalid_parameter', { detail: `\`${name}\` is not an instant.` });
  return at;
}
