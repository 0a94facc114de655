// The natural logarithm of the gamma function for positive arguments.

const HALF_LOG_TWO_PI = 0.9189385332046728;

/** B(2k) / (2k (2k−1)): the coefficients of Stirling's series. */
const STIRLING = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
] as const;

/** ζ(k) − 1 for k = 2, 3, …: what makes the series around one converge at any |z| ≤ 1/2. */
const ZETA_MINUS_ONE = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853,
  0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915, 0.00006124813505870483,
  0.00003058823630702049, 0.00001528225940865187, 0.000007637197637899763, 0.00000381729326499984,
  0.000001908212716553939, 9.539620338727962e-7, 4.769329867878064e-7, 2.38450502727733e-7,
  1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9, 1.862659723513049e-9,
] as const;

const EULER_GAMMA = 0.5772156649015329;

/** The part of log Γ(x) left over after the leading Stirling terms; exact to double precision for x ≥ 10. */
export function stirlingRemainder(x: number): number {
  const inverse = 1 / x;
  const square = inverse * inverse;
  let sum = 0;
  for (let k = STIRLING.length - 1; k >= 0; k -= 1) sum = sum * square + STIRLING[k]!;
  return sum * inverse;
}

/**
 * log Γ(1 + z) for |z| ≤ 1/2, as −log(1+z) + z(1−γ) + Σ (−1)^k (ζ(k)−1) z^k / k.
 * Written this way the zero at z = 0 is kept to full relative accuracy.
 */
function logGammaNearOne(z: number): number {
  let sum = 0;
  for (let index = ZETA_MINUS_ONE.length - 1; index >= 0; index -= 1) {
    const k = index + 2;
    sum = sum * -z + ZETA_MINUS_ONE[index]! / k;
  }
  return -Math.log1p(z) + z * (1 - EULER_GAMMA) + z * z * sum;
}

/** log Γ(x) for x > 0; infinite at zero, NaN for negative arguments, which no distribution here needs. */
export function logGamma(x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0 || x === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (x < 0.5) return logGammaNearOne(x) - Math.log(x);
  if (x <= 1.5) return logGammaNearOne(x - 1);
  if (x <= 2.5) return logGammaNearOne(x - 2) + Math.log1p(x - 2);
  if (x < 10) {
    let shifted = x;
    let product = 1;
    while (shifted > 2.5) {
      shifted -= 1;
      product *= shifted;
    }
    return logGamma(shifted) + Math.log(product);
  }
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingRemainder(x);
}
