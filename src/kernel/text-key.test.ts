import { expect, it } from 'vitest';
import { textKey } from './text-key.js';

it('gives two hundred thousand texts as many different safe integers', () => {
  const keys = new Set<number>();
  for (let i = 0; i < 200_000; i++) {
    const key = textKey(`provider post-${i}`);
    if (i % 1000 === 0) expect(Number.isSafeInteger(key)).toBe(true);
    keys.add(key);
  }
  expect(keys.size).toBe(200_000);
});
