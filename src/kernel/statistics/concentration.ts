// How unequally a total is shared: Gini, Herfindahl, entropy and their relatives.

import { neumaierSum } from './compensated-sum.js';
import { sortedCopy } from './order-statistics.js';

/** Shares of the total; undefined when a value is negative or not finite, or when the total is zero. */
function shares(values: ArrayLike<number>): Float64Array | undefined {
  const total = neumaierSum(values);
  if (!(total > 0) || !Number.isFinite(total)) return undefined;
  const result = Float64Array.from(values, (value) => value / total);
  return result.every((share) => share >= 0) ? result : undefined;
}

/** Sum of i · share_i over shares sorted upwards, i from 1. */
function rankedShareSum(parts: Float64Array): number {
  let sum = 0;
  parts.toSorted().forEach((share, index) => {
    sum += (index + 1) * share;
  });
  return sum;
}

/** Gini's coefficient of the whole population: 0 when all are equal, (n−1)/n when one holds everything. */
export function gini(values: ArrayLike<number>): number {
  const parts = shares(values);
  if (parts === undefined) return Number.NaN;
  const n = parts.length;
  return Math.max(0, (2 * rankedShareSum(parts) - n - 1) / n);
}

/** Herfindahl's index Σ share²: 1/n when all are equal, 1 when one holds everything. */
export function herfindahl(values: ArrayLike<number>): number {
  const parts = shares(values);
  return parts === undefined ? Number.NaN : neumaierSum(parts.map((share) => share * share));
}

/** Shannon's entropy −Σ share · log(share), in nats, or in bits with base 2. */
export function entropy(values: ArrayLike<number>, base: number = Math.E): number {
  const parts = shares(values);
  if (parts === undefined) return Number.NaN;
  const nats = neumaierSum(parts.map((share) => (share > 0 ? -share * Math.log(share) : 0)));
  return (base === Math.E ? nats : nats / Math.log(base)) + 0;
}

/** Entropy divided by its maximum log n: 1 when all are equal; NaN for a single holder, where it has no scale. */
export function normalisedEntropy(values: ArrayLike<number>): number {
  return values.length < 2 ? Number.NaN : entropy(values) / Math.log(values.length);
}

/** exp(entropy): how many equal holders would be as diverse. */
export function effectiveNumber(values: ArrayLike<number>): number {
  return Math.exp(entropy(values));
}

/** Rosenbluth's index 1 / (2 Σ i·share − 1), shares ranked from the largest; counts every holder. */
export function rosenbluth(values: ArrayLike<number>): number {
  const parts = shares(values);
  if (parts === undefined) return Number.NaN;
  return 1 / (2 * (parts.length + 1 - rankedShareSum(parts)) - 1);
}

/** Atkinson's index with the given aversion to inequality (not 1): the share of the total that equality could save. */
export function atkinson(values: ArrayLike<number>, aversion: number): number {
  const parts = shares(values);
  if (parts === undefined || !(aversion > 0) || aversion === 1) return Number.NaN;
  const n = parts.length;
  const power = 1 - aversion;
  return 1 - (neumaierSum(parts.map((share) => (share * n) ** power)) / n) ** (1 / power);
}

/** Cumulative shares from the smallest holder up: the heights of the Lorenz curve after the origin. */
export function lorenzCurve(values: ArrayLike<number>): number[] {
  const parts = shares(values);
  if (parts === undefined) return Array.from({ length: values.length }, () => Number.NaN);
  let sum = 0;
  return Array.from(sortedCopy(parts) ?? [], (share) => {
    sum += share;
    return sum;
  });
}
