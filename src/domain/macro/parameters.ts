// Every number that the macro measures depend on, in one place: changing one changes the version below.
import { DAY, HOUR } from '../../kernel/instant.js';
import type { Frequency } from './release-clock.js';

export const MACRO_VERSION = '1.0.0';

export const ROBUST = {
  /** Observations before an index is compared with itself. */
  minimum: { D: 504, D7: 504, W: 156, M: 36, Q: 16 } satisfies Record<Frequency, number>,
  /** History older than this fades out. */
  capDays: Math.round(15 * 365.25),
  madFactor: 1.4826,
  /** Keeps series that sit at a constant for years from exploding. */
  spreadFloor: 0.25,
  displayClip: 4,
  scoreClip: 3,
  /** A wind begins at `enter` and ends at `leave`. */
  wind: { enter: 0.5, leave: 0.3 },
} as const;

/** How fast an overdue value loses weight. Five business days are a calendar week. */
export const AGE = {
  halfLife: { D: 7 * DAY, D7: 7 * DAY, W: 10 * DAY, M: 45 * DAY, Q: 100 * DAY } satisfies Record<
    Frequency,
    number
  >,
  /** Release calendars slip by hours or days; only what is later than this is overdue. */
  grace: { D: 18 * HOUR, D7: 36 * HOUR, W: 2 * DAY, M: 5 * DAY, Q: 15 * DAY } satisfies Record<
    Frequency,
    number
  >,
  /** Overdue by this many half-lives, an index no longer counts. */
  staleHalfLives: 3,
  /** A refitted composite without its own archive of first releases counts at most half. */
  latestOnlyWeight: 0.5,
} as const;

/** Business days by which the latest daily input may be late. */
export const FRESHNESS = { live: 1, delayed: 3 } as const;

export const GAUGE = {
  steepness: 0.8,
  enter: { riskOn: 60, riskOff: 40 },
  leave: { riskOn: 57, riskOff: 43 },
  stressMean: -2,
} as const;

export const REGIME = {
  weights: {
    growth: { growth: 0.6, labour: 0.4 },
    inflation: { inflation: 1 },
    liquidity: { liquidity: 0.5, credit: 0.3, rates: 0.2 },
    stress: { stress: 0.5, volatility: 0.5 },
  },
  /** An axis changes side when it is this far beyond and stays there, or when it is `jump` beyond once. */
  pass: 0.25,
  jump: 0.75,
  holdSteps: 5,
  dwellSteps: 10,
  easy: 0.35,
  stressEnter: 1.75,
  stressLeave: 1,
  probabilityScale: 0.5,
  /** Two quadrants this close in probability are a transition, which ends when they are twice as far apart. */
  transitionMargin: 0.05,
  /** Undecided for this long before the label says so: an axis that only passes through is not in transition. */
  transitionSteps: 10,
  /** What one switch costs in the cross-check, in units of log probability. */
  jumpPenalty: 12,
} as const;

export const NARRATIVE = {
  attentionWeight: 0.6,
  driverWeight: 0.4,
  attentionWeeks: 156,
  attentionMinimum: 52,
  attentionFloor: 0.15,
  attentionClip: 5,
  momentumSteps: 5,
  holdSteps: 3,
  dwellSteps: 5,
  topRank: 3,
  topSteps: 10,
  contestedSteps: 10,
  /** Longer without any measurement, and a narrative is warming again. */
  blankSteps: 5,
  edgeWeeks: 156,
  edgeShrink: 26,
  edgeCorrelation: 0.7,
  edgeMinimum: 0.3,
  edgesPerNode: 5,
} as const;

export const EXPOSURE = {
  weeks: 156,
  halfLifeWeeks: 52,
  /** Fewer weekly returns than this leave only the sector's prior. */
  minimumWeeks: 52,
  /** Histories are fitted in steps of a quarter, so that assets of like age share one factorisation. */
  bucketWeeks: 13,
  /** Members of a family count towards its factor from this many weekly moves on. */
  memberWeeks: 52,
  moveClip: 4,
  /** Share of the weighted sample added to the diagonal. */
  ridge: 0.02,
  huber: 1.345,
  huberPasses: 2,
  /** Rounds in which missing weeks settle on the fit. */
  gapPasses: 3,
  /** Cross-section of betas where a family has no measured sectors, in basis points. */
  typicalSpread: 25,
  /** The true spread of betas inside a sector is taken as at least this share of the spread between sectors. */
  spreadFloor: 0.25,
  sectorMinimum: 5,
  /** Betas of this many standard deviations count as full exposure: tanh(b / (scale · sd)). */
  tanhScale: 0.5,
} as const;

export const SCORE = {
  /** Set so that scores pooled over assets and weeks spread by about 14 points. */
  steepness: 1.05,
  headwindBelow: 45,
  drivers: 8,
  /** Share of all movement below which a driver is neutral. */
  neutralWeight: 0.01,
  priorReliability: 0.5,
  priorConfidence: 35,
} as const;

export const THEME = {
  /** Correlations of this size are ordinary: exposure = tanh(correlation / this). */
  typicalCorrelation: 0.25,
  priorCorrelation: 0.25,
  spread: 0.2,
  minimumImpact: 0.05,
  most: 8,
} as const;
