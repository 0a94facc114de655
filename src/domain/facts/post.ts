// What is kept of a public post: who (keyed), about which tickers, how it reads as a sketch, and a bounded excerpt.
import type { Instant } from '../../kernel/instant.js';

/** How a ticker was recognised: by the platform's own entity, by `$TICK` in the text, or by a bare upper-case word. */
export type MentionForm = 'tagged' | 'cashtag' | 'bare';

export interface Mention {
  readonly ticker: string;
  readonly form: MentionForm;
}

export interface Post {
  readonly kind: 'post';
  readonly provider: string;
  readonly id: string;
  /** 52-bit keyed hash of the provider's author id; the id itself is never stored. */
  readonly author: number;
  readonly mentions: readonly Mention[];
  /** Whether the provider tags cashtags itself: only there does an untagged mention speak against the ticker. */
  readonly providerTags: boolean;
  readonly financeContext: boolean;
  /** Sorted distinct hashes of the text's word shingles: enough to find near duplicates, not to read the post. */
  readonly shingles: Uint32Array;
  /** The near-duplicate cluster: the 52-bit key of the post that opened it. */
  readonly narrative: number;
  /** 52-bit hashes of what the post passes on: the reposted post and canonical links. */
  readonly objects: readonly number[];
  readonly excerpt: string;
  readonly lang: string | null;
  readonly authorCreatedAt: Instant | null;
  readonly followers: number | null;
  readonly likes: number | null;
  readonly reposts: number | null;
  readonly replies: number | null;
}

/** What happened to a post after it was counted. Changes the evidence, never a count. */
export interface PostChange {
  readonly kind: 'post_change';
  readonly provider: string;
  readonly id: string;
  readonly change: 'deleted' | 'edited' | 'suppressed' | 'restored';
  readonly excerpt: string | null;
}

/** A post as a connector reads it: full text and plain author id, which live in memory only. */
export interface PostReport {
  readonly provider: string;
  readonly id: string;
  readonly authorId: string;
  readonly createdAt: Instant;
  readonly releasedAt?: Instant;
  readonly text: string;
  readonly taggedTickers: readonly string[];
  readonly providerTags: boolean;
  readonly repostOf: string | null;
  readonly urls: readonly string[];
  readonly lang: string | null;
  readonly authorCreatedAt: Instant | null;
  readonly followers: number | null;
  readonly likes: number | null;
  readonly reposts: number | null;
  readonly replies: number | null;
}
