import { expect, it } from 'vitest';
import { keyId, keySha256, makeKey } from './key-text.js';

it('makes keys that are recognised by their id', () => {
  const { id, text } = makeKey('test');
  expect(text).toMatch(/^baro_test_[1-9A-HJ-NP-Za-km-z]{10}_[0-9A-Za-z]{38}$/);
  expect(keyId(text)).toBe(id);
  expect(keySha256(text)).toMatch(/^[0-9a-f]{64}$/);
});

it('refuses a key in which any one character was changed', () => {
  const { text } = makeKey('live');
  for (let i = 0; i < text.length; i++) {
    const changed = text.slice(0, i) + (text[i] === 'x' ? 'y' : 'x') + text.slice(i + 1);
    expect(keyId(changed)).toBeNull();
  }
});

it('never makes the same key twice', () => {
  const keys = new Set(Array.from({ length: 500 }, () => makeKey('live').text));
  expect(keys.size).toBe(500);
});
