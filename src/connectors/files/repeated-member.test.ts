// Members that a JSON line names twice: found wherever they stand, and nothing else is taken for one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseStrictJson, RepeatedKey } from '../../kernel/canonical-json.js';
import { repeatsMember } from './repeated-member.js';

const repeats = (text: string): boolean => repeatsMember(text, JSON.parse(text) as object);

it.each([
  '{"a":1,"a":2}',
  '{"a":1,"b":2,"a":1}',
  '{"a" : 1, "a"\t:2}',
  '{"a":1,"\\u0061":2}',
  '{"":1,"":1}',
  '{"__proto__":1,"__proto__":2}',
  '{"a":{"b":1,"b":2}}',
  '{"a":[{"b":1},{"c":{"d":1,"d":1}}]}',
  '{"text":":) \\" : {","x":"}","text":"later"}',
])('finds the second name in %s', (text) => {
  expect(repeats(text)).toBe(true);
});

it.each([
  '{}',
  '{"a":1,"b":2}',
  '{"a":":) and \\": and \\\\","b":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '{"a":"x : y","b":"12:30"}',
  '{"constructor":1,"__proto__":{"a":1},"toString":2}',
])('finds none in %s', (text) => {
  expect(repeats(text)).toBe(false);
});

it('agrees with the strict reader on any object', () => {
  const name = fc.constantFrom('a', 'b', ':', '":', '\\u0061', ' ', '{');
  const written = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', '":)"', '" : "', '"\\":{"', 'null', '[]'),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    ),
    object: fc
      .array(fc.tuple(name, fc.constantFrom(':', ' :', ': '), tie('value')), { maxLength: 4 })
      .map(
        (members) =>
          `{${members.map(([key, colon, value]) => `${key.startsWith('\\') ? `"${key}"` : JSON.stringify(key)}${colon}${value}`).join(',')}}`,
      ),
  })).object;
  const strict = (text: string): boolean => {
    try {
      parseStrictJson(text);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(RepeatedKey);
      return true;
    }
  };
  let found = 0;
  fc.assert(
    fc.property(written, (text) => {
      const expected = strict(text);
      if (expected) found += 1;
      expect(repeats(text)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(200);
});

it('gets through the longest lines', () => {
  const many = `{"t":"${'\\n\\":'.repeat(150_000)}","u":{"v":1,"v":2}}`;
  expect(repeats(many)).toBe(true);
  expect(repeats(`{"t":"${':'.repeat(1_000_000)}"}`)).toBe(false);
});
