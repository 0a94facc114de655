// Edges between narratives: shared drivers and common moves, bounded in number.
import { expect, it } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import { narrativeEdges } from './narrative-edges.js';
import { NARRATIVE } from './parameters.js';

const random = seededRandom('edges');
const noise = (): Float64Array => Float64Array.from({ length: NARRATIVE.edgeWeeks }, () => random.normal());

it('joins narratives that move together and parts those that move against each other', () => {
  const changes = NARRATIVES.map(noise);
  changes[1] = changes[0]!.map((value, w) => value + 0.2 * random.normal() + (w === 0 ? 1 : 0));
  changes[2] = changes[3]!.map((value) => -value);
  const edges = narrativeEdges(changes);
  const weight = (a: number, b: number): number | undefined =>
    edges.find(({ from, to }) => from === NARRATIVES[a]!.slug && to === NARRATIVES[b]!.slug)?.weight;
  expect(weight(0, 1)).toBeGreaterThan(0.3);
  expect(weight(2, 3)).toBeLessThan(-0.5);
});

it('keeps at most five edges per narrative, none of them weak', () => {
  const common = noise();
  const edges = narrativeEdges(NARRATIVES.map(() => common.map((value) => value + 0.3 * random.normal())));
  const degree = new Map<string, number>();
  for (const { from, to, weight } of edges) {
    expect(Math.abs(weight)).toBeGreaterThanOrEqual(NARRATIVE.edgeMinimum);
    for (const slug of [from, to]) degree.set(slug, (degree.get(slug) ?? 0) + 1);
  }
  expect(Math.max(...degree.values())).toBeLessThanOrEqual(NARRATIVE.edgesPerNode);
  expect(edges.length).toBeGreaterThan(NARRATIVE_COUNT);
});

it('rests on shared drivers alone while strengths are unknown', () => {
  const unknown = NARRATIVES.map(() => new Float64Array(NARRATIVE.edgeWeeks).fill(Number.NaN));
  expect(narrativeEdges(unknown).every(({ weight }) => Math.abs(weight) <= 0.3)).toBe(true);
});
