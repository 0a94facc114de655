// Every operation of the service, asked well and badly: the same walk for all, also for those still to come.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FailureCode } from '../../src/contracts/failures.js';
import { type AnswersTo, type Operation, pathParameters } from '../../src/contracts/operation.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { inputShape } from '../../src/surfaces/http/input-shape.js';
import { valueOfText } from '../../src/surfaces/http/text-values.js';
import { expectRefusal, GOOD_KEY, type Running, start } from './harness.js';
import { outputSample } from './output-sample.js';
import { SAMPLES } from './sample-operations.js';

const { board, themes, typed, batch, note, secret } = SAMPLES;
/** The samples bring the forms that no operation of the service may have at the moment. */
const operations = { ...OPERATIONS, board, themes, typed, batch, note, secret };
const list: Operation[] = Object.values(operations);
const answers = Object.fromEntries(
  Object.entries(operations).map(([name, operation]) => [name, async () => outputSample(operation.output)]),
) as unknown as AnswersTo<typeof operations>;

let running: Running;
beforeAll(async () => {
  running = await start({ operations, answers });
});
afterAll(() => running.stop());

type Members = Record<string, unknown>;

interface How {
  readonly method?: string;
  readonly key?: string;
}

function ask(operation: Operation, members: Members, how: How = {}): Promise<Response> {
  const inPath = pathParameters(operation.path);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(members[name])),
  );
  const rest = Object.entries(members).filter(([name]) => !inPath.includes(name));
  const headers = { 'x-api-key': how.key ?? GOOD_KEY };
  const method = how.method ?? operation.method;
  if (operation.method === 'GET' || method !== operation.method) {
    const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
    return fetch(`${running.url}${path}${rest.length === 0 ? '' : '?'}${query.toString()}`, {
      method,
      headers,
    });
  }
  const body = JSON.stringify(Object.fromEntries(rest));
  return fetch(running.url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
}

async function expectCode(response: Response, code: FailureCode): Promise<void> {
  expectRefusal(response.status, await response.json(), code);
}

const OWN_CODES: Record<string, FailureCode> = {
  ticker: 'invalid_ticker',
  symbol: 'invalid_symbol',
  limit: 'invalid_limit',
  interval: 'invalid_interval',
  as_of: 'invalid_as_of',
  cursor: 'invalid_cursor',
  channels: 'invalid_channel',
};
const BAD_TEXTS = [
  '',
  'x'.repeat(900),
  '-1',
  '0',
  '1.5',
  '٣',
  ' 1',
  'nothing_like_it',
  '99999999999999999999',
];

describe.each(list)('$name', (operation) => {
  const example = operation.example as Members;
  const { members } = inputShape(operation);

  test('answers its example with what the contract promises', async () => {
    const response = await ask(operation, example);
    const body: unknown = await response.json();
    expect(operation.output.safeParse(body).error).toBeUndefined();
    expect(response.status).toBe(operation.status?.(body as never) ?? 200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  const forGet = operation.method === 'GET' ? test : () => undefined;
  const forKeyed = operation.access.kind === 'key' ? test : () => undefined;

  forGet('answers HEAD like GET, without the body', async () => {
    const get = await ask(operation, example);
    const head = await ask(operation, example, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      get.status,
      get.headers.get('content-length'),
    ]);
    expect(await head.text()).toBe('');
  });

  test('refuses a parameter that it does not have', async () => {
    await expectCode(await ask(operation, { ...example, surely_unknown: '1' }), 'unknown_parameter');
  });

  test('refuses other methods and names its own', async () => {
    const response = await ask(operation, example, { method: 'DELETE' });
    expect(response.headers.get('allow')).toContain(operation.method);
    await expectCode(response, 'method_not_allowed');
  });

  forKeyed('refuses callers without a key', async () => {
    await expectCode(await ask(operation, example, { key: '' }), 'unauthorized');
  });

  test.each([...members.keys()])('refuses bad values of %s', async (name) => {
    const inAddress = operation.method === 'GET' || pathParameters(operation.path).includes(name);
    const shape = members.get(name)!;
    const texts = pathParameters(operation.path).includes(name) ? BAD_TEXTS.slice(1) : BAD_TEXTS;
    const candidates: unknown[] = inAddress ? texts : [{ not: 'this' }];
    const refused = candidates.filter((value) => {
      const read = inAddress ? valueOfText(String(value), shape) : value;
      return !operation.input.safeParse({ ...example, [name]: read }).success;
    });
    expect(refused).not.toEqual([]);
    for (const value of refused) {
      const response = await ask(operation, { ...example, [name]: value });
      // In the address every text is a list; what is wrong is a ticker in it.
      const own = name === 'tickers' && inAddress ? 'invalid_ticker' : OWN_CODES[name];
      await expectCode(response, own ?? (inAddress ? 'invalid_parameter' : 'invalid_body'));
    }
  });

  forGet('refuses a parameter given twice', async () => {
    const name = [...members.keys()].find((one) => !pathParameters(operation.path).includes(one));
    if (name === undefined) return;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, one: string) => String(example[one]));
    const response = await fetch(`${running.url}${path}?${name}=1&${name}=1`, {
      headers: { 'x-api-key': GOOD_KEY },
    });
    await expectCode(response, OWN_CODES[name] ?? 'invalid_parameter');
  });

  test('is listed in the document that the server gives out', async () => {
    const document = (await (await fetch(`${running.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(document.paths[operation.path]?.[operation.method.toLowerCase()]?.operationId).toBe(
      operation.name,
    );
  });
});
