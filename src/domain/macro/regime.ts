// The regime: which quadrant growth and inflation are in, how easy money is, and whether stress overrides both.
import { type Axes, QUADRANTS, quadrantOf, quadrantProbabilities } from './axes.js';
import { REGIME } from './parameters.js';

export const LIQUIDITY_STATES = ['Easy', 'Neutral', 'Tight'] as const;
export type LiquidityState = (typeof LIQUIDITY_STATES)[number];

export const REGIME_LABELS = [
  'Warming',
  ...QUADRANTS.flatMap((quadrant) => LIQUIDITY_STATES.map((ease) => `${quadrant} ${ease}` as const)),
  'Stress',
  'Transition',
] as const;
export type RegimeLabel = (typeof REGIME_LABELS)[number];

/** What the daily decision remembers from one step to the next. */
export interface RegimeMachine {
  readonly label: RegimeLabel;
  /** Steps since the label began. */
  readonly dwell: number;
  readonly growthUp: boolean;
  readonly inflationUp: boolean;
  readonly liquidity: LiquidityState;
  readonly stressed: boolean;
  readonly between: boolean;
  /** Steps in a row on which a change was asked for. */
  readonly holds: Readonly<Holds>;
}

interface Holds {
  growth: number;
  inflation: number;
  liquidity: number;
  between: number;
  /** Steps in a row without growth or inflation. */
  blank: number;
}

const NO_HOLDS: Holds = { growth: 0, inflation: 0, liquidity: 0, between: 0, blank: 0 };

export const REGIME_START: RegimeMachine = {
  label: 'Warming',
  dwell: 0,
  growthUp: true,
  inflationUp: true,
  liquidity: 'Neutral',
  stressed: false,
  between: false,
  holds: NO_HOLDS,
};

/** One business day. An axis must pass its line and hold, or pass it by far; labels dwell, only stress may interrupt. */
export function stepRegime(before: RegimeMachine, axes: Axes): RegimeMachine {
  const { growth, inflation } = axes;
  if (growth === null || inflation === null) return withoutAxes(before);
  if (before.label === 'Warming') return firstLabel(before, axes, growth, inflation);

  const stressed = stressAfter(before.stressed, axes.stress);
  // Under Stress the quadrant is not shown, so it may move freely; otherwise the label has to dwell first.
  const free = before.label === 'Stress' || before.dwell + 1 >= REGIME.dwellSteps;
  const holds = { ...NO_HOLDS };

  const growthBeyond = before.growthUp ? -growth : growth;
  holds.growth = growthBeyond >= REGIME.pass ? before.holds.growth + 1 : 0;
  const growthFlips = free && (growthBeyond >= REGIME.jump || holds.growth >= REGIME.holdSteps);

  const inflationBeyond = before.inflationUp ? -inflation : inflation;
  holds.inflation = inflationBeyond >= REGIME.pass ? before.holds.inflation + 1 : 0;
  const inflationFlips = free && (inflationBeyond >= REGIME.jump || holds.inflation >= REGIME.holdSteps);

  const wanted = liquidityWanted(before.liquidity, axes.liquidity);
  holds.liquidity = wanted.state === before.liquidity ? 0 : before.holds.liquidity + 1;
  const liquidityMoves =
    free && holds.liquidity > 0 && (wanted.atOnce || holds.liquidity >= REGIME.holdSteps);

  const undecided = isUndecided(growth, inflation, before.between);
  holds.between = undecided === before.between ? 0 : before.holds.between + 1;
  const needed = before.between ? REGIME.holdSteps : REGIME.transitionSteps;
  const betweenMoves = free && holds.between >= needed;

  const growthUp = before.growthUp !== growthFlips;
  const inflationUp = before.inflationUp !== inflationFlips;
  const liquidity = liquidityMoves ? wanted.state : before.liquidity;
  const between = before.between !== betweenMoves;
  if (growthFlips) holds.growth = 0;
  if (inflationFlips) holds.inflation = 0;
  if (liquidityMoves) holds.liquidity = 0;
  if (betweenMoves) holds.between = 0;

  const label = labelOf(stressed, between, growthUp, inflationUp, liquidity);
  const dwell = label === before.label ? before.dwell + 1 : 0;
  return { label, dwell, growthUp, inflationUp, liquidity, stressed, between, holds };
}

/** A gap in the data keeps the label for as long as a change would have to hold. */
function withoutAxes(before: RegimeMachine): RegimeMachine {
  if (before.label === 'Warming') return { ...REGIME_START, dwell: before.dwell + 1 };
  const blank = before.holds.blank + 1;
  if (blank >= REGIME.holdSteps) return REGIME_START;
  return { ...before, dwell: before.dwell + 1, holds: { ...before.holds, blank } };
}

function firstLabel(before: RegimeMachine, axes: Axes, growth: number, inflation: number): RegimeMachine {
  const growthUp = growth >= 0;
  const inflationUp = inflation >= 0;
  const liquidity = liquidityWanted('Neutral', axes.liquidity).state;
  const stressed = stressAfter(false, axes.stress);
  const label = labelOf(stressed, false, growthUp, inflationUp, liquidity);
  return {
    ...before,
    label,
    dwell: 0,
    growthUp,
    inflationUp,
    liquidity,
    stressed,
    between: false,
    holds: NO_HOLDS,
  };
}

function stressAfter(before: boolean, stress: number | null): boolean {
  if (stress === null) return before;
  return before ? stress > REGIME.stressLeave : stress >= REGIME.stressEnter;
}

function liquidityWanted(
  before: LiquidityState,
  liquidity: number | null,
): { readonly state: LiquidityState; readonly atOnce: boolean } {
  if (liquidity === null) return { state: before, atOnce: false };
  const { easy, pass, jump } = REGIME;
  if (before === 'Neutral') {
    if (Math.abs(liquidity) < easy) return { state: 'Neutral', atOnce: false };
    return { state: liquidity > 0 ? 'Easy' : 'Tight', atOnce: Math.abs(liquidity) >= easy + jump };
  }
  const inward = before === 'Easy' ? liquidity : -liquidity;
  if (inward > easy - pass) return { state: before, atOnce: false };
  const opposite = before === 'Easy' ? 'Tight' : 'Easy';
  return { state: inward <= -easy ? opposite : 'Neutral', atOnce: inward <= easy - jump };
}

function isUndecided(growth: number, inflation: number, already: boolean): boolean {
  const shares = Object.values(quadrantProbabilities(growth, inflation)).sort((a, b) => b - a);
  return shares[0]! - shares[1]! < REGIME.transitionMargin * (already ? 2 : 1);
}

function labelOf(
  stressed: boolean,
  between: boolean,
  growthUp: boolean,
  inflationUp: boolean,
  liquidity: LiquidityState,
): RegimeLabel {
  if (stressed) return 'Stress';
  if (between) return 'Transition';
  return `${quadrantOf(growthUp, inflationUp)} ${liquidity}`;
}
