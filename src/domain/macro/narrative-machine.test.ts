// The life of narratives: every transition of the table, and no jump over a hold or a dwell.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NARRATIVES } from './catalogue/narratives.js';
import {
  NARRATIVE_START,
  type NarrativeDay,
  type NarrativeMachine,
  type NarrativeState,
  stepNarrative,
} from './narrative-machine.js';
import { support } from './narrative-strength.js';
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

it('lets the leader of a quiet field dominate on the tenth day, if it would not weaken at once', () => {
  const leading = (z: number, n: number): NarrativeDay[] => days(n, day(z, 0, { isTop: true }));
  expect(after(ASLEEP, EMERGED, BUILT, leading(2.2, 10))).toBe('Dominant');
  expect(after(ASLEEP, EMERGED, BUILT, leading(2.2, 9))).toBe('Building');
  expect(after(ASLEEP, EMERGED, BUILT, leading(1.9, 30))).toBe('Building');
  const peaked = [ASLEEP, EMERGED, BUILT, days(1, day(3.2))] as const;
  expect(after(...peaked, leading(2.2, 30))).toBe('Building');
  expect(after(...peaked, leading(2.3, 30))).toBe('Dominant');
});

it('calls talk without data contested, and goes back when they agree', () => {
  const talk = (n: number) => days(n, day(0.8, 0, { attention: 2, drivers: -1 }));
  expect(after(ASLEEP, talk(9))).toBe('Dormant');
  expect(after(ASLEEP, talk(10))).toBe('Contested');
  expect(after(ASLEEP, talk(14), days(6, day(0.2, 0, { attention: 0.5, drivers: -0.4 })))).toBe('Dormant');
});

it('counts either direction of a two-way narrative as data', () => {
  const place = (twoWay: boolean) => NARRATIVES.findIndex((row) => row.twoWay === twoWay);
  expect([support(place(true), -2), support(place(false), -2)]).toEqual([2, -2]);
});

it('waits for a measurement and survives a gap', () => {
  expect(walk([null, null, day(2)])).toEqual(['Warming', 'Warming', 'Dormant']);
  const gap = walk([...ASLEEP, ...EMERGED, null, null, ...days(2, day(1.2))]);
  expect(gap.at(-1)).toBe('Emerging');
});

it('warms again after more than five days without a measurement', () => {
  const led = [...ASLEEP, ...EMERGED, ...BUILT, ...LED];
  const blank = (n: number): null[] => Array.from({ length: n }, () => null);
  expect(walk([...led, ...blank(5)]).at(-1)).toBe('Dominant');
  expect(walk([...led, ...blank(5), day(3.2), ...blank(5)]).at(-1)).toBe('Dominant');
  expect(walk([...led, ...blank(6)]).at(-1)).toBe('Warming');
  expect(walk([...led, ...blank(750)]).at(-1)).toBe('Warming');
  // It comes back as a narrative of which nothing is known yet, however strong it is.
  expect(walk([...led, ...blank(6), day(3.2)]).at(-1)).toBe('Dormant');
});

it('breaks a row of ten days at a gap', () => {
  const talk = (n: number) => days(n, day(0.8, 0, { attention: 2, drivers: -1 }));
  expect(walk([...ASLEEP, ...talk(9), null, ...talk(9)]).at(-1)).toBe('Dormant');
});

/** Whether a change rests on the row of days that it needs. */
function isEarned(before: NarrativeMachine, { state, topSteps, contestedSteps }: NarrativeMachine): boolean {
  if (state === 'Warming') return before.blankSteps === NARRATIVE.blankSteps;
  if (state === 'Contested') return contestedSteps >= NARRATIVE.contestedSteps;
  const leads = state === 'Dominant' && topSteps >= NARRATIVE.topSteps;
  return leads || before.held >= NARRATIVE.holdSteps - 1;
}

it('never changes state before its dwell, nor without three days in a row or a longer row that led to it', () => {
  const step = fc.record({
    z: fc.double({ min: -1, max: 4, noNaN: true }),
    momentum: fc.double({ min: -1, max: 1, noNaN: true }),
    attention: fc.option(fc.double({ min: -3, max: 5, noNaN: true })),
    drivers: fc.option(fc.double({ min: -3, max: 3, noNaN: true })),
    isTop: fc.boolean(),
  });
  const spell = fc
    .tuple(fc.option(step, { freq: 4 }), fc.integer({ min: 1, max: 15 }))
    .map(([one, n]) => Array.from({ length: n }, () => one));
  fc.assert(
    fc.property(fc.array(spell, { minLength: 5, maxLength: 30 }), (spells) => {
      const list = spells.flat();
      let machine = NARRATIVE_START;
      let began = 0;
      list.forEach((one, i) => {
        const next = stepNarrative(machine, one);
        if (next.state !== machine.state && machine.state !== 'Warming') {
          expect(i - began).toBeGreaterThanOrEqual(NARRATIVE.dwellSteps);
          expect(isEarned(machine, next)).toBe(true);
        }
        if (next.state !== machine.state) began = i;
        machine = next;
      });
    }),
  );
});
