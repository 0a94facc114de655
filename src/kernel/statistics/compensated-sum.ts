// Neumaier's compensated sum, which keeps the digits a plain loop loses.

/** The sum with its rounding errors carried along; infinite or NaN terms give what plain addition would. */
export function neumaierSum(values: ArrayLike<number>): number {
  let sum = 0;
  let compensation = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // Past infinity the compensation is ∞ − ∞, which would turn an honest infinity into NaN.
  return Number.isFinite(sum) ? sum + compensation : sum;
}

/** A running compensated sum for values that arrive one by one. */
export interface RunningSum {
  add(value: number): void;
  total(): number;
}

/** Kahan's idea in Neumaier's form: also right when a term is larger than the sum so far. */
export function runningSum(): RunningSum {
  let sum = 0;
  let compensation = 0;
  return {
    add(value) {
      const next = sum + value;
      compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    total: () => (Number.isFinite(sum) ? sum + compensation : sum),
  };
}
