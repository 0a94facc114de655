// Lines come out the same however the bytes are cut, and a line without end is never held.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LineFlaw, LineSplitter } from './line-splitter.js';

type Taken = readonly [text: string, flaw: LineFlaw | null, oddQuotes: boolean];

function split(chunks: readonly Buffer[], longest?: number): Taken[] {
  const taken: Taken[] = [];
  const splitter = new LineSplitter((...line) => taken.push(line), longest);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return taken;
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

it('gives the same lines for any cut of the bytes', () => {
  const lines = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\n')),
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 40 }), fc.boolean(), (texts, size, closed) => {
      const bytes = Buffer.from(texts.join('\n') + (closed && texts.length > 0 ? '\n' : ''));
      const expected = !closed && texts.at(-1) === '' ? texts.slice(0, -1) : texts;
      expect(split(cut(bytes, size)).map(([text]) => text)).toEqual(expected);
    }),
  );
});

it('keeps the carriage return, which inside quotes is data', () => {
  expect(split([Buffer.from('a\r\n\r\nb\r')]).map(([text]) => text)).toEqual(['a\r', '\r', 'b\r']);
});

it('marks the lines that are not UTF-8 and only those', () => {
  const bytes = Buffer.concat([
    Buffer.from('é\n'),
    Buffer.from([0x63, 0xe9, 0x0a]),
    Buffer.from('\uFFFD\nlast'),
  ]);
  for (const size of [1, 2, 5, 100]) {
    expect(split(cut(bytes, size)).map(([, flaw]) => flaw)).toEqual([null, 'not UTF-8', null, null]);
  }
});

it('takes a line of exactly the longest length and refuses one byte more', () => {
  for (const size of [1, 7, 1000]) {
    const flaws = (text: string) => split(cut(Buffer.from(text), size), 10).map(([, flaw]) => flaw);
    expect(flaws(`${'x'.repeat(10)}\nb`)).toEqual([null, null]);
    expect(flaws(`${'x'.repeat(11)}\nb`)).toEqual(['too long', null]);
    expect(flaws(`a\n${'x'.repeat(11)}`)).toEqual([null, 'too long']);
  }
});

it('knows the parity of the quotes in a line that it dropped', () => {
  for (const [text, odd] of [
    [`"${'x'.repeat(50)}`, true],
    [`"${'x'.repeat(50)}"`, false],
    [`${'x'.repeat(50)}"`, true],
  ] as const) {
    for (const size of [1, 3, 8, 1000]) {
      expect(split(cut(Buffer.from(`${text}\nnext`), size), 10)[0]!.slice(1)).toEqual(['too long', odd]);
    }
  }
});

it('holds no more than the longest line while a line of one gigabyte goes by', () => {
  const taken: Taken[] = [];
  const splitter = new LineSplitter((...line) => taken.push(line));
  const chunk = Buffer.alloc(256 * 1024, 'x');
  let peak = 0;
  for (let n = 0; n < 4096; n++) {
    splitter.push(chunk);
    peak = Math.max(peak, splitter.buffered);
  }
  splitter.push(Buffer.from('\n{}\n'));
  expect(peak).toBeLessThanOrEqual(1024 * 1024);
  expect(taken.map(([text, flaw]) => [text.length, flaw])).toEqual([
    [8192, 'too long'],
    [2, null],
  ]);
});

it('does not keep the memory of a chunk that is used again', () => {
  const taken: string[] = [];
  const splitter = new LineSplitter((text) => taken.push(text));
  const shared = Buffer.from('first ');
  splitter.push(shared);
  shared.fill('!');
  splitter.push(Buffer.from('second\n'));
  expect(taken).toEqual(['first second']);
});
