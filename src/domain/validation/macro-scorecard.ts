// How the structure score of assets goes with their returns, before and after: the honest scorecard of a description.
import { equalWeightedCosine } from '../../kernel/statistics/equal-weighted-cosine.js';
import { defaultNeweyWestLag, neweyWestMean } from '../../kernel/statistics/newey-west.js';
import { spearman } from '../../kernel/statistics/spearman.js';
import { studentTQuantile } from '../../kernel/statistics/student-t.js';

/** Weeks of returns that scores are held against. */
export const HORIZONS = [
  { direction: 'trailing', weeks: 4 },
  { direction: 'trailing', weeks: 13 },
  { direction: 'forward', weeks: 1 },
  { direction: 'forward', weeks: 4 },
  { direction: 'forward', weeks: 13 },
] as const;
export type Horizon = (typeof HORIZONS)[number];

/** One week: the scores of all assets, and by place of the horizon their returns. NaN where something is not known. */
export interface ScoredWeek {
  readonly scores: ArrayLike<number>;
  readonly returns: readonly ArrayLike<number>[];
}

export interface HorizonCard {
  readonly direction: Horizon['direction'];
  readonly weeks: number;
  /** Weeks in which enough assets had both. */
  readonly sections: number;
  /** Of assets in such a week. */
  readonly meanAssets: number;
  /** Mean of the weekly rank correlations; null without any. */
  readonly meanIc: number | null;
  /** 95 % interval by equal-weighted cosines, which stay honest when returns overlap; null with too few weeks. */
  readonly interval: readonly [number, number] | null;
  readonly p: number | null;
  readonly effectiveWeeks: number | null;
  readonly neweyWest: { readonly se: number; readonly t: number; readonly lag: number } | null;
}

export interface MacroScorecard {
  readonly weeks: number;
  readonly horizons: readonly HorizonCard[];
  readonly sentence: string;
}

/** Fewer assets than this in a week rank nothing. */
const FEWEST_ASSETS = 8;
/** Fewer weeks than this give no interval. */
const FEWEST_WEEKS = 12;

export function macroScorecard(weeks: readonly ScoredWeek[]): MacroScorecard {
  const horizons = HORIZONS.map((horizon, place) => cardOf(horizon, place, weeks));
  return { weeks: weeks.length, horizons, sentence: sentenceOf(horizons) };
}

function cardOf(
  { direction, weeks: length }: Horizon,
  place: number,
  weeks: readonly ScoredWeek[],
): HorizonCard {
  const found: number[] = [];
  let assets = 0;
  for (const { scores, returns } of weeks) {
    const pairs = knownPairs(scores, returns[place]!);
    if (pairs.x.length < FEWEST_ASSETS) continue;
    const ic = spearman(pairs.x, pairs.y);
    // A week in which all scores are equal ranks nothing.
    if (Number.isNaN(ic)) continue;
    found.push(ic);
    assets += pairs.x.length;
  }
  const head = {
    direction,
    weeks: length,
    sections: found.length,
    meanAssets: found.length === 0 ? 0 : assets / found.length,
  };
  const mean = found.length === 0 ? null : found.reduce((sum, ic) => sum + ic, 0) / found.length;
  const test = equalWeightedCosine(found, { horizon: length });
  if (found.length < FEWEST_WEEKS || !Number.isFinite(test.se))
    return { ...head, meanIc: mean, interval: null, p: null, effectiveWeeks: null, neweyWest: null };
  const reach = studentTQuantile(0.975, test.terms) * test.se;
  // Returns over several weeks overlap by all but one of them.
  const lag = Math.max(defaultNeweyWestLag(found.length), length - 1);
  const { se, t } = neweyWestMean(found, Math.min(lag, found.length - 1));
  return {
    ...head,
    meanIc: mean,
    interval: [test.mean - reach, test.mean + reach],
    p: test.p,
    effectiveWeeks: test.effectiveN,
    neweyWest: Number.isFinite(se) ? { se, t, lag } : null,
  };
}

function knownPairs(x: ArrayLike<number>, y: ArrayLike<number>): { x: number[]; y: number[] } {
  const pairs: { x: number[]; y: number[] } = { x: [], y: [] };
  for (let i = 0; i < x.length; i += 1) {
    if (!Number.isFinite(x[i]!) || !Number.isFinite(y[i]!)) continue;
    pairs.x.push(x[i]!);
    pairs.y.push(y[i]!);
  }
  return pairs;
}

const BOUNDARY = 'The score describes structure, it does not forecast.';

function sentenceOf(horizons: readonly HorizonCard[]): string {
  const ahead = horizons.filter(({ direction, interval }) => direction === 'forward' && interval !== null);
  if (ahead.length === 0) return `${BOUNDARY} There are too few weeks to say more.`;
  const apart = ahead.filter(({ interval }) => interval![0] > 0 || interval![1] < 0);
  if (apart.length === 0)
    return `${BOUNDARY} Its rank correlation with the returns that followed cannot be told from zero.`;
  const spans = apart.map(({ weeks, meanIc }) => `${weeks} w (${meanIc! > 0 ? '+' : '−'})`).join(', ');
  return `${BOUNDARY} Here the interval over the next ${spans} leaves out zero: one test among ${horizons.length}, on one stretch of history.`;
}
