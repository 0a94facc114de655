// The normal distribution: density, both tails to full relative precision, and quantile.

const LOG_SQRT_TWO_PI = 0.9189385332046728;

/** Standard normal density; the square is split so that far tails keep their digits. */
export function normalDensity(z: number): number {
  // z² rounded would be wrong by up to 1e-13 in the exponent at |z| = 30.
  const coarse = Math.trunc(z * 16) / 16;
  const fine = (z - coarse) * (z + coarse);
  return Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * fine - LOG_SQRT_TWO_PI);
}

/** Φ(z) − ½ for small z, by the series φ(z) (z + z³/3 + z⁵/15 + …), whose terms all have one sign. */
function centralPart(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; k < 400; k += 2) {
    term *= (z * z) / k;
    const next = sum + term;
    if (next === sum) break;
    sum = next;
  }
  return normalDensity(z) * sum;
}

/** Mills' ratio (1 − Φ(z)) / φ(z) for z ≥ 2, by Laplace's continued fraction from the far end inwards. */
function millsRatio(z: number): number {
  // The terms needed fall off as 1/z²; 12 + 320/z² leaves several to spare everywhere.
  let tail = z;
  for (let k = Math.ceil(12 + 400 / (z * z)); k >= 1; k -= 1) tail = z + k / tail;
  return 1 / tail;
}

/** log of the upper tail P(Z > z): finite even where the tail itself underflows. */
export function logNormalSurvival(z: number): number {
  if (z < 2) return Math.log(normalSurvival(z));
  return -0.5 * z * z - LOG_SQRT_TWO_PI + Math.log(millsRatio(z));
}

/** P(Z > z) with its own digits: never computed as one minus the other tail. */
export function normalSurvival(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (Math.abs(z) < 2) return 0.5 - centralPart(z);
  if (z === Number.POSITIVE_INFINITY) return 0;
  if (z === Number.NEGATIVE_INFINITY) return 1;
  return z > 0 ? normalDensity(z) * millsRatio(z) : 1 - normalDensity(z) * millsRatio(-z);
}

/** P(X ≤ x) for a normal with the given mean and standard deviation. */
export function normalCdf(x: number, mean = 0, standardDeviation = 1): number {
  return normalSurvival((mean - x) / standardDeviation);
}

/** The z ≥ 0 whose upper tail is q ≤ ½, by Newton steps on the logarithm of the tail. */
function upperTailQuantile(q: number): number {
  const target = Math.log(q);
  const t = Math.sqrt(-2 * target);
  // Hastings' approximation, good to three digits, is start enough for a quadratic method.
  let z =
    q === 0.5
      ? 0
      : t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let step = 0; step < 6; step += 1) {
    const hazard = z < 2 ? normalDensity(z) / normalSurvival(z) : 1 / millsRatio(z);
    // Near the centre ½ − q is exact, so matching the central part keeps the digits of a tiny z.
    const gap = z < 1.5 ? (0.5 - q - centralPart(z)) / normalSurvival(z) : logNormalSurvival(z) - target;
    const move = gap / hazard;
    z += move;
    // Steps square the error, so after a step this small another would change nothing.
    if (Math.abs(move) <= 1e-9 * Math.abs(z)) break;
  }
  return z;
}

/** The x with P(X ≤ x) = p; ±Infinity at the ends, NaN outside [0, 1]. */
export function normalQuantile(p: number, mean = 0, standardDeviation = 1): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const z = p < 0.5 ? -upperTailQuantile(p) : upperTailQuantile(1 - p);
  return mean + standardDeviation * z;
}
