// Which rows stand at a point of the plane, and which memberships are exact there.
import type { Role } from '../../contracts/research/identity-words.js';
import type { Instant } from '../../kernel/instant.js';
import type { Row } from './chain.js';
import type { InstrumentFile, MemberFile } from './holdings.js';

/** A point of the plane effective × known-at. */
export interface Point {
  readonly asOf: Instant;
  readonly knownAt: Instant;
}

/** Schemes that say which share it is, not only where or in which country it trades. */
export const EXACT: readonly string[] = ['figi_share_class', 'isin'];

function isExact(file: InstrumentFile, { asOf, knownAt }: Point): boolean {
  const issuer = file.chain.at(asOf, knownAt)?.value.issuer;
  if (issuer?.chain.at(asOf, knownAt) === undefined) return false;
  return EXACT.some((scheme) => file.identifiers.get(scheme)?.chain.at(asOf, knownAt) !== undefined);
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
  members: Iterable<MemberFile>,
  point: Point,
): { readonly member: MemberFile; readonly row: Row<Role> }[] {
  return [...members]
    .flatMap((member) => {
      const row = member.chain.at(point.asOf, point.knownAt);
      return row !== undefined && isExact(member.instrument, point) ? [{ member, row }] : [];
    })
    .sort((a, b) => (a.member.id < b.member.id ? -1 : 1));
}
