// Text in an address becomes the value that the contract asks for, or is refused with the code of its member.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FailureCode } from '../../src/contracts/failures.js';
import { expectRefusal, type Running, startSamples } from './harness.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples();
});
afterAll(() => running.stop());

async function ask(target: string) {
  const response = await fetch(running.url + target);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('values', () => {
  const usual = { interval: 5, deep: false };
  test.each([
    ['', usual],
    ['interval=300', { ...usual, interval: 300 }],
    ['share=0.25', { ...usual, share: 0.25 }],
    ['share=1', { ...usual, share: 1 }],
    ['deep=true', { ...usual, deep: true }],
    ['channels=indices', { ...usual, channels: ['indices'] }],
    ['channels=indices,conditions', { ...usual, channels: ['indices', 'conditions'] }],
    ['channels=indices%2Cconditions', { ...usual, channels: ['indices', 'conditions'] }],
    ['sizes=1,-2,30', { ...usual, sizes: [1, -2, 30] }],
    ['grade=high&deep=false', { ...usual, grade: 'high' }],
    ['maybe=4', { ...usual, maybe: 4 }],
    ['&&interval=7&', { ...usual, interval: 7 }],
  ])('%s', async (query, input) => {
    expect((await ask(`/sample/typed?${query}`)).body).toEqual({ input });
  });

  test('the colon of a literal may come encoded', async () => {
    for (const colon of [':', '%3A', '%3a']) {
      expect((await ask(`/sample/assets/equity${colon}nvda`)).body).toEqual({ ticker: 'NVDA', as_of: null });
    }
    expect((await ask('/sample/assets/equity%3ABRK%2FB')).body).toEqual({ ticker: 'BRK.B', as_of: null });
  });

  test('an offset with its plus sign encoded', async () => {
    const { body } = await ask('/sample/assets/equity:A?as_of=2026-01-31T14:30:00%2B01:00');
    expect(body).toEqual({ ticker: 'A', as_of: '2026-01-31T14:30:00+01:00' });
  });
});

describe('refusals', () => {
  const interval = [
    '',
    '5.0',
    '0x5',
    '%205',
    '5%20',
    '+5',
    '05',
    '1e2',
    '0',
    '301',
    '-1',
    'five',
    '5,6',
    '٥',
    'NaN',
  ];
  const cases: [string, FailureCode][] = [
    ...interval.map((text): [string, FailureCode] => [`/sample/typed?interval=${text}`, 'invalid_interval']),
    ['/sample/typed?interval=5&interval=5', 'invalid_interval'],
    ['/sample/typed?share=.5', 'invalid_parameter'],
    ['/sample/typed?share=1.', 'invalid_parameter'],
    ['/sample/typed?share=1e-1', 'invalid_parameter'],
    ['/sample/typed?share=Infinity', 'invalid_parameter'],
    ['/sample/typed?deep=1', 'invalid_parameter'],
    ['/sample/typed?deep=TRUE', 'invalid_parameter'],
    ['/sample/typed?deep', 'invalid_parameter'],
    ['/sample/typed?channels=', 'invalid_channel'],
    ['/sample/typed?channels=indices,', 'invalid_channel'],
    ['/sample/typed?channels=indices, conditions', 'invalid_channel'],
    ['/sample/typed?channels=indices&channels=conditions', 'invalid_channel'],
    ['/sample/typed?sizes=1,2.5', 'invalid_parameter'],
    ['/sample/typed?grade=middling', 'invalid_parameter'],
    ['/sample/typed?maybe=null', 'invalid_parameter'],
    ['/sample/typed?Interval=5', 'unknown_parameter'],
    ['/sample/typed?interval%5B%5D=5', 'unknown_parameter'],
    ['/sample/typed?__proto__=1', 'unknown_parameter'],
    ['/sample/typed?constructor=1', 'unknown_parameter'],
    ['/sample/typed?=1', 'unknown_parameter'],
    ['/sample/board?limit=101', 'invalid_limit'],
    ['/sample/board?limit=9007199254740993', 'invalid_limit'],
    ['/sample/board?limit=%ZZ', 'invalid_limit'],
    ['/sample/assets/equity:toolongforaticker', 'invalid_ticker'],
    ['/sample/assets/equity:%00', 'invalid_ticker'],
    ['/sample/assets/equity:A?ticker=B', 'unknown_parameter'],
    ['/sample/assets/equity:A?as_of=2026-01-31', 'invalid_as_of'],
    ['/sample/assets/equity:A?as_of=2026-01-31T14:30:00', 'invalid_as_of'],
    ['/sample/assets/equity:A?as_of=2026-01-31T14:30:00+01:00', 'invalid_as_of'],
    ['/sample/assets/equity:A?as_of=1769869800', 'invalid_as_of'],
  ];
  test.each(cases)('%s', async (target, code) => {
    const { status, body } = await ask(target);
    expectRefusal(status, body, code);
  });

  test('say what is allowed', async () => {
    const message = async (target: string) => (await ask(target)).body['message'];
    expect(await message('/sample/board?limit=0')).toContain('whole number from 1 to 100');
    expect(await message('/sample/board?other=0')).toContain('It takes limit.');
    expect(await message('/sample/slow?other=0')).toContain('It takes none.');
    expect(await message('/sample/typed?grade=x')).toContain('one of low, high');
    expect(await message('/sample/typed?deep=x')).toContain('true or false');
    expect(await message('/sample/typed?share=7')).toContain('a number from 0 to 1');
    expect(await message('/sample/typed?sizes=x')).toContain('`sizes` is a list');
    expect(await message('/sample/typed?channels=x')).toContain('a list from 0 to 2 long');
    expect(await message('/sample/assets/equity:A?as_of=x')).toContain('%2B');
    expect(await message('/sample/typed?sizes=1&sizes=2')).toContain('with commas between');
  });
});
