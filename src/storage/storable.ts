// What a report must hold so that every store can give it back unchanged; anything else is refused before it is written.
import type { FactBody, Report } from '../domain/facts/fact.js';
import type { Claim } from '../domain/facts/identity.js';
import { EARLIEST, LATEST, parseDay } from '../kernel/instant.js';

export class Unstorable extends Error {
  constructor(what: string, member: string) {
    super(`a ${what} cannot be stored: ${member} is not acceptable`);
    this.name = 'Unstorable';
  }
}

/** Keyed hashes have 52 bits, so that no driver turns them into a float or a big integer. */
const HASHES = 2 ** 52;
const KEY_LENGTH = 512;
const TEXT_LENGTH = 65_536;

const CHANGES: ReadonlySet<string> = new Set(['deleted', 'edited', 'suppressed', 'restored']);
const BASES: ReadonlySet<string> = new Set(['consolidated', 'per_class_sum', 'vendor']);
const FORMS: ReadonlySet<string> = new Set(['tagged', 'cashtag', 'bare']);

export const instant = (x: number): boolean => Number.isSafeInteger(x) && x >= EARLIEST && x <= LATEST;
const count = (x: number): boolean => Number.isSafeInteger(x) && x >= 0;
const hash = (x: number): boolean => Number.isInteger(x) && x >= 0 && x < HASHES;
/** Older than the type library that names it. */
export const isWellFormed = (x: string): boolean =>
  (x as string & { isWellFormed(): boolean }).isWellFormed();
/** A NUL ends text in one engine, half a surrogate pair has no UTF-8 in any. */
const text = (x: string): boolean =>
  typeof x === 'string' && x.length <= TEXT_LENGTH && !x.includes('\0') && isWellFormed(x);
export const key = (x: string): boolean => x !== '' && text(x) && x.length <= KEY_LENGTH;
const day = (x: string): boolean => parseDay(x) !== null;
const finite = (x: number): boolean => Number.isFinite(x);
const orNull =
  <T>(accept: (x: T) => boolean) =>
  (x: T | null): boolean =>
    x === null || accept(x);

const instantOrNull = orNull(instant);
const claim = ({ subject, from, to, holds }: Claim): boolean =>
  key(subject) && instant(from) && (to === null || (instant(to) && to > from)) && typeof holds === 'boolean';
const countOrNull = orNull(count);
const keyOrNull = orNull(key);
const textOrNull = orNull(text);

export function requireStorable(report: Report): void {
  const fault = reportFault(report) ?? bodyFault(report.body);
  if (fault !== null) throw new Unstorable(`${report.body.kind} fact`, fault);
}

function reportFault(report: Report): string | null {
  if (!key(report.source)) return 'source';
  if (!instant(report.effectiveAt)) return 'effectiveAt';
  if (report.releasedAt !== undefined && !instant(report.releasedAt)) return 'releasedAt';
  return null;
}

function bodyFault(body: FactBody): string | null {
  switch (body.kind) {
    case 'post':
      if (!key(body.provider)) return 'provider';
      if (!key(body.id)) return 'id';
      if (!hash(body.author)) return 'author';
      if (!hash(body.narrative)) return 'narrative';
      if (!body.objects.every(hash)) return 'objects';
      if (!body.mentions.every((m) => key(m.ticker) && FORMS.has(m.form))) return 'mentions';
      if (!(body.shingles instanceof Uint32Array)) return 'shingles';
      if (typeof body.providerTags !== 'boolean') return 'providerTags';
      if (typeof body.financeContext !== 'boolean') return 'financeContext';
      if (!text(body.excerpt)) return 'excerpt';
      if (!keyOrNull(body.lang)) return 'lang';
      if (!instantOrNull(body.authorCreatedAt)) return 'authorCreatedAt';
      if (!countOrNull(body.followers)) return 'followers';
      if (!countOrNull(body.likes)) return 'likes';
      if (!countOrNull(body.reposts)) return 'reposts';
      return countOrNull(body.replies) ? null : 'replies';
    case 'post_change':
      if (!key(body.provider)) return 'provider';
      if (!key(body.id)) return 'id';
      if (!CHANGES.has(body.change)) return 'change';
      return textOrNull(body.excerpt) ? null : 'excerpt';
    case 'asset':
      if (!key(body.ticker)) return 'ticker';
      if (!text(body.name)) return 'name';
      if (!keyOrNull(body.sector)) return 'sector';
      return key(body.assetKind) ? null : 'assetKind';
    case 'count':
      if (!key(body.ticker)) return 'ticker';
      if (!instant(body.bucketStart)) return 'bucketStart';
      if (!count(body.bucketSeconds)) return 'bucketSeconds';
      if (!count(body.posts)) return 'posts';
      return countOrNull(body.authors) ? null : 'authors';
    case 'price':
      if (!key(body.ticker)) return 'ticker';
      if (!day(body.date)) return 'date';
      for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
        if (!finite(body[name])) return name;
      }
      return null;
    case 'shares':
      if (!key(body.ticker)) return 'ticker';
      if (!finite(body.shares)) return 'shares';
      return BASES.has(body.basis) ? null : 'basis';
    case 'split':
      if (!key(body.ticker)) return 'ticker';
      return finite(body.ratio) && body.ratio > 0 ? null : 'ratio';
    case 'series':
      if (!key(body.series)) return 'series';
      if (!day(body.date)) return 'date';
      return finite(body.value) ? null : 'value';
    case 'identity':
      if (!key(body.id)) return 'id';
      if (!text(body.event)) return 'event';
      return body.claims.every(claim) ? null : 'claims';
    default:
      return 'kind';
  }
}
