// Canonical JSON against the RFC 8785 test data, and against everything it must refuse.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, MAX_DEPTH, NotCanonical, parseStrictJson } from './canonical-json.js';
import golden from './golden/canonical-json.json' with { type: 'json' };

/** The pointer of the fault, or undefined when there was none. */
function faultOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof NotCanonical) return error.pointer;
    throw error;
  }
}

const doubleOf = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE(0);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const HIGH = '\ud83d';
const LOW = '\ude00';

describe('the published test data', () => {
  it.each(golden.texts)('$id', ({ input_json_text, expected_canonical_hex, expected_sha256 }) => {
    for (const value of [parseStrictJson(input_json_text), JSON.parse(input_json_text)]) {
      const bytes = Buffer.from(canonicalJson(value));
      expect(bytes.toString('hex')).toBe(expected_canonical_hex);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected_sha256);
    }
  });

  it.each(golden.numbers)('double %s is written %s', (hex, text) => {
    expect(canonicalJson(doubleOf(hex!))).toBe(text);
  });

  it.each(golden.numbers_must_fail)('double %s is refused', (hex) => {
    expect(faultOf(() => canonicalJson(doubleOf(hex)))).toBe('');
  });
});

describe('writing', () => {
  it('orders keys by UTF-16 code units, not by code points', () => {
    // U+1F600 starts with the unit D83D and so goes before U+FB33, which is the smaller code point.
    expect(canonicalJson({ '\ufb33': 1, [HIGH + LOW]: 2, '\u20ac': 3, '\r': 4, '1': 5 })).toBe(
      `{"\\r":4,"1":5,"\u20ac":3,"${HIGH + LOW}":2,"\ufb33":1}`,
    );
  });

  it('escapes only what must be escaped', () => {
    expect(canonicalJson('\b\t\n\f\r"\\/\u0000\u001f\u007f\u2028é')).toBe(
      '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\u007f\u2028é"',
    );
  });

  it('keeps objects of one shape, of a like first key and of another order apart', () => {
    const rows = [
      { a: 1, c: 2, b: 3 },
      { a: 1, c: 2 },
      { a: 1, b: 2 },
      { b: 1, a: 2 },
      {},
      { a: 1, c: 2, b: 3 },
    ];
    expect(canonicalJson(rows)).toBe(
      '[{"a":1,"b":3,"c":2},{"a":1,"c":2},{"a":1,"b":2},{"a":2,"b":1},{},{"a":1,"b":3,"c":2}]',
    );
  });

  it('stays right when more shapes and more keys pass by than are remembered', () => {
    for (let i = 0; i < 2500; i++) {
      expect(canonicalJson({ [`k${i}`]: 1, a: 2 })).toBe(`{"a":2,"k${i}":1}`);
    }
    const keys = Array.from({ length: 500 }, (_, i) => `m${String(i).padStart(3, '0')}`);
    const backwards = Object.fromEntries([...keys].reverse().map((key) => [key, 0]));
    expect(canonicalJson(backwards)).toBe(`{${keys.map((key) => `"${key}":0`).join(',')}}`);
  });

  it('accepts null-prototype objects, a shared (not cyclic) value and an own __proto__ member', () => {
    const shared = [1];
    const bare: Record<string, unknown> = Object.create(null);
    bare['x'] = shared;
    bare['y'] = shared;
    expect(canonicalJson(bare)).toBe('{"x":[1],"y":[1]}');
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  const cycle: { a: unknown[] } = { a: [0] };
  cycle.a.push(cycle);
  class Row {
    x = 1;
  }
  it.each<[string, unknown, string]>([
    ['NaN', { a: [1, Number.NaN] }, '/a/1'],
    ['Infinity', [Number.POSITIVE_INFINITY], '/0'],
    ['-Infinity', { 'a/b~c': Number.NEGATIVE_INFINITY }, '/a~1b~0c'],
    ['undefined', undefined, ''],
    ['an undefined member', { a: 1, b: undefined }, '/b'],
    ['a hole in an array', Object.assign([], { length: 1 }), '/0'],
    ['a function', { toJSON: () => 1 }, '/toJSON'],
    ['a symbol', [Symbol('s')], '/0'],
    ['a symbol key', { a: { [Symbol('s')]: 1 } }, '/a'],
    ['a bigint', { n: 1n }, '/n'],
    ['a cycle', cycle, '/a/1'],
    ['a Map', { m: new Map() }, '/m'],
    ['a Set', new Set(), ''],
    ['a Date', [new Date(0)], '/0'],
    ['a Buffer', Buffer.alloc(1), ''],
    ['a boxed string', { s: Object('s') }, '/s'],
    ['a class instance', [[new Row()]], '/0/0'],
    ['an inherited member', { o: Object.create({ a: 1 }) }, '/o'],
    ['a high surrogate alone', `a${HIGH}`, ''],
    ['a low surrogate alone', ['ok', LOW], '/1'],
    ['surrogates in the wrong order', { s: LOW + HIGH }, '/s'],
    ['a pair and one too many', { s: HIGH + LOW + LOW }, '/s'],
    ['a lone surrogate in a key', { k: { [HIGH]: 1 } }, '/k/\ufffd'],
  ])('refuses %s', (_, value, pointer) => {
    expect(faultOf(() => canonicalJson(value))).toBe(pointer);
  });

  it('names the fault and the place in its message', () => {
    expect(() => canonicalJson({ a: [1n] })).toThrow('a value of type bigint at /a/0');
    expect(() => canonicalJson(Number.NaN)).toThrow('NaN is not a JSON number at the root');
  });

  it('limits the depth where the reader does', () => {
    const deepest: unknown = JSON.parse(nested(MAX_DEPTH));
    expect(parseStrictJson(canonicalJson(deepest))).toEqual(deepest);
    expect(faultOf(() => canonicalJson([deepest]))).toBe('/0'.repeat(MAX_DEPTH));
  });
});

describe('reading', () => {
  it.each<[string, string]>([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['[{"x":{"b":1,"c":2,"b":3}}]', '/0/x/b'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"\\ud83d\\ude00":1,"😀":2}', `/${HIGH}${LOW}`],
    ['{"":1,"":2}', '/'],
    ['{"constructor":1,"1":2,"constructor":3}', '/constructor'],
  ])('refuses the duplicate key in %s', (text, pointer) => {
    expect(faultOf(() => parseStrictJson(text))).toBe(pointer);
  });

  it.each(['"\\ud83d"', '"\\ude00\\ud83d"', `"${HIGH}"`, `"${HIGH}\\u0041"`, '"\\uDC00"'])(
    'refuses the lone surrogate in %s',
    (text) => {
      expect(faultOf(() => parseStrictJson(`[${text}]`))).toBe('/0');
      expect(faultOf(() => parseStrictJson(`{${text}:1}`))).toBe('/');
    },
  );

  it.each(['1e400', '-1e400'])('refuses %s, which no double holds', (text) => {
    expect(faultOf(() => parseStrictJson(text))).toBe('');
  });

  it('refuses deep nesting before it can exhaust the stack', () => {
    expect(parseStrictJson(nested(MAX_DEPTH))).toBeDefined();
    expect(faultOf(() => parseStrictJson(nested(MAX_DEPTH + 1)))).toBe('/0'.repeat(MAX_DEPTH));
    expect(faultOf(() => parseStrictJson('{"a":'.repeat(1_000_000)))).toBe('/a'.repeat(MAX_DEPTH));
  });

  it.each(golden.malformed)('refuses %j, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(faultOf(() => parseStrictJson(text))).toBeDefined();
  });

  it('keeps an own __proto__ member and the prototype clean', () => {
    const value = parseStrictJson('{"__proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

const wellFormed = fc.string({ unit: 'grapheme-composite' });
const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme-composite' });

describe('properties', () => {
  it('what is written is read back alike by both parsers, and writing again changes nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
        expect(canonicalJson(parseStrictJson(text))).toBe(text);
      }),
    );
  });

  it('any layout of any value is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, '\t', '\r\n '), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts and refuses damaged text as JSON.parse does, but for its own extra rules', () => {
    const damaged = fc
      .tuple(json, fc.nat(), fc.constantFrom('', '"', ',', '}', '[', '\\', '0', ' ', '-', 'e', 't'))
      .map(([value, at, patch]) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + patch + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(faultOf(() => parseStrictJson(text))).toBeDefined();
          return;
        }
        try {
          expect(parseStrictJson(text)).toEqual(expected);
        } catch (error) {
          if (!(error instanceof NotCanonical)) throw error;
          expect(error.message).toMatch(/duplicate key|lone surrogate|beyond the range/);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('sorts any keys as the code unit comparison does', () => {
    fc.assert(
      fc.property(fc.dictionary(wellFormed, fc.constant(0), { maxKeys: 20 }), (members) => {
        const keys = [...canonicalJson(members).matchAll(/("(?:[^"\\]|\\.)*"):0/g)].map((m) =>
          JSON.parse(m[1]!),
        );
        expect(keys).toEqual(Object.keys(members).sort((a, b) => (a < b ? -1 : 1)));
      }),
    );
  });
});

describe('cost', () => {
  /** The least of several runs: what the code needs, whatever else the machine is doing. */
  const leastMs = (act: () => unknown, runs: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < runs; i++) {
      const start = performance.now();
      act();
      least = Math.min(least, performance.now() - start);
    }
    return least;
  };

  it('reading is linear: eight times the text takes nowhere near sixty-four times the time', () => {
    const members = (n: number): string =>
      `{${Array.from({ length: n }, (_, i) => `"key${i}":"\\n${i}"`).join(',')}}`;
    const small = members(5_000);
    const large = members(40_000);
    const ratio = leastMs(() => parseStrictJson(large), 5) / leastMs(() => parseStrictJson(small), 5);
    expect(ratio).toBeLessThan(32);
  });

  it('5,000 rows of fifteen members are written well within a cycle', () => {
    const row = (i: number) =>
      Object.fromEntries(
        Array.from({ length: 15 }, (_, m) => [
          `member_${(m * 7) % 15}`,
          m % 3 ? Math.sin(i * m) : `text ${i}`,
        ]),
      );
    const rows = Array.from({ length: 5000 }, (_, i) => row(i));
    // About 25 ms on an idle core; the bound only catches a return to sorting every row or worse.
    expect(leastMs(() => canonicalJson(rows), 8)).toBeLessThan(150);
  });
});
