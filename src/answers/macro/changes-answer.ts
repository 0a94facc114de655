// The answer of get_signal_changes: what changed from edition to edition, page by page.
import { Failure } from '../../contracts/failures.js';
import {
  type getSignalChanges,
  type SignalChanges,
  USUAL_CHANGES,
} from '../../contracts/macro/signal-changes.js';
import type { InputOf } from '../../contracts/operation.js';
import type { MacroChange } from '../../domain/macro/changes.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { DAY, formatInstant, SECOND } from '../../kernel/instant.js';
import type { EventCursors } from '../event-cursor.js';
import type { Editions } from './editions.js';
import type { ChangesAt } from './macro-desk.js';
import { provenanceOf } from './provenance.js';

const USUAL_SPAN = 7 * DAY;
const LONGEST_SPAN = 90 * DAY;
/** An edition has fewer changes than this: two per index, one per gauge and narrative, regime and market. */
const PER_EDITION = 1_000;

interface Placed {
  /** Grows with time: the second of the edition, then the place among its changes. */
  readonly place: number;
  readonly change: MacroChange;
}

export interface ChangesParts {
  readonly editions: Editions;
  readonly cursors: EventCursors;
  readonly clock: Clock;
  readonly instantOf: (text: string) => Promise<Instant>;
}

function placed(editions: readonly ChangesAt[]): Placed[] {
  return editions.flatMap(({ at, changes }) =>
    changes.map((change, i) => ({ place: Math.floor(at / SECOND) * PER_EDITION + i, change })),
  );
}

export function changesAnswer({ editions, cursors, clock, instantOf }: ChangesParts) {
  /** Where to look from: behind the cursor, from `since`, or over the usual span. */
  async function beginning(since: string | null | undefined, after: number | null, at: Instant) {
    const asked = typeof since === 'string' ? await instantOf(since) : at - USUAL_SPAN;
    // The edition of the cursor is looked at again: a page may have ended in the middle of it.
    const from = after === null ? asked : Math.floor(after / PER_EDITION) * SECOND - 1;
    if (at - from > LONGEST_SPAN) {
      throw after === null
        ? new Failure('as_of_out_of_range', { detail: '`since` may lie at most 90 days back.' })
        : new Failure('cursor_expired');
    }
    return Math.min(from, at);
  }

  return async (input: InputOf<typeof getSignalChanges>): Promise<SignalChanges> => {
    const { since, cursor } = input;
    if (typeof since === 'string' && typeof cursor === 'string') {
      const detail = 'Give `since` to begin or `cursor` to go on, not both: a cursor knows where it stands.';
      throw new Failure('invalid_parameter', { detail });
    }
    const answering = await editions.answering(null);
    const now = clock();
    const question = {
      list: 'macro changes',
      kinds: input.kinds ? [...new Set(input.kinds)].sort() : null,
      families: input.families ? [...new Set(input.families)].sort() : null,
    };
    const after = typeof cursor === 'string' ? cursors.open(cursor, question, now) : null;
    const to = answering.held.at;
    const from = await beginning(since, after, to);
    const kinds = new Set<string>(input.kinds ?? []);
    const families = new Set<string>(input.families ?? []);
    const isAsked = ({ place, change: { kind, family } }: Placed): boolean =>
      (after === null || place > after) &&
      (kinds.size === 0 || kinds.has(kind)) &&
      (families.size === 0 || (family !== null && families.has(family)));
    const found = placed(await editions.atDesk((desk) => desk.changes(from, to))).filter(isAsked);
    const limit = input.limit ?? USUAL_CHANGES;
    const page = found.slice(0, limit);
    // Where nothing more is there, the cursor stands behind everything that was looked at.
    const end =
      found.length > limit ? page.at(-1)!.place : Math.floor(to / SECOND) * PER_EDITION + PER_EDITION - 1;
    return {
      events: page.map(({ place, change }) => ({
        id: `${place}`,
        ts: formatInstant(change.at),
        kind: change.kind,
        subject: change.subject,
        from: change.from,
        to: change.to,
        z: change.z,
        evidence: change.evidence,
      })),
      next_cursor: cursors.issue(end, question, now),
      truncated: found.length > limit,
      since: formatInstant(from),
      ...provenanceOf(answering),
    };
  };
}
