import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../kernel/instant.js';
import { seededRandom } from '../../kernel/statistics/seeded-random.js';
import { alike, NarrativeIndex } from './narrative-index.js';
import { sketchText } from './text-sketch.js';

const STORY =
  'breaking takeover of the little company announced at a huge premium board agrees to everything tonight';
const sketch = (text: string): Uint32Array => sketchText(text).shingles;

describe('narratives', () => {
  it('puts a text, its repost and its small edits into one narrative', () => {
    const index = new NarrativeIndex();
    const first = index.assign(1, sketch(STORY), 0);
    expect(first).toBe(1);
    expect(index.assign(2, sketch(`RT @someone: ${STORY} https://t.example/x`), HOUR)).toBe(1);
    expect(index.assign(3, sketch(`${STORY} wow 123`), 2 * HOUR)).toBe(1);
    expect(
      index.assign(4, sketch('an entirely different remark about the weather in the mountains today'), HOUR),
    ).toBe(4);
  });

  it('forgets a leader after a day', () => {
    const index = new NarrativeIndex();
    index.assign(1, sketch(STORY), 0);
    expect(index.assign(2, sketch(STORY), DAY - 1)).toBe(1);
    expect(index.assign(3, sketch(STORY), DAY + HOUR)).toBe(3);
  });

  it('compares short texts exactly', () => {
    const index = new NarrativeIndex();
    index.assign(1, sketch('to the moon'), 0);
    expect(index.assign(2, sketch('To the MOON!'), 1)).toBe(1);
    expect(index.assign(3, sketch('to the sun'), 2)).toBe(3);
  });

  it('goes on after a restart as if it had never stopped', () => {
    const random = seededRandom('narratives');
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');
    const posts = Array.from({ length: 400 }, (_, i) => {
      const text = Array.from({ length: 8 }, () => words[random.integer(0, words.length - 1)]!).join(' ');
      return { key: i + 1, shingles: sketch(i % 3 === 0 ? STORY : text), at: i * 60 * 1e6 };
    });
    const whole = new NarrativeIndex();
    const expected = posts.map(({ key, shingles, at }) => whole.assign(key, shingles, at));
    const restarted = new NarrativeIndex();
    posts.slice(0, 200).forEach(({ key, shingles, at }, i) => {
      restarted.restore(key, expected[i]!, shingles, at);
    });
    const rest = posts.slice(200).map(({ key, shingles, at }) => restarted.assign(key, shingles, at));
    expect(rest).toEqual(expected.slice(200));
  });

  it('finds what comparing all pairs finds, but for a few in a thousand', () => {
    const random = seededRandom('all pairs');
    const words = Array.from(
      { length: 60 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26))}${'z'.repeat(i % 5)}`,
    );
    const texts: string[][] = [];
    for (let i = 0; i < 4000; i++) {
      const base = i > 20 && random.chance(0.5) ? [...texts[random.integer(0, i - 1)]!] : [];
      const text = base.length > 0 ? base : Array.from({ length: 24 }, () => random.pick(words));
      if (base.length > 0) text[random.integer(0, text.length - 1)] = random.pick(words);
      texts.push(text);
    }
    const index = new NarrativeIndex();
    const leaders: { key: number; shingles: Uint32Array }[] = [];
    let joined = 0;
    let missed = 0;
    texts.forEach((text, key) => {
      const shingles = sketch(text.join(' '));
      const expected = leaders.find((leader) => alike(shingles, leader.shingles))?.key ?? key;
      const assigned = index.assign(key, shingles, key);
      if (expected !== key) joined++;
      if (assigned !== expected) missed++;
      if (assigned === key) leaders.push({ key, shingles });
    });
    expect(joined).toBeGreaterThan(1000);
    expect(missed / joined).toBeLessThan(0.005);
  });

  it('estimates long texts from their smallest shingles', () => {
    const long = Array.from(
      { length: 400 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 7)}${'y'.repeat(i % 11)}`,
    );
    const edited = [...long];
    edited[10] = 'changed';
    expect(alike(sketch(long.join(' ')), sketch(edited.join(' ')))).toBe(true);
    expect(alike(sketch(long.join(' ')), sketch(STORY))).toBe(false);
  });
});
