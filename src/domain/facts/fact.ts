// A fact is something that became known; it is appended once and never changed.
import type { Instant } from '../../kernel/instant.js';
import type { Identity } from './identity.js';
import type { Post, PostChange } from './post.js';

/** When a fact is true of the world, when we learned it, and its place in the order of appends. */
export interface Stamp {
  readonly sequence: number;
  readonly knownAt: Instant;
  readonly effectiveAt: Instant;
  readonly source: string;
  /** True when `knownAt` is the provider's or the file's release time instead of the instant of the append. */
  readonly backfilled: boolean;
}

export interface Asset {
  readonly kind: 'asset';
  readonly ticker: string;
  readonly name: string;
  readonly sector: string | null;
  readonly assetKind: string;
}

/** Posts per ticker and time bucket, from a source that shows no posts. */
export interface Count {
  readonly kind: 'count';
  readonly ticker: string;
  readonly bucketStart: Instant;
  readonly bucketSeconds: number;
  readonly posts: number;
  readonly authors: number | null;
}

/** One trading day; `effectiveAt` of the fact is the close. */
export interface Price {
  readonly kind: 'price';
  readonly ticker: string;
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export type SharesBasis = 'consolidated' | 'per_class_sum' | 'vendor';

export interface Shares {
  readonly kind: 'shares';
  readonly ticker: string;
  readonly shares: number;
  readonly basis: SharesBasis;
}

/** `ratio` new shares for one old share, from `effectiveAt` of the fact on. */
export interface Split {
  readonly kind: 'split';
  readonly ticker: string;
  readonly ratio: number;
}

/** One value of a provider's series for a reference period; revisions are further facts. */
export interface SeriesObservation {
  readonly kind: 'series';
  readonly series: string;
  readonly date: string;
  readonly value: number;
}

export type FactBody =
  | Asset
  | Count
  | Identity
  | Post
  | PostChange
  | Price
  | SeriesObservation
  | Shares
  | Split;
export type FactKind = FactBody['kind'];
export type BodyOf<K extends FactKind> = Extract<FactBody, { kind: K }>;

/** A body on its way into the archive. `releasedAt` is present exactly when the fact is backfilled or imported. */
export interface Report<B extends FactBody = FactBody> {
  readonly source: string;
  readonly effectiveAt: Instant;
  readonly releasedAt?: Instant;
  readonly body: B;
}

export type Fact<B extends FactBody = FactBody> = Stamp & { readonly body: B };
export type FactOf<K extends FactKind> = Fact<BodyOf<K>>;
