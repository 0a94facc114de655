// What every body of surface B says about where it comes from.
import type { MacroReceipt } from '../../contracts/macro/receipt.js';
import { MACRO_CONTRACT } from '../../contracts/macro/vocabulary.js';
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import { type Answering, STANDS_FOR } from './editions.js';

export const BOUNDARY =
  'Measurement, not advice: it describes how what is known stands now. It does not forecast.';

export function instantText(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

type Freshness = 'live' | 'delayed' | 'stale' | 'warming' | 'replay' | 'fixture';

export function freshnessOf({ held, asOf, at }: Answering): Freshness {
  if (held.origin.isFixture) return 'fixture';
  if (asOf !== null) return 'replay';
  return at - held.at >= STANDS_FOR ? 'stale' : held.frame.freshness;
}

export function provenanceOf(answering: Answering) {
  const { held, asOf } = answering;
  return {
    as_of: formatInstant(asOf ?? held.at),
    known_at: instantText(held.frame.newestKnownAt),
    snapshot_id: held.frame.fingerprint,
    freshness: freshnessOf(answering),
    contract_version: MACRO_CONTRACT,
  };
}

export function receiptOf({ held, asOf }: Answering): MacroReceipt {
  const { frame, origin } = held;
  return {
    as_of: formatInstant(asOf ?? held.at),
    edition_at: formatInstant(held.at),
    edition_sha256: frame.fingerprint,
    stated: origin.logIndex !== null,
    log_index: origin.logIndex,
    archive_high_water: origin.highWater,
    newest_known_at: instantText(frame.newestKnownAt),
    lookahead: false,
    knowledge: origin.knowledge,
    model_version: origin.modelVersion,
    model_sha256: origin.modelSha256,
  };
}
