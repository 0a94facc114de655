// Reads one event of the identity register from a line.
import type { z } from 'zod';
import { IdentityLine } from '../../contracts/research/identity-events.js';
import type { Report } from '../../domain/facts/fact.js';
import type { Identity } from '../../domain/facts/identity.js';
import { ImpossibleEvent, identityReport } from '../../domain/facts/identity-event.js';
import { NotCanonical } from '../../kernel/canonical-json.js';
import { refuse } from './fields.js';
import { notAhead } from './moments.js';
import type { RecordKind } from './record-kind.js';

/** Without `known_at` an event has no release time yet: it is given one when it is admitted. */
export const IDENTITY_RECORD: RecordKind<Report<Identity>> = {
  required: ['event', 'event_id'],
  optional: [],
  jsonOnly: true,
  read(record, { now, source }) {
    const line = IdentityLine.safeParse(record);
    if (!line.success) return refuse(reason(line.error));
    try {
      const report = identityReport(line.data, source);
      if (report.releasedAt !== undefined) notAhead(report.releasedAt, now, 'known_at');
      return report;
    } catch (error) {
      if (error instanceof ImpossibleEvent) return refuse(error.message);
      if (error instanceof NotCanonical) return refuse('the event holds half a surrogate pair');
      throw error;
    }
  },
};

/** Names members and what is allowed there, never what the line holds. */
function reason({ issues }: z.ZodError): string {
  const { path, code, message } = issues[0]!;
  if (code === 'unrecognized_keys') return 'the event has a member that it should not have';
  const name = path.join('.') || 'the event';
  if (code === 'custom') return `${name} ${message}`;
  return `${name} is missing or not acceptable`;
}
