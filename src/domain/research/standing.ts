// Whether a membership is exact at a point of the plane, and if not, what is missing.
import type { PendingReason, Role } from '../../contracts/research/identity-words.js';
import type { Instant } from '../../kernel/instant.js';
import type { Row } from './chain.js';
import type {
  HeldIdentifier,
  HeldInstrument,
  HeldIssuer,
  Holdings,
  InstrumentFile,
  MemberFile,
} from './holdings.js';

/** A point of the plane effective × known-at. */
export interface Point {
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

export interface NamedInstrument {
  readonly row: Row<HeldInstrument>;
  readonly identifiers: readonly Row<HeldIdentifier>[];
  readonly issuer: Row<HeldIssuer>;
}

export type Naming = NamedInstrument | { readonly missing: PendingReason };

/** Schemes that say which share it is, not only where or in which country it trades. */
const EXACT: ReadonlySet<string> = new Set(['figi_share_class', 'isin']);

export function namedAt(holdings: Holdings, file: InstrumentFile, { asOf, knownAt }: Point): Naming {
  const row = file.chain.at(asOf, knownAt);
  if (row === undefined) return { missing: 'outside_known_window' };
  const issuer = holdings.issuers.get(row.value.issuer_id)?.chain.at(asOf, knownAt);
  if (issuer === undefined) return { missing: 'issuer_unlinked' };
  const identifiers = rowsAt(file.identifiers.inOrder(), { asOf, knownAt });
  if (!identifiers.some(({ value }) => EXACT.has(value.scheme))) return { missing: 'identifier_not_found' };
  return { row, identifiers, issuer };
}

export function rowsAt<V>(
  files: readonly { readonly chain: { at(asOf: Instant, knownAt: Instant): Row<V> | undefined } }[],
  { asOf, knownAt }: Point,
): readonly Row<V>[] {
  const rows: Row<V>[] = [];
  for (const { chain } of files) {
    const row = chain.at(asOf, knownAt);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Members of a basket that are exact at the point, in the order of their ids. */
export function exactMembers(
  holdings: Holdings,
  members: Iterable<MemberFile>,
  point: Point,
): { readonly member: MemberFile; readonly row: Row<Role> }[] {
  return [...members]
    .flatMap((member) => {
      const row = member.chain.at(point.asOf, point.knownAt);
      const exact = row !== undefined && !('missing' in namedAt(holdings, member.instrument, point));
      return exact ? [{ member, row }] : [];
    })
    .sort((a, b) => (a.member.id < b.member.id ? -1 : 1));
}
