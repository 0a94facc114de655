// Weighted ridge regressions that share their left side: one factorisation per length of history, one product per asset.
import type { FamilyFactors } from './family-factors.js';
import { EXPOSURE } from './parameters.js';
import { symmetricInverse } from './symmetric-inverse.js';

/** Columns are laid out in blocks of four, the last ones empty: sums over a block do not wait for one another. */
const STRIDE = 16;
const BLOCK = 4;

/** Everything about a sample of the newest `weeks` that does not depend on the asset. */
export interface Design {
  readonly weeks: number;
  /** Places of the families in the columns, after the constant. */
  readonly families: readonly number[];
  /** One row of `STRIDE` per week, the constant first. */
  readonly x: Float64Array;
  /** One row of `STRIDE` per week: coefficients are the sum of rows times returns. */
  readonly solver: Float64Array;
  /** Variance of each coefficient per unit of residual variance. */
  readonly variances: Float64Array;
  /** Residual variance is multiplied by this for the coefficients it has used up. */
  readonly freedom: number;
}

export function designOf(factors: FamilyFactors, weeks: number): Design | null {
  const families = factors.factors.flatMap((factor, place) => (factor === null ? [] : [place]));
  const columns = families.length + 1;
  const skipped = factors.weeks - weeks;
  const x = new Float64Array(weeks * STRIDE);
  for (let r = 0; r < weeks; r += 1) x[r * STRIDE] = 1;
  families.forEach((family, c) => {
    const factor = factors.factors[family]!;
    for (let r = 0; r < weeks; r += 1) x[r * STRIDE + c + 1] = factor[r + skipped]!;
  });
  const gram = new Float64Array(columns * columns);
  let total = 0;
  let squares = 0;
  for (let r = 0; r < weeks; r += 1) {
    const weight = factors.decay[r + skipped]!;
    total += weight;
    squares += weight * weight;
    for (let a = 0; a < columns; a += 1) {
      const scaled = weight * x[r * STRIDE + a]!;
      for (let b = 0; b <= a; b += 1) gram[a * columns + b]! += scaled * x[r * STRIDE + b]!;
    }
  }
  for (let a = 0; a < columns; a += 1) {
    for (let b = 0; b < a; b += 1) gram[b * columns + a] = gram[a * columns + b]!;
    // The constant is left alone: a mean return is not an exposure.
    if (a > 0) gram[a * columns + a]! += EXPOSURE.ridge * total;
  }
  const inverse = symmetricInverse(gram, columns);
  if (inverse === null) return null;
  const solver = new Float64Array(weeks * STRIDE);
  const variances = new Float64Array(columns);
  for (let r = 0; r < weeks; r += 1) {
    const weight = factors.decay[r + skipped]!;
    for (let a = 0; a < columns; a += 1) {
      let sum = 0;
      for (let b = 0; b < columns; b += 1) sum += inverse[a * columns + b]! * x[r * STRIDE + b]!;
      solver[r * STRIDE + a] = sum * weight;
      variances[a]! += (sum * weight) ** 2;
    }
  }
  const effective = (total * total) / squares;
  return { weeks, families, x, solver, variances, freedom: effective / Math.max(1, effective - columns) };
}

/** Rooms for one regression after another, so that thousands of them make no garbage. */
export class Regression {
  readonly coefficients = new Float64Array(STRIDE);
  readonly #held = new Float64Array(EXPOSURE.weeks);
  readonly #fitted = new Float64Array(EXPOSURE.weeks);
  readonly #sizes = new Float64Array(EXPOSURE.weeks);

  /**
   * Huber's estimate by his own device: residuals beyond the bound are pulled in and the same solver is used again,
   * which needs no new factorisation. Weeks without a return follow the fit and so carry no information.
   * Returns the residual variance; the coefficients stay in `coefficients`.
   */
  fit(design: Design, returns: Float64Array, offset: number): number {
    const { weeks } = design;
    const held = this.#held;
    let gaps = 0;
    for (let r = 0; r < weeks; r += 1) {
      const value = returns[offset + r]!;
      if (Number.isNaN(value)) gaps += 1;
      held[r] = Number.isNaN(value) ? 0 : value;
    }
    if (gaps > 0) this.#closeGaps(design, returns, offset);
    this.#solve(design);
    this.#predict(design);
    const scale = this.#scale(returns, offset, weeks);
    for (let pass = 0; pass < EXPOSURE.huberPasses; pass += 1) {
      if (pass > 0) this.#predict(design);
      this.#pullIn(design, returns, offset, EXPOSURE.huber * scale);
    }
    return scale * scale * design.freedom;
  }

  #closeGaps(design: Design, returns: Float64Array, offset: number): void {
    for (let pass = 0; pass < EXPOSURE.gapPasses; pass += 1) {
      this.#solve(design);
      this.#predict(design);
      for (let r = 0; r < design.weeks; r += 1) {
        if (Number.isNaN(returns[offset + r]!)) this.#held[r] = this.#fitted[r]!;
      }
    }
  }

  /** Moves held returns into the bound around the fit, and the coefficients with them: few weeks, little work. */
  #pullIn({ weeks, solver }: Design, returns: Float64Array, offset: number, bound: number): void {
    const { coefficients } = this;
    const held = this.#held;
    const fitted = this.#fitted;
    for (let r = 0; r < weeks; r += 1) {
      const value = returns[offset + r]!;
      const around = fitted[r]!;
      const residual = value - around;
      const wanted = residual > bound ? around + bound : residual < -bound ? around - bound : value;
      const change = wanted - held[r]!;
      // A gap is not a number and stays where the fit has put it.
      if (change === 0 || Number.isNaN(change)) continue;
      held[r] = wanted;
      const row = r * STRIDE;
      for (let a = 0; a < STRIDE; a += 1) coefficients[a]! += solver[row + a]! * change;
    }
  }

  #solve({ weeks, solver }: Design): void {
    const held = this.#held;
    for (let a = 0; a < STRIDE; a += BLOCK) {
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      for (let r = 0, at = a; r < weeks; r += 1, at += STRIDE) {
        const value = held[r]!;
        first += solver[at]! * value;
        second += solver[at + 1]! * value;
        third += solver[at + 2]! * value;
        fourth += solver[at + 3]! * value;
      }
      this.coefficients[a] = first;
      this.coefficients[a + 1] = second;
      this.coefficients[a + 2] = third;
      this.coefficients[a + 3] = fourth;
    }
  }

  #predict({ weeks, x }: Design): void {
    const fitted = this.#fitted;
    const { coefficients } = this;
    fitted.fill(0, 0, weeks);
    for (let a = 0; a < STRIDE; a += BLOCK) {
      const first = coefficients[a]!;
      const second = coefficients[a + 1]!;
      const third = coefficients[a + 2]!;
      const fourth = coefficients[a + 3]!;
      for (let r = 0, at = a; r < weeks; r += 1, at += STRIDE) {
        fitted[r]! += x[at]! * first + x[at + 1]! * second + (x[at + 2]! * third + x[at + 3]! * fourth);
      }
    }
  }

  /** Robust size of the residuals. */
  #scale(returns: Float64Array, offset: number, weeks: number): number {
    const sizes = this.#sizes;
    let known = 0;
    for (let r = 0; r < weeks; r += 1) {
      const value = returns[offset + r]!;
      if (Number.isNaN(value)) continue;
      sizes[known] = Math.abs(value - this.#fitted[r]!);
      known += 1;
    }
    return 1.4826 * upperMedian(sizes, known);
  }
}

/** The upper median of the first n values, by quickselect in place. */
function upperMedian(values: Float64Array, n: number): number {
  const wanted = n >> 1;
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i += 1;
      while (values[j]! > pivot) j -= 1;
      if (i <= j) {
        const held = values[i]!;
        values[i] = values[j]!;
        values[j] = held;
        i += 1;
        j -= 1;
      }
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return values[wanted] ?? 0;
}
