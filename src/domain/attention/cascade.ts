// Describes how posts follow one another: a Hawkes process with an exponential kernel. Never part of the gate.
import { roundSignificant } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import { SECOND } from '../../kernel/instant.js';
import { MEASURES } from './measure-parameters.js';

const RULES = MEASURES.cascade;

export type CascadeClass = 'isolated' | 'cascading' | 'self_sustaining';

export interface Cascade {
  readonly events: number;
  /** Posts that one post brings about, on average. */
  readonly branching: number;
  readonly tauSeconds: number;
  /** Twice the gain in log likelihood over a constant rate. */
  readonly likelihoodRatio: number;
  readonly class: CascadeClass;
}

/** Fits the posts created from `from` up to `to`; null when there are too few to tell. */
export function fitCascade(createdAt: readonly Instant[], from: Instant, to: Instant): Cascade | null {
  const times = createdAt
    .filter((instant) => instant >= from && instant <= to)
    .map((instant) => (instant - from) / SECOND)
    .sort((a, b) => a - b);
  const events = times.length;
  if (events < RULES.minEvents) return null;
  const span = (to - from) / SECOND;
  const rate = events / span;
  let best = { value: Number.POSITIVE_INFINITY, point: [0, 0, 0] as Point };
  // The likelihood can have several hills in the time constant; each decade gets a climber.
  for (const tau of [10, 100, 1_000, 10_000]) {
    const start: Point = [Math.log(rate / 2), 0, -Math.log(tau)];
    const found = nelderMead((point) => -logLikelihood(times, span, kernelOf(point)), start);
    if (found.value < best.value) best = found;
  }
  const { branching, beta } = kernelOf(best.point);
  const poisson = events * Math.log(rate) - events;
  return {
    events,
    branching: roundSignificant(branching, 4),
    tauSeconds: roundSignificant(1 / beta, 4),
    likelihoodRatio: roundSignificant(Math.max(0, 2 * (-best.value - poisson)), 4),
    class: classOf(branching),
  };
}

function classOf(branching: number): CascadeClass {
  if (branching < RULES.cascading) return 'isolated';
  return branching < RULES.selfSustaining ? 'cascading' : 'self_sustaining';
}

interface Kernel {
  /** Posts per second that nothing caused. */
  readonly background: number;
  readonly branching: number;
  readonly beta: number;
}

/** log background, logit branching, log beta. */
type Point = readonly [number, number, number];

function kernelOf([logBackground, logitBranching, logBeta]: Point): Kernel {
  return {
    background: Math.exp(logBackground),
    branching: Math.min(RULES.maxBranching, 1 / (1 + Math.exp(-logitBranching))),
    beta: Math.min(1 / RULES.minTau, Math.max(1 / RULES.maxTau, Math.exp(logBeta))),
  };
}

/** One pass: the excitation left from all earlier posts decays as a whole. */
function logLikelihood(
  times: readonly number[],
  span: number,
  { background, branching, beta }: Kernel,
): number {
  let excitation = 0;
  let previous = 0;
  let sum = -background * span;
  for (const time of times) {
    excitation *= Math.exp(-beta * (time - previous));
    sum += Math.log(background + branching * beta * excitation);
    sum -= branching * -Math.expm1(-beta * (span - time));
    excitation += 1;
    previous = time;
  }
  return sum;
}

interface Vertex {
  readonly point: Point;
  readonly value: number;
}

const MAX_STEPS = 400;
const TOLERANCE = 1e-7;

/** Nelder and Mead's downhill simplex in three dimensions, with the usual coefficients. */
function nelderMead(cost: (point: Point) => number, start: Point): Vertex {
  const vertex = (point: Point): Vertex => ({ point, value: cost(point) });
  const simplex = [start, ...[0, 1, 2].map((axis) => moved(start, axis))].map(vertex);
  for (let step = 0; step < MAX_STEPS; step++) {
    simplex.sort((a, b) => a.value - b.value);
    const [best, , second, worst] = simplex as [Vertex, Vertex, Vertex, Vertex];
    if (worst.value - best.value < TOLERANCE * (1 + Math.abs(best.value))) break;
    const centre = [0, 1, 2].map(
      (axis) => (simplex[0]!.point[axis]! + simplex[1]!.point[axis]! + simplex[2]!.point[axis]!) / 3,
    ) as unknown as Point;
    const reflected = vertex(between(centre, worst.point, -1));
    if (reflected.value < best.value) {
      const expanded = vertex(between(centre, worst.point, -2));
      simplex[3] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < second.value) {
      simplex[3] = reflected;
    } else {
      const outside = reflected.value < worst.value;
      const contracted = vertex(between(centre, outside ? reflected.point : worst.point, 0.5));
      if (contracted.value < (outside ? reflected.value : worst.value)) simplex[3] = contracted;
      else for (let i = 1; i < 4; i++) simplex[i] = vertex(between(best.point, simplex[i]!.point, 0.5));
    }
  }
  return simplex.reduce((best, other) => (other.value < best.value ? other : best));
}

function moved(point: Point, axis: number): Point {
  return point.map((x, i) => (i === axis ? x + 1 : x)) as unknown as Point;
}

/** The point at a share of the way from `origin` to `target`; beyond the origin when the share is negative. */
function between(origin: Point, target: Point, share: number): Point {
  return origin.map((x, axis) => x + share * (target[axis]! - x)) as unknown as Point;
}
