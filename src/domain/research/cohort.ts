// The hub identity cohort packet at one point of the plane, in its canonical form and with its digest.
import { createHash } from 'node:crypto';
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import { REPLACEMENT, RETIRED_ROUTES } from '../../contracts/research/retired.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { formatInstant } from '../../kernel/instant.js';
import { shown } from './chain.js';
import { type CohortRows, cohortRows } from './cohort-rows.js';
import { viewText } from './consumer-views.js';
import { coverageOf } from './coverage.js';
import type { Holdings } from './holdings.js';
import { listText, memberTexts, objectPieces } from './object-text.js';
import { basketText, sourceText } from './shown-rows.js';
import { type Point, rowsAt } from './standing.js';

type Packet = HubPitIdentityCohort;

const BOUNDARY: Omit<Packet['boundary'], 'packet_digest'> = {
  use: 'cited_context_only',
  score_exported: false,
  rank_exported: false,
  vote_exported: false,
  basket_relative_strength_exported: false,
  trading_authority: false,
  investment_advice: false,
  ticker_text_join: false,
  stored_dossier_served: false,
  cache: 'no-store',
  canonical_form: 'rfc8785-jcs',
  retired_routes: RETIRED_ROUTES.map(({ method, path }) => `${method} ${path}`).sort(),
};

/** Small lists are written anew, large ones from the kept texts of their rows. */
type Large = 'source_inputs' | 'baskets' | 'bindings' | 'consumer_views';

/** The packet as RFC 8785 text: it is hashed and sent in this form, so that no object is made of it in between. */
export function cohortBytes(holdings: Holdings, point: Point): Buffer {
  const rows = cohortRows(holdings, point);
  const small: Omit<Packet, Large | 'boundary'> = {
    schema: REPLACEMENT.schema,
    status: statusOf(holdings, point, rows),
    as_of: formatInstant(point.asOf),
    as_known_at: formatInstant(point.knownAt),
    coverage: coverageOf(rows),
    typed_pending_bindings: [...rows.pendings],
    prospective_hypothesis_bindings: rows.hypotheses,
  };
  const large: Record<Large, string | Buffer> = {
    source_inputs: listText(rows.sources.map((row) => shown(row, sourceText))),
    baskets: listText(rows.baskets.map((row) => shown(row, basketText))),
    bindings: rows.bindingBytes,
    consumer_views: listText(rowsAt(holdings.views.inOrder(), point).map((row) => viewText(row, rows))),
  };
  const members = { ...memberTexts(small), ...large };
  const pieces = (boundary: object): (string | Buffer)[] =>
    objectPieces({ ...members, boundary: canonicalJson(boundary) });
  // The digest stands inside what it is over, and is over everything but itself.
  const hash = createHash('sha256');
  for (const piece of pieces(BOUNDARY)) hash.update(piece);
  const boundary: Packet['boundary'] = { ...BOUNDARY, packet_digest: `sha256:${hash.digest('hex')}` };
  return Buffer.concat(
    pieces(boundary).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}

/** A function of what the packet holds, and of nothing before it. */
function statusOf(holdings: Holdings, { asOf, knownAt }: Point, rows: CohortRows): Packet['status'] {
  const usable = holdings.sources.inOrder().some(({ chain }) => {
    const state = chain.at(asOf, knownAt)?.value.state;
    return state === 'used' || state === 'stale';
  });
  if (!usable) return 'unavailable';
  const open = rows.pendings.length > 0;
  if (rows.bindings.length === 0) return open ? 'pending' : 'ready';
  return open || rows.sources.some(({ value }) => value.state !== 'used') ? 'partial' : 'ready';
}
