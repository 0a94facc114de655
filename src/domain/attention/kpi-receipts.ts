// Compact receipts of KPI values: which definition, which knowledge, which inputs, and whether it could be measured.
import { fingerprint } from '../../kernel/fingerprint.js';
import type { Row } from '../facts/frame.js';
import type { KpiId, KpiState } from './ontology.js';

/** The value at a path such as `receipt.frame_sha256`; null where there is none. */
function memberAt(body: object, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined,
      body,
    );
  return found ?? null;
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of one object whose names are the paths and whose values are what stands
 * there in the served body. Whoever holds the body and the catalogue can do the same.
 */
export function inputsSha256(body: object, members: readonly string[]): string {
  return fingerprint(Object.fromEntries(members.map((path) => [path, memberAt(body, path)])));
}

/** Why a value of a row can or cannot be relied on. */
export function kpiStateOf(id: KpiId, row: Row): KpiState {
  switch (id) {
    case 'attention_density':
      if (row.state === 'insufficient') return 'insufficient';
      return row.density === null ? 'unavailable' : 'measured';
    case 'attention_share':
      return row.share === null ? 'insufficient' : 'measured';
    case 'attention_velocity':
      if (row.velocity !== null) return 'measured';
      return row.state === 'insufficient' ? 'insufficient' : 'warming';
    case 'attention_surprise':
      if (row.state === 'insufficient') return 'insufficient';
      return row.surprise === null || row.band === 'warming' || row.band === 'insufficient'
        ? 'warming'
        : 'measured';
    case 'voice_independence':
      if (row.independence !== null) return 'measured';
      return row.posts === 0 ? 'insufficient' : 'unavailable';
  }
}
