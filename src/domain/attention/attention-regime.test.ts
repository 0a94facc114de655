// The level against its weeks, and the state of attention with its hysteresis, worked out by hand.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../kernel/instant.js';
import { levelOf, sameSlots } from './attention-level.js';
import { type HourlyReference, regimeState, type Sighting } from './attention-regime.js';

describe('level', () => {
  it('is a distance from the median in robust deviations', () => {
    // Median 100, absolute deviations 0, 4, 4, 10, 10 with the median 4.
    const level = levelOf(112, [100, 96, 104, 90, 110]);
    expect(level).toMatchObject({ median: 100, weeks: 5, reason: null });
    expect(level.spread).toBeCloseTo(4 * 1.4826, 3);
    expect(level.z).toBeCloseTo(12 / (4 * 1.4826), 4);
  });

  it('is null with a reason when the weeks are few or all alike', () => {
    expect(levelOf(5, [1, 2])).toMatchObject({ z: null, weeks: 2, reason: 'short_history' });
    expect(levelOf(5, [1, 1, 1, 9])).toMatchObject({
      z: null,
      median: 1,
      spread: 0,
      reason: 'flat_baseline',
    });
  });

  it('looks at the end of its slot in eight weeks', () => {
    const slot = 40 * 7 * DAY + 3 * HOUR + 5 * MINUTE;
    const end = slot + 5 * MINUTE - 1;
    const slots = sameSlots(slot + 4 * MINUTE);
    expect(slots).toEqual(sameSlots(slot));
    expect([slots.length, slots[0], slots[7]]).toEqual([8, end - 7 * DAY, end - 56 * DAY]);
  });
});

/** 1 to 24: the 10th percentile is 3.3, the 20th 5.6, the 90th 21.7, the 99th 23.77. */
const HOURS = Array.from({ length: 24 }, (_, i) => i + 1);
const REFERENCE: HourlyReference = { effective: HOURS, breadth: HOURS, turnover: HOURS };

const seen = (z: number | null, over: Partial<Sighting> = {}): Sighting => ({
  level: {
    activity: 1,
    z,
    median: 0,
    spread: 1,
    weeks: 8,
    reason: z === null ? 'flat_baseline' : null,
  },
  effective: 12,
  breadth: 12,
  turnover: 12,
  ...over,
});

const states = (sightings: readonly Sighting[], reference = REFERENCE) =>
  sightings.map((_, i) => regimeState(sightings.slice(0, i + 1), reference).state);

describe('regime', () => {
  it('rises at 2, falls below 1.5, and is quiet from -1', () => {
    expect(states([1.9, 2, 1.6, 1.5, 1.49, 0, 0, -0.9, -1].map((z) => seen(z)))).toEqual([
      'normal',
      'elevated_broad',
      'elevated_broad',
      'elevated_broad',
      'normal',
      'normal',
      'normal',
      'normal',
      'quiet',
    ]);
  });

  it('stays for three frames once it has begun', () => {
    const walk = [seen(0), seen(3), seen(0), seen(0), seen(0)];
    expect(states(walk)).toEqual(['normal', 'elevated_broad', 'elevated_broad', 'elevated_broad', 'normal']);
    expect(regimeState(walk.slice(0, 4), REFERENCE).cycles).toBe(3);
    // The first one was not seen to begin.
    expect(states([seen(3), seen(0)])).toEqual(['elevated_broad', 'normal']);
  });

  it('calls an elevated market concentrated when few tickers hold it, and not many are surprising', () => {
    const held = (effective: number | null, breadth: number | null = 12) => seen(3, { effective, breadth });
    expect(states([held(3.2)])).toEqual(['elevated_concentrated']);
    expect(states([held(3.4)])).toEqual(['elevated_broad']);
    expect(states([held(3.2, 21.8)])).toEqual(['elevated_broad']);
    expect(states([held(null)])).toEqual(['elevated_broad']);
    expect(states([held(3.2), held(5.5), held(5.7)])).toEqual([
      'elevated_concentrated',
      'elevated_concentrated',
      'elevated_broad',
    ]);
  });

  it('is disorderly after three restless frames, whatever the level', () => {
    const restless = seen(null, { turnover: 23.8 });
    expect(states([restless, restless, restless])).toEqual([null, null, 'disorderly']);
    expect(states([restless, seen(null), restless, restless])).toEqual([null, null, null, null]);
    expect(states([1, 2, 3].map(() => seen(0, { turnover: 23.7 })))).toEqual(['normal', 'normal', 'normal']);
  });

  it('says why it cannot tell, and does not hold on to what it knew', () => {
    expect(regimeState([seen(3), seen(null)], REFERENCE)).toEqual({
      state: null,
      reason: 'flat_baseline',
      cycles: 1,
    });
    const short = { ...REFERENCE, effective: HOURS.slice(0, 11) };
    expect(regimeState([seen(3)], short)).toMatchObject({ state: null, reason: 'short_reference' });
    expect(regimeState([seen(0)], short)).toMatchObject({ state: 'normal', reason: null });
    const calm = { ...REFERENCE, turnover: HOURS.slice(0, 11) };
    expect(
      states(
        [1, 2, 3].map(() => seen(0, { turnover: 99 })),
        calm,
      ),
    ).not.toContain('disorderly');
  });
});
