// What each consumer may join on: some of the bindings, and a count of what the view leaves out.
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { EventOf } from '../../contracts/research/identity-events.js';
import { sha256Hex } from '../../kernel/fingerprint.js';
import type { Row } from './chain.js';
import type { CohortRows } from './cohort-rows.js';
import { listText, memberTexts, objectText } from './object-text.js';

type View = HubPitIdentityCohort['consumer_views'][number];
type Reason = View['omitted'][number]['reason'];

export function viewText(row: Row<EventOf<'view'>>, { bindings, pendings }: CohortRows): string {
  const { view_id, consumer, join_on } = row.value;
  const roles = [...new Set(row.value.roles)].sort();
  const omitted = new Map<Reason, number>();
  const omit = (reason: Reason): void => void omitted.set(reason, (omitted.get(reason) ?? 0) + 1);
  const members: string[] = [];
  for (const { id, revision, role } of bindings) {
    if (roles.includes(role)) members.push(`{"binding_id":"${id}","revision":${revision}}`);
    else omit('role_not_in_view');
  }
  for (const { requested_role, reason } of pendings) {
    omit(roles.includes(requested_role) ? reason : 'role_not_in_view');
  }
  const view: Omit<View, 'members' | 'digest'> = {
    view_id,
    consumer,
    join_on,
    join_forbidden: ['ticker_text'],
    roles,
    omitted: [...omitted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => ({ reason, count })),
  };
  const texts = { ...memberTexts(view), members: listText(members) };
  return objectText({ ...texts, digest: `"sha256:${sha256Hex(objectText(texts))}"` });
}
