// Which narratives go together: shared drivers, and strengths that rise and fall in the same weeks.
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import { type NarrativeEdge, six } from './macro-frame.js';
import { NARRATIVE_DRIVERS } from './narrative-strength.js';
import { NARRATIVE } from './parameters.js';

/** Shared drivers over all drivers; one that pulls the two apart counts against. */
function sharedDrivers(a: number, b: number): number {
  const theirs = new Map(NARRATIVE_DRIVERS[b]!.map(({ place, direction }) => [place, direction]));
  let shared = 0;
  let union = theirs.size;
  for (const { place, direction } of NARRATIVE_DRIVERS[a]!) {
    const other = theirs.get(place);
    if (other === undefined) union += 1;
    else shared += other === direction ? 1 : -1;
  }
  return shared / union;
}

const SHARED: readonly Float64Array[] = NARRATIVES.map((_, a) =>
  Float64Array.from(NARRATIVES, (_row, b) => sharedDrivers(a, b)),
);

/** Edges from weekly changes of strength, one list per narrative, NaN where a week has none. */
export function narrativeEdges(changes: readonly Float64Array[]): NarrativeEdge[] {
  const found: { a: number; b: number; weight: number }[] = [];
  for (let a = 0; a < NARRATIVE_COUNT; a += 1) {
    for (let b = a + 1; b < NARRATIVE_COUNT; b += 1) {
      const weight =
        NARRATIVE.edgeCorrelation * shrunkCorrelation(changes[a]!, changes[b]!) +
        (1 - NARRATIVE.edgeCorrelation) * SHARED[a]![b]!;
      if (Math.abs(weight) >= NARRATIVE.edgeMinimum) found.push({ a, b, weight });
    }
  }
  found.sort((x, y) => Math.abs(y.weight) - Math.abs(x.weight) || x.a - y.a || x.b - y.b);
  const degree = new Uint8Array(NARRATIVE_COUNT);
  const kept: NarrativeEdge[] = [];
  for (const { a, b, weight } of found) {
    if (degree[a]! >= NARRATIVE.edgesPerNode || degree[b]! >= NARRATIVE.edgesPerNode) continue;
    degree[a]! += 1;
    degree[b]! += 1;
    kept.push({ from: NARRATIVES[a]!.slug, to: NARRATIVES[b]!.slug, weight: six(weight) });
  }
  return kept;
}

/** Correlation over the weeks known on both sides, pulled to zero when they are few. */
function shrunkCorrelation(x: Float64Array, y: Float64Array): number {
  let n = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  for (let w = 0; w < x.length; w += 1) {
    const u = x[w]!;
    const v = y[w]!;
    if (Number.isNaN(u + v)) continue;
    n += 1;
    sx += u;
    sy += v;
    sxx += u * u;
    syy += v * v;
    sxy += u * v;
  }
  const spread = (n * sxx - sx * sx) * (n * syy - sy * sy);
  if (n < 3 || !(spread > 0)) return 0;
  return (((n * sxy - sx * sy) / Math.sqrt(spread)) * n) / (n + NARRATIVE.edgeShrink);
}
