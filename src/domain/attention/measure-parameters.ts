// Every number of the surprise, band, velocity, coordination and cascade measures: changing one is a new ontology.
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';

export const MEASURES = {
  history: {
    /** The sliding hour moves by this; a bucket that is not complete is never read. */
    step: 5 * MINUTE,
    stepsPerHour: 12,
    /** Steps kept behind the newest reading: the velocity's look-back. */
    stepsBehind: 72,
    /** Steps kept in front of it: facts may be taken this far ahead of the next reading without waiting in a list. */
    stepsAhead: 24,
    /** Hours kept: 28 days of surprises, each with 7 days before it, and a day to spare. */
    hours: 36 * 24,
    /** What a ticker's series shows: 28 days. */
    seriesHours: 28 * 24,
  },
  surprise: {
    baselineHours: 7 * 24,
    /** Counts beyond this quantile of the baseline are moved to it, so that an old burst does not hide a new one. */
    winsorAt: 0.98,
    meanFloor: 0.5,
    /** The variance is at least this many means: without it the model would be Poisson, which cries wolf. */
    overdispersionFloor: 1.05,
    cap: 16,
    calibration: {
      hours: 28 * 24,
      /** The rate of surprises this large is compared with what the model says it is. */
      exceedance: 3,
      nominalRate: 1e-3,
      /** A burst is over after this many hours without an exceedance; only the hour that opens it counts. */
      closedAfter: 3,
    },
    /** Who takes part in the discovery control of a step: tickers with this many mentions in the day up to it. */
    family: { hours: 24, mentions: 5 },
  },
  ewma: {
    fast: 0.3,
    slow: 0.01,
    /** A single hour moves the slow mean and variance by at most this many deviations. */
    clip: 3,
    varianceFloor: 0.02,
    hours: 28 * 24,
    /** The slow mean and variance start from these first hours. */
    startHours: 24,
  },
  bands: {
    /** Complete hours of observation below which nothing is said, and below which a band is still warming. */
    insufficientBelow: 7 * 24,
    warmingBelow: 28 * 24,
    quietBelow: 0.05,
    elevated: 2,
    high: 3,
    extreme: 6,
    trend: 3,
    discovery: 0.01,
    /** A band falls when this many steps in a row are below it … */
    stepsBelow: 3,
    /** … and at least two hours after it was raised. */
    dwellSteps: 24,
  },
  velocity: {
    halfLife: HOUR,
    days: 14,
    /** With fewer days of the same clock hour there is no typical hour yet. */
    minDays: 7,
    offset: 0.5,
  },
  coordination: {
    window: DAY,
    minPosts: 20,
    minAuthors: 10,
    minComponents: 3,
    /** Posts of the same object this close together are shared together. */
    together: MINUTE,
    youngBelow: 60 * DAY,
    /** Accounts of one creation week that chance alone explains. */
    weekAllowance: 2,
    /** Account ages count when the provider gives them for at least this share of the authors. */
    minAgeCoverage: 0.5,
    components: {
      co_share_60s: { low: 0.05, high: 0.4, weight: 0.6 },
      creation_week: { low: 0.08, high: 0.4, weight: 0.5 },
      narrative_top: { low: 0.15, high: 0.6, weight: 0.4 },
      young_accounts: { low: 0.15, high: 0.5, weight: 0.4 },
      sync_excess: { low: 0, high: 0.3, weight: 0.2 },
    },
    bootstrap: { draws: 200, coverage: 0.9 },
  },
  cascade: {
    minEvents: 100,
    maxBranching: 0.99,
    cascading: 0.3,
    selfSustaining: 0.8,
    /** The shortest and longest time constants that are tried, in seconds. */
    minTau: 1,
    maxTau: 86_400,
  },
} as const;
