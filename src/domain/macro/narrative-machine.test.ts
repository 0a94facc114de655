// The life of narratives: every transition of the table, and no jump over a hold or a dwell.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  NARRATIVE_START,
  type NarrativeDay,
  type NarrativeMachine,
  type NarrativeState,
  stepNarrative,
} from './narrative-machine.js';
import { NARRATIVE } from './parameters.js';

const day = (z: number, momentum = 0, more: Partial<NarrativeDay> = {}): NarrativeDay => ({
  z,
  momentum,
  attention: null,
  drivers: z,
  isTop: false,
  ...more,
});

function walk(
  days: readonly (NarrativeDay | null)[],
  from: NarrativeMachine = NARRATIVE_START,
): NarrativeState[] {
  let machine = from;
  return days.map((one) => {
    machine = stepNarrative(machine, one);
    return machine.state;
  });
}

const days = (n: number, one: NarrativeDay): NarrativeDay[] => Array.from({ length: n }, () => one);
const after = (...parts: NarrativeDay[][]): NarrativeState => walk(parts.flat()).at(-1)!;

const ASLEEP = days(6, day(0));
const EMERGED = days(5, day(1.2, 0.4));
const BUILT = days(6, day(2, 0.1));
const LED = days(6, day(3.2));

it('follows the table', () => {
  expect(after(ASLEEP)).toBe('Dormant');
  expect(after(ASLEEP, days(9, day(1.2, 0.1)))).toBe('Dormant');
  expect(after(ASLEEP, EMERGED)).toBe('Emerging');
  expect(after(ASLEEP, EMERGED, days(6, day(0.4)))).toBe('Dormant');
  expect(after(ASLEEP, EMERGED, BUILT)).toBe('Building');
  expect(after(ASLEEP, EMERGED, BUILT, days(6, day(0.9)))).toBe('Weakening');
  expect(after(ASLEEP, EMERGED, BUILT, LED)).toBe('Dominant');
  expect(after(ASLEEP, EMERGED, BUILT, LED, days(6, day(2.3)))).toBe('Dominant');
  expect(after(ASLEEP, EMERGED, BUILT, LED, days(6, day(2.2)))).toBe('Weakening');
  const weak = [ASLEEP, EMERGED, BUILT, LED, days(6, day(1.5))] as const;
  expect(after(...weak)).toBe('Weakening');
  expect(after(...weak, days(6, day(0.7)))).toBe('Dormant');
  expect(after(...weak, days(6, day(2, 0.6)))).toBe('Building');
  expect(after(...weak, days(6, day(3.1, 0.6)))).toBe('Dominant');
});

it('lets the leader of a quiet field dominate after ten days, if it is strong', () => {
  const leading = (z: number, n: number): NarrativeDay[] => days(n, day(z, 0, { isTop: true }));
  expect(after(ASLEEP, EMERGED, BUILT, leading(2.2, 12))).toBe('Dominant');
  expect(after(ASLEEP, EMERGED, BUILT, leading(1.9, 30))).toBe('Building');
  expect(after(ASLEEP, EMERGED, BUILT, leading(2.2, 9))).toBe('Building');
});

it('calls talk without data contested, and goes back when they agree', () => {
  const talk = days(14, day(0.8, 0, { attention: 2, drivers: -1 }));
  expect(after(ASLEEP, talk)).toBe('Contested');
  expect(after(ASLEEP, talk, days(6, day(0.2, 0, { attention: 0.5, drivers: -0.4 })))).toBe('Dormant');
});

it('waits for a measurement and survives a gap', () => {
  expect(walk([null, null, day(2)])).toEqual(['Warming', 'Warming', 'Dormant']);
  const gap = walk([...ASLEEP, ...EMERGED, null, null, ...days(2, day(1.2))]);
  expect(gap.at(-1)).toBe('Emerging');
});

it('never changes state before its dwell, nor without three days in a row', () => {
  const step = fc.record({
    z: fc.double({ min: -1, max: 4, noNaN: true }),
    momentum: fc.double({ min: -1, max: 1, noNaN: true }),
    attention: fc.option(fc.double({ min: -3, max: 5, noNaN: true })),
    drivers: fc.option(fc.double({ min: -3, max: 3, noNaN: true })),
    isTop: fc.boolean(),
  });
  const spell = fc.tuple(step, fc.integer({ min: 1, max: 15 })).map(([one, n]) => days(n, one));
  fc.assert(
    fc.property(fc.array(spell, { minLength: 5, maxLength: 30 }), (spells) => {
      const list = spells.flat();
      let machine = NARRATIVE_START;
      let began = 0;
      list.forEach((one, i) => {
        const next = stepNarrative(machine, one);
        if (next.state !== machine.state && machine.state !== 'Warming') {
          expect(i - began).toBeGreaterThanOrEqual(NARRATIVE.dwellSteps);
          expect(machine.held).toBeGreaterThanOrEqual(NARRATIVE.holdSteps - 1);
        }
        if (next.state !== machine.state) began = i;
        machine = next;
      });
    }),
  );
});
