// Every number that the scorecards depend on; they stand in each document that was made with them.
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';

export const VALIDATION = {
  /** The grid point of a session is the newest frame this long before its close. */
  gridLead: 5 * MINUTE,
  /** An older frame says nothing about the session. */
  maxFrameAge: 6 * HOUR,
  /** From the moment a frame is known until somebody could have acted on it. */
  latency: MINUTE,
  /** A frame recorded later than this after its boundary was computed in hindsight: simulated, never observed. */
  hindsight: HOUR,
  /** How long after a close its price may still be under way. */
  settlement: 12 * HOUR,
  /** Sessions without a price after which a ticker is taken for another instrument. */
  identityGap: 10,
  minNames: 30,
  minDays: 60,
  minTerms: 8,
  minCoverage: 0.5,
  referenceIc: 0.02,
  equivalence: 0.01,
  falseDiscoveryRate: 0.1,
  significance: 0.05,
  wantedPower: 0.8,
  bootstrapDraws: 500,
  /** Shares of the names with a band that are elevated, high or extreme. */
  activeFrom: 0.05,
  stressedFrom: 0.15,
} as const;

export const REPUTATION = {
  /** An interaction counts half after this time. */
  halfLife: 30 * DAY,
  /** Older interactions weigh under a tenth and are left out. */
  lookback: 120 * DAY,
  /** How long a post can be passed on and still be found again. */
  repostSpan: 14 * DAY,
  capPerPairAndDay: 3,
  /** Share of the trust that comes from the pre-trusted accounts in every step. */
  alpha: 0.15,
  tolerance: 1e-9,
  preTrustAge: 180 * DAY,
  preTrustActiveDays: 30,
  /** Cells with fewer authors are not shown. */
  minAuthors: 20,
  /** Weights are scores relative to the mean score, cut here so that one account cannot be a crowd. */
  largestWeight: 10,
  activityWindow: DAY,
  /** The newest grid points, over which the worth of the weights is tested. */
  evaluatedSessions: 120,
  permutations: 99,
  permutedSessions: 60,
  sybils: [10, 100, 1_000],
  boughtEdges: 10,
} as const;
