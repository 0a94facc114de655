import { describe, expect, it } from 'vitest';
import { HOUR, type Instant, parseInstant, SECOND } from '../../kernel/instant.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { fitCascade } from './cascade.js';

const FROM = parseInstant('2026-03-04T00:00:00Z')!;
const TO = FROM + 24 * HOUR;

/** Background posts, each of which brings about further ones, and so on: a Hawkes process seen as a branching tree. */
function hawkes(seed: string, background: number, branching: number, tau: number): Instant[] {
  const random = seededRandom(seed);
  const open: number[] = [];
  for (let i = random.poisson(background); i > 0; i--) open.push(random.uniform(0, 86_400));
  const all: number[] = [];
  for (let time = open.pop(); time !== undefined; time = open.pop()) {
    if (time >= 86_400) continue;
    all.push(time);
    for (let i = random.poisson(branching); i > 0; i--) open.push(time + random.exponential(tau));
  }
  return all.map((seconds) => FROM + Math.floor(seconds * SECOND));
}

describe('a cascade', () => {
  it.each([
    [300, 0.6, 300, 'cascading'],
    [150, 0.9, 200, 'self_sustaining'],
    [200, 0.5, 1_200, 'cascading'],
  ] as const)('of %s seeds with branching %s and %s s is found again', (seeds, branching, tau, name) => {
    const fit = fitCascade(hawkes(`${seeds} ${tau}`, seeds, branching, tau), FROM, TO)!;
    expect(Math.abs(fit.branching - branching)).toBeLessThan(0.15);
    expect(fit.tauSeconds / tau).toBeGreaterThan(0.5);
    expect(fit.tauSeconds / tau).toBeLessThan(2);
    expect(fit.likelihoodRatio).toBeGreaterThan(20);
    expect(fit.class).toBe(name);
  });

  it('is not seen where posts come one by one', () => {
    const fit = fitCascade(hawkes('poisson', 600, 0, 1), FROM, TO)!;
    expect(fit.class).toBe('isolated');
    expect(fit.likelihoodRatio).toBeLessThan(12);
  });

  it('does not depend on the order of the posts, and survives many in one instant', () => {
    const posts = hawkes('order', 200, 0.5, 100);
    expect(fitCascade(posts.toReversed(), FROM, TO)).toEqual(fitCascade(posts, FROM, TO));
    const salvo = fitCascade([...posts, ...Array<Instant>(300).fill(FROM + 12 * HOUR)], FROM, TO)!;
    expect(salvo.branching).toBeLessThanOrEqual(0.99);
    expect(salvo.tauSeconds).toBeGreaterThanOrEqual(1);
  });

  it('needs a hundred posts inside the span', () => {
    const posts = hawkes('few', 300, 0, 1).slice(0, 99);
    expect(fitCascade(posts, FROM, TO)).toBeNull();
    expect(fitCascade([...posts, TO + 1, FROM - 1], FROM, TO)).toBeNull();
    expect(fitCascade([...posts, TO], FROM, TO)?.events).toBe(100);
  });
});
