// Every number that the attention measures depend on, in one place: changing one is a new version of the ontology.
import { DAY, HOUR } from '../../kernel/instant.js';

export const ATTENTION = {
  /** Posts older than this no longer count. */
  window: DAY,
  /** Age at which a post counts half. */
  halfLife: 6 * HOUR,
  /** A post that names more tickers than this is a list: it counts for none of them. */
  maxTickersPerPost: 8,
  /** An author's n posts on a ticker count min(cap, 1 + ln n) together. */
  authorCap: 3,
  eligibility: { effectivePosts: 5, narratives: 3, authors: 3 },
  /** A source that joins a running archive is recorded, and counted only after this long. */
  sourceWarming: 14 * DAY,
  /** Sources that begin this soon after the first one belong to the founding set. */
  foundingGrace: DAY,
  sourceLevelWindow: 28 * DAY,
  nearDuplicate: {
    shingleWords: 3,
    /** Below this many words only the exact text is a duplicate. */
    shortTextWords: 4,
    jaccard: 0.7,
    /** A bottom-k MinHash sketch keeps the smallest hashes only; texts with fewer shingles are compared exactly. */
    sketchSize: 64,
    /** Pairs of neighbouring smallest hashes under which a text is found. */
    bands: 16,
    /** Newest candidates looked at per band: bounds the work that boilerplate can cause. */
    candidatesPerBand: 6,
  },
  entity: {
    /** Below this precision a ticker counts only where the platform tagged it and finance is spoken of. */
    ambiguousBelow: 0.5,
    priorPlain: 0.9,
    priorWordLike: 0.4,
    priorWeight: 4,
  },
  denominator: {
    minShares: 1e5,
    minUsd: 1e6,
    maxJump: 10,
    maxSharesAge: 200 * DAY,
    /** An older close makes the denominator stale; one older still does not count at all. */
    maxCloseAge: 10 * DAY,
    oldestClose: 30 * DAY,
    floorUsdBillions: 0.05,
  },
} as const;

/** Makes a constant posting rate measure its own 24-hour count: window / ((halfLife / ln 2) (1 − 2^(−window / halfLife))). */
export const DECAY_NORM =
  ATTENTION.window / ((ATTENTION.halfLife / Math.LN2) * (1 - 2 ** (-ATTENTION.window / ATTENTION.halfLife)));
