import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, HELD_STEPS, heldLevel, LEVELS, levelOf } from './anomaly-bands.js';

const levels = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 4 })), {
  minLength: HELD_STEPS + 1,
  maxLength: 200,
});

/** What is shown at every step for which the look-back is complete; `shown[i]` belongs to `raw[i]`. */
function shownOf(raw: readonly number[]): (number | undefined)[] {
  return raw.map((_, i) =>
    i + 1 < HELD_STEPS ? undefined : heldLevel(raw.slice(i + 1 - HELD_STEPS, i + 1)),
  );
}

describe('a held level', () => {
  it('rises at once', () => {
    fc.assert(
      fc.property(levels, (raw) => {
        shownOf(raw).forEach((shown, i) => {
          if (shown !== undefined) expect(shown).toBeGreaterThanOrEqual(raw[i]!);
        });
      }),
    );
  });

  it('rises for no other reason than the newest step', () => {
    fc.assert(
      fc.property(levels, (raw) => {
        const shown = shownOf(raw);
        for (let i = HELD_STEPS; i < raw.length; i++) {
          if (shown[i]! > shown[i - 1]!) expect(shown[i]).toBe(raw[i]);
        }
      }),
    );
  });

  it('never falls within two hours of its rise', () => {
    fc.assert(
      fc.property(levels, (raw) => {
        const shown = shownOf(raw);
        for (let rise = HELD_STEPS; rise < raw.length; rise++) {
          if (shown[rise]! <= shown[rise - 1]!) continue;
          for (let i = rise; i < Math.min(raw.length, rise + 24); i++) {
            expect(shown[i]).toBeGreaterThanOrEqual(shown[rise]!);
          }
        }
      }),
    );
  });

  it('falls only when three steps in a row are below it, and not below the highest of them', () => {
    fc.assert(
      fc.property(levels, (raw) => {
        const shown = shownOf(raw);
        for (let i = HELD_STEPS; i < raw.length; i++) {
          if (shown[i]! >= shown[i - 1]!) continue;
          const last = raw.slice(i - 2, i + 1);
          expect(Math.max(...last)).toBeLessThan(shown[i - 1]!);
          expect(shown[i]).toBeGreaterThanOrEqual(Math.max(...last));
        }
      }),
    );
  });

  it('comes down two hours after a burst of one step', () => {
    const raw = [...Array(HELD_STEPS).fill(1), 4, ...Array(40).fill(1)];
    const shown = shownOf(raw).slice(HELD_STEPS);
    expect(shown.slice(0, 24)).toEqual(Array(24).fill(4));
    expect(shown.slice(24)).toEqual(Array(17).fill(1));
  });

  it('comes down after three steps when it has lasted', () => {
    const raw = [...Array(HELD_STEPS).fill(1), ...Array(30).fill(3), 1, 2, 1, 1];
    expect(shownOf(raw).slice(-5)).toEqual([3, 3, 3, 2, 2]);
  });
});

describe('the level of a step', () => {
  it.each([
    [0.3, 0, false, 1, 'normal'],
    [0, -2, true, 1, 'quiet'],
    [0, 3, true, 1, 'elevated'],
    [2, 0, false, 1, 'elevated'],
    [5, 2.9, false, 0, 'elevated'],
    [3, 3, false, 1, 'high'],
    [9, 5, false, 0.02, 'high'],
    [6, 3, false, 0.01, 'extreme'],
    [Number.NaN, Number.NaN, false, 1, 'normal'],
  ] as const)('surprise %s, trend %s, quiet %s, discovery %s is %s', (surprise, trend, quiet, q, band) => {
    expect(LEVELS[levelOf({ surprise, trend, quiet }, q)]).toBe(band);
  });
});

it('says nothing without eligibility, a week, and four weeks', () => {
  expect(bandOf(4, 1000, false)).toBe('insufficient');
  expect(bandOf(4, 167, true)).toBe('insufficient');
  expect(bandOf(4, 168, true)).toBe('warming');
  expect(bandOf(4, 671, true)).toBe('warming');
  expect(bandOf(4, 672, true)).toBe('extreme');
  expect(bandOf(0, 672, true)).toBe('quiet');
});
