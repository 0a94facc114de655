import { expect, it } from 'vitest';
import { textKey } from './text-key.js';

it('gives a million different texts a million different safe integers', () => {
  const keys = new Set<number>();
  for (let i = 0; i < 1_000_000; i++) {
    const key = textKey(`provider post-${i}`);
    if (i % 1000 === 0) expect(Number.isSafeInteger(key)).toBe(true);
    keys.add(key);
  }
  expect(keys.size).toBe(1_000_000);
});
