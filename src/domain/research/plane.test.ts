// The plane against the chains on it: the same rows stand, however long a chain is and however often it was laid anew.
import { expect, test } from 'vitest';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { Chain } from './chain.js';
import { Plane } from './plane.js';

const random = seededRandom('plane');
const SPAN = 400;
const ENDLESS = Number.POSITIVE_INFINITY;

/** Mostly about the end of the effective axis, so that what was written long ago still stands at its beginning. */
function write(chain: Chain<number>, known: number): void {
  const from = random.uniform() < 0.9 ? SPAN / 2 + random.integer(0, SPAN / 2) : random.integer(0, SPAN / 2);
  const span = { from, to: random.uniform() < 0.3 ? ENDLESS : from + random.integer(1, 60) };
  if (known > 1 && random.uniform() < 0.2) chain.end(span, known, []);
  else chain.write(span, known, { value: known, change: 'asserted', sources: [`s${known}`] });
}

function expectTheSame(plane: Plane, chains: readonly Chain<number>[], newest: number): void {
  const places = chains.map((chain) => plane.lay(chain, ({ value }) => value));
  for (let i = 0; i < 60; i++) {
    const point = { asOf: random.integer(0, SPAN), knownAt: random.integer(0, newest + 1) };
    plane.moveTo(point);
    chains.forEach((chain, at) => {
      const place = places[at]!;
      const row = chain.at(point.asOf, point.knownAt);
      expect(plane.stands(place)).toBe(row !== undefined);
      if (row === undefined) return;
      expect(plane.row(place)).toBe(row);
      expect(plane.revision(place)).toBe(row.revision);
      expect(plane.sources(place)).toBe(row.sources);
      expect(plane.shown(place)).toBe(row.value);
    });
  }
}

test('finds what each chain finds, also far behind its newest rows', () => {
  // More rows than are walked: the oldest are found by the chain itself.
  const chains = [1, 20, 300].map((writes) => {
    const chain = new Chain<number>();
    for (let known = 1; known <= writes; known++) write(chain, known);
    return chain;
  });
  expectTheSame(new Plane(), chains, 300);
});

test('follows chains that are written between two looks, until most of it is worn', () => {
  const chains = Array.from({ length: 5 }, () => new Chain<number>());
  const plane = new Plane();
  let known = 0;
  const worn = [];
  for (let round = 0; round < 12; round++) {
    known += 1;
    // One of them is left alone, and keeps its place.
    for (const chain of round === 0 ? chains : chains.slice(1)) write(chain, known);
    expectTheSame(plane, chains, known);
    worn.push(plane.worn);
  }
  expect(worn[0]).toBe(false);
  expect(worn.at(-1)).toBe(true);
});
