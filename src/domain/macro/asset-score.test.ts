// Scores: drivers give back the integer, shares sum to one, confidence and bands keep their bounds.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bandOf, confidenceOf, driversOf, scoreFromDrivers, scoreOf, structureOf } from './asset-score.js';
import { FAMILY_COUNT } from './catalogue/families.js';
import { FAMILY_MEMBERS, INDEX_COUNT } from './catalogue/indexes.js';
import type { Conditions } from './conditions.js';
import type { AssetExposures } from './exposures.js';
import { DECAY, type FamilyFactors } from './family-factors.js';
import type { IndexTimeline } from './index-timeline.js';
import { strongest } from './strongest.js';

const z = fc.double({ min: -3, max: 3, noNaN: true });
const unit = fc.double({ min: -1, max: 1, noNaN: true });
const list = (of: fc.Arbitrary<number>, n: number) => fc.array(of, { minLength: n, maxLength: n });

function conditionsOf(zs: readonly number[], weights: readonly number[]): Conditions {
  const timeline = (value: number): IndexTimeline => ({ z: { at: () => value } }) as unknown as IndexTimeline;
  return {
    at: 0,
    standings: zs.map((value, i) => ({
      timeline: timeline(value),
      place: 0,
      status: weights[i] === 0 ? 'stale' : 'live',
      weight: weights[i]!,
      overdueHours: 0,
    })),
    z: Float64Array.from(zs, (value, i) => (weights[i] === 0 ? 0 : value)),
    weights: Float64Array.from(weights),
    familyMeans: new Float64Array(FAMILY_COUNT),
    liveMembers: Uint8Array.from(FAMILY_MEMBERS, (members) => members.filter((i) => weights[i]! > 0).length),
  };
}

function factorsOf(loadings: readonly number[]): FamilyFactors {
  return {
    firstWeek: 0,
    weeks: 156,
    decay: DECAY,
    factors: [],
    loadings: Float64Array.from(loadings),
    meanLoading: Float64Array.from(
      FAMILY_MEMBERS,
      (members) => members.reduce((sum, i) => sum + Math.abs(loadings[i]!), 0) / members.length,
    ),
  };
}

const exposuresOf = (
  values: readonly number[],
  shrink: number,
  basis: AssetExposures['basis'],
): AssetExposures => ({
  basis,
  sector: null,
  values: Float64Array.from(values),
  shrink: new Float64Array(FAMILY_COUNT).fill(shrink),
});

const weight = fc.oneof(fc.constant(1), fc.constant(0), fc.double({ min: 0.1, max: 1, noNaN: true }));

it('gives back the integer from the drivers as published, with shares that sum to one', () => {
  fc.assert(
    fc.property(
      list(z, INDEX_COUNT),
      list(weight, INDEX_COUNT),
      list(unit, INDEX_COUNT),
      list(unit, FAMILY_COUNT),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (zs, weights, loadings, values, shrink) => {
        const conditions = conditionsOf(zs, weights);
        const factors = factorsOf(loadings);
        const exposures = exposuresOf(values, shrink, 'estimated');
        const structure = structureOf(conditions, factors, exposures);
        if (structure === null) return;
        const drivers = driversOf(conditions, structure, strongest(structure.contributions, INDEX_COUNT));
        const printed = JSON.parse(JSON.stringify(drivers)) as typeof drivers;
        expect(scoreFromDrivers(printed)).toBe(scoreOf(structure.sum));
        if (drivers.length > 0) {
          expect(printed.reduce((sum, driver) => sum + Math.round(driver.weight * 1e4), 0)).toBe(1e4);
        }
        const sizes = drivers.map(({ contribution }) => Math.abs(contribution));
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        const confidence = confidenceOf(structure, factors, exposures);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(100);
        expect(confidenceOf(structure, factors, exposuresOf(values, 1, 'prior'))).toBeLessThanOrEqual(35);
      },
    ),
  );
});

it('sums the weights of full coverage to one', () => {
  const ones = Array.from({ length: INDEX_COUNT }, () => 1);
  const structure = structureOf(
    conditionsOf(ones, ones),
    factorsOf(ones),
    exposuresOf(ones.slice(0, FAMILY_COUNT), 0, 'estimated'),
  )!;
  expect(structure.sum).toBeCloseTo(1, 4);
  expect(structure.coverage).toBeCloseTo(1, 12);
  expect(structure.freshness).toBeCloseTo(1, 12);
});

it('has no score for an asset that answers to nothing', () => {
  const ones = Array.from({ length: INDEX_COUNT }, () => 1);
  const none = exposuresOf([...new Float64Array(FAMILY_COUNT)], 1, 'prior');
  expect(structureOf(conditionsOf(ones, ones), factorsOf(ones), none)).toBeNull();
});

it('puts the headwind band below 45', () => {
  expect([0, 24, 25, 44, 45, 55, 56, 75, 76, 100].map(bandOf)).toEqual([
    'strong_headwind',
    'strong_headwind',
    'headwind',
    'headwind',
    'neutral',
    'neutral',
    'tailwind',
    'tailwind',
    'strong_tailwind',
    'strong_tailwind',
  ]);
  expect(scoreOf(0)).toBe(50);
});
