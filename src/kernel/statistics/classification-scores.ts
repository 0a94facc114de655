// Scores of a classifier: area under the ROC curve, average precision and Brier.

import { neumaierSum } from './compensated-sum.js';
import { averageRanks, sortingOrder } from './ranks.js';

function checkLabels(labels: ArrayLike<number>, scores: ArrayLike<number>): void {
  if (labels.length !== scores.length) throw new RangeError('labels and scores differ in length');
  for (let i = 0; i < labels.length; i += 1) {
    if (labels[i] !== 0 && labels[i] !== 1) throw new RangeError(`label ${i} is ${labels[i]}, not 0 or 1`);
  }
}

function anyNaN(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i += 1) if (Number.isNaN(values[i])) return true;
  return false;
}

/** Chance that a random positive outscores a random negative, ties counting half; NaN when a class is absent. */
export function rocAuc(labels: ArrayLike<number>, scores: ArrayLike<number>): number {
  checkLabels(labels, scores);
  const positives = neumaierSum(labels);
  const negatives = labels.length - positives;
  if (positives === 0 || negatives === 0) return Number.NaN;
  let rankSum = 0;
  averageRanks(scores).forEach((rank, i) => {
    if (labels[i] === 1) rankSum += rank;
  });
  return (rankSum - (positives * (positives + 1)) / 2) / positives / negatives;
}

/** Mean precision over the positives, ranked from the highest score; tied scores enter together. */
export function averagePrecision(labels: ArrayLike<number>, scores: ArrayLike<number>): number {
  checkLabels(labels, scores);
  const positives = neumaierSum(labels);
  if (positives === 0 || anyNaN(scores)) return Number.NaN;
  const order = sortingOrder(scores).reverse();
  let found = 0;
  let area = 0;
  let start = 0;
  while (start < order.length) {
    let end = start;
    let fresh = 0;
    while (end < order.length && scores[order[end]!] === scores[order[start]!]) {
      fresh += labels[order[end]!]!;
      end += 1;
    }
    found += fresh;
    area += (fresh / positives) * (found / end);
    start = end;
  }
  return area;
}

/** Mean squared distance between forecast probability and outcome; NaN when there are none. */
export function brier(labels: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  checkLabels(labels, probabilities);
  const squares = Float64Array.from(probabilities, (p, i) => (p - labels[i]!) ** 2);
  for (let i = 0; i < probabilities.length; i += 1) {
    const p = probabilities[i]!;
    if (p < 0 || p > 1) throw new RangeError(`probability ${i} is ${p}`);
  }
  return neumaierSum(squares) / squares.length;
}
