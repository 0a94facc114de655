// Terms in texts, weekly shares, and how unusual they are.
import { expect, it } from 'vitest';
import { AttentionShares, attentionWeek } from './attention-shares.js';
import { narrativesIn } from './attention-terms.js';
import { NARRATIVE_COUNT, NARRATIVES } from './catalogue/narratives.js';
import { weekStep } from './sessions.js';

const slugsIn = (text: string): string[] => narrativesIn(text).map((place) => NARRATIVES[place]!.slug);

it('finds terms as whole words, whatever their case and punctuation', () => {
  expect(slugsIn('Is a SOFT-landing still possible?')).toEqual(['soft-landing']);
  expect(slugsIn('New tariffs! Section 301 again.')).toEqual(['tariffs']);
  expect(slugsIn('recession fears, layoffs, credit spreads')).toEqual(['hard-landing', 'credit-crunch']);
  expect(slugsIn('the gridlock of NATOs name')).toEqual(['geopolitics-defence']);
  expect(slugsIn('a recessional hymn')).toEqual([]);
  expect(slugsIn('')).toEqual([]);
  expect(slugsIn('AI bubble or AI capex? AI bubble.')).toEqual(['ai-capex', 'ai-bubble']);
});

it('finds every term of the catalogue in itself', () => {
  NARRATIVES.forEach((row, place) => {
    for (const term of row.terms) expect(narrativesIn(`so: ${term}.`), term).toContain(place);
  });
});

it('counts a post in the week whose step comes next', () => {
  const step = weekStep(2800);
  expect(attentionWeek(step)).toBe(2800);
  expect(attentionWeek(step + 1)).toBe(2801);
  expect(attentionWeek(step - 1)).toBe(2800);
});

it('measures a week against the three years before it, and only when it is complete', () => {
  const shares = new AttentionShares();
  const counts = (share: number): number[] =>
    Array.from({ length: NARRATIVE_COUNT }, (_, n) => (n === 0 ? share : 5));
  for (let week = 2700; week < 2800; week += 1) {
    shares.add({ week, posts: 1000, narratives: counts(week === 2799 ? 60 : 4 + (week % 3)) });
  }
  expect(shares.at(weekStep(2740))[0]).toBeNaN();
  expect(Math.abs(shares.at(weekStep(2790))[0]!)).toBeLessThan(1);
  expect(Math.abs(shares.at(weekStep(2799) - 1)[0]!)).toBeLessThan(1);
  expect(shares.at(weekStep(2799))[0]).toBe(5);
  expect(shares.at(weekStep(2799))[1]).toBe(0);
  expect(shares.at(weekStep(2800))[0]).toBeNaN();
  const again = new AttentionShares();
  for (const week of shares.weeks()) again.add(week);
  expect(again.at(weekStep(2799))).toEqual(shares.at(weekStep(2799)));
});
