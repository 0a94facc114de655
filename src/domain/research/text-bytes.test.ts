// Bytes of a text that comes in pieces: the same as of the whole, beyond the first buffer and with characters of all sizes.
import { expect, test } from 'vitest';
import { TextBytes } from './text-bytes.js';

test('gathers any text, and begins anew', () => {
  const bytes = new TextBytes();
  for (const [piece, times] of [
    ['plain', 10],
    ['é€😀 "quoted" ', 200_000],
    ['x'.repeat(100_000), 3],
    ['', 1],
  ] as const) {
    bytes.clear();
    for (let i = 0; i < times; i++) bytes.add(piece);
    expect(bytes.all().equals(Buffer.from(piece.repeat(times)))).toBe(true);
  }
});
