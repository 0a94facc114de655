// The duplicate rule and the stamps, apart from any store.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact, Report } from '../domain/facts/fact.js';
import { EMPTY_TAIL, naturalKey, Stamping, type Stored, stampBatch } from './stamping.js';

/** A store that is nothing but its facts. */
function listed(facts: readonly Fact[]): Stored {
  return {
    seenPost: () => false,
    versions: (key) => facts.filter((fact) => naturalKey(fact) === key),
  };
}

function importFile(file: readonly Report[], before: readonly Fact[] = []): readonly Fact[] {
  const stamping = new Stamping(() => 1_000_000, { sequence: before.length, liveAt: null });
  return stampBatch(file, stamping, listed(before)).facts;
}

const series = (value: number, releasedAt?: number): Report => ({
  source: 's',
  effectiveAt: 0,
  body: { kind: 'series', series: 'CPI', date: '2026-01-01', value },
  ...(releasedAt === undefined ? {} : { releasedAt }),
});
const price = (close: number, releasedAt?: number): Report => ({
  source: 's',
  effectiveAt: 0,
  body: { kind: 'price', ticker: 'A', date: '2026-01-01', open: 1, high: 1, low: 1, close, volume: 1 },
  ...(releasedAt === undefined ? {} : { releasedAt }),
});

const release = fc.integer({ min: 1, max: 6 });
const value = fc.integer({ min: 1, max: 3 });

describe('a file imported twice', () => {
  it('adds nothing, whatever releases of a series it holds in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, release), { maxLength: 20 }), (lines) => {
        const file = lines.map(([v, at]) => series(v, at));
        expect(importFile(file, importFile(file))).toEqual([]);
      }),
    );
  });

  it('adds nothing when prices come in the order of their releases', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, release), { maxLength: 20 }), (lines) => {
        const first = new Map(lines.map(([v, at]) => [at, v]));
        const file = [...first].sort(([a], [b]) => a - b).map(([at, v]) => price(v, at));
        const stored = importFile(file);
        expect(importFile(file, stored)).toEqual([]);
        // Nothing that was in force at any instant may be lost with the duplicates.
        for (const { releasedAt, body } of file) {
          expect(stored.filter((fact) => fact.knownAt <= releasedAt!).at(-1)?.body).toEqual(body);
        }
      }),
    );
  });
});

describe('live reports', () => {
  it('are kept exactly where the value changes', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const changes = values.filter((v, i) => i === 0 || v !== values[i - 1]);
        const facts = importFile(values.map((v) => price(v)));
        expect(facts.map(({ body }) => body.kind === 'price' && body.close)).toEqual(changes);
      }),
    );
  });
});

describe('stamps', () => {
  it('move only when they are accepted', () => {
    const stamping = new Stamping(() => 50, EMPTY_TAIL);
    const proposed = stamping.propose(price(1));
    expect(stamping.propose(price(2))).toEqual(proposed);
    expect(stamping.tail).toEqual(EMPTY_TAIL);
    stamping.accept(proposed);
    expect(stamping.tail).toEqual({ sequence: 1, liveAt: 50 });
    expect(stamping.stamp(price(2, 7))).toMatchObject({ sequence: 2, knownAt: 7, backfilled: true });
    expect(stamping.frame(0)).toEqual({ sequence: 3, knownAt: 51 });
    expect(stamping.beside(51)).toEqual({ sequence: 4, knownAt: 51 });
    expect(stamping.tail).toEqual({ sequence: 4, liveAt: 51 });
  });
});

it('keeps natural keys apart whose parts only look alike', () => {
  const changed = (provider: string, id: string): Report => ({
    source: 's',
    effectiveAt: 0,
    body: { kind: 'post_change', provider, id, change: 'deleted', excerpt: null },
  });
  expect(naturalKey(changed('a', '1:b'))).not.toBe(naturalKey(changed('a1:', 'b')));
  expect(naturalKey(changed('a', 'b'))).toBe(naturalKey(changed('a', 'b')));
});
