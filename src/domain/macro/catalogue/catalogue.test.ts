// The catalogue adds up: 62 indexes in 14 families, 33 narratives, weights, references and clocks.
import { expect, it } from 'vitest';
import { readMinutes } from '../../../kernel/new-york-time.js';
import { FAMILIES, FAMILY_KEYS } from './families.js';
import { FAMILY_MEMBERS, INDEXES, indexPlace } from './indexes.js';
import { NARRATIVES } from './narratives.js';
import { MARKET_MOVES, SECTORS } from './sector-priors.js';

it('has 62 indexes in 14 families of the right sizes', () => {
  expect(INDEXES).toHaveLength(62);
  expect(new Set(INDEXES.map(({ symbol }) => symbol)).size).toBe(62);
  expect(FAMILY_MEMBERS.map((members) => members.length)).toEqual([6, 6, 6, 5, 3, 6, 6, 5, 3, 3, 4, 4, 3, 2]);
});

it('weighs the families to one, and anchors each in a member of its own that moves weekly', () => {
  expect(FAMILIES.reduce((sum, { weight }) => sum + Math.round(weight * 100), 0)).toBe(100);
  for (const { key, anchor } of FAMILIES) {
    const row = INDEXES[indexPlace(anchor)]!;
    expect(row.family).toBe(key);
    expect(['D', 'D7', 'W']).toContain(row.frequency);
  }
});

it('gives every index a positive floor, a sign and a clock', () => {
  for (const { symbol, floor, sign, release } of INDEXES) {
    expect(floor, symbol).toBeGreaterThan(0);
    expect(Math.abs(sign), symbol).toBe(1);
    expect(readMinutes(release.at), symbol).toBeLessThan(24 * 60);
  }
  const refitted = INDEXES.filter(({ revision }) => revision === 'refitted').map(({ symbol }) => symbol);
  expect(refitted).toEqual(['NFCI', 'STLFSI']);
});

it('has 33 narratives fed by indexes of the catalogue', () => {
  expect(NARRATIVES).toHaveLength(33);
  expect(new Set(NARRATIVES.map(({ slug }) => slug)).size).toBe(33);
  for (const { slug, rising, falling, terms } of NARRATIVES) {
    const drivers = [...rising, ...falling];
    expect(drivers.length, slug).toBeGreaterThanOrEqual(3);
    expect(new Set(drivers).size, slug).toBe(drivers.length);
    for (const symbol of drivers) expect(indexPlace(symbol), `${slug} ${symbol}`).toBeGreaterThanOrEqual(0);
    expect(terms.length, slug).toBeGreaterThanOrEqual(2);
  }
  const twoWay = NARRATIVES.filter((row) => row.twoWay).map(({ slug }) => slug);
  expect(twoWay).toEqual(['fed-balance-sheet', 'semis-cycle', 'china']);
});

it('has eleven sectors measured against six families', () => {
  expect(SECTORS).toHaveLength(11);
  for (const { moves } of [...SECTORS, { moves: MARKET_MOVES }]) {
    expect(Object.keys(moves)).toHaveLength(6);
    for (const family of Object.keys(moves)) expect(FAMILY_KEYS).toContain(family);
  }
});
