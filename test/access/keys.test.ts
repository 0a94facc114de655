// Who gets in: every route with every scope, one refusal for every fault of a key, rotation and revocation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keySha256 } from '../../src/access/key-text.js';
import { SCOPE_NAMES } from '../../src/access/scopes.js';
import { formatInstant, HOUR } from '../../src/kernel/instant.js';
import { NOON } from '../house/studio.js';
import { expectRefusal } from '../http/harness.js';
import { type Gate, openGate, record, SECRETS, textOf } from './gate.js';
import { GUARDED, type GuardedName } from './guarded-operations.js';

let gate: Gate;
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.running.stop());

const at = (by: number) => formatInstant(NOON + by);
const NAMES = Object.keys(GUARDED) as GuardedName[];

describe('every route with every scope', () => {
  const holders = ['none', ...SCOPE_NAMES, 'everything'];
  const load = () =>
    gate.keys(
      record('none', { scopes: [], plan: 'operator' }),
      ...SCOPE_NAMES.map((scope) => record(scope.replace(':', '-'), { scopes: [scope], plan: 'operator' })),
      record('everything', { plan: 'operator' }),
    );

  test.each(NAMES.flatMap((name) => holders.map((holder) => [name, holder] as const)))(
    '%s with %s',
    async (name, holder) => {
      load();
      const id = holder.replace(':', '-');
      const { access } = GUARDED[name];
      const needed = access.kind === 'key' ? access.scope : null;
      const { status, body, headers } = await gate.ask(name, textOf(id));
      if (needed === null || holder === needed || holder === 'everything') {
        expect(status).toBe(200);
        if (name !== 'customer_usage') expect(body['by']).toBe(access.kind === 'public' ? 'anonymous' : id);
        expect(body['verdict'] ?? false).toBe(
          access.kind !== 'public' &&
            name !== 'customer_usage' &&
            ['realness:verdict', 'everything'].includes(holder),
        );
      } else {
        expectRefusal(status, body, 'insufficient_scope');
        expect(headers.has('x-ratelimit-limit'), 'a refused scope looks at no window').toBe(false);
      }
    },
  );

  test.each(NAMES)('%s without a key', async (name) => {
    load();
    const { status, body } = await gate.ask(name);
    const open = ['open', 'realness', 'asset'].includes(name);
    if (open) expect([status, body['by']]).toEqual([200, 'anonymous']);
    else expectRefusal(status, body, 'unauthorized');
  });

  test('a refused scope consumes nothing', async () => {
    gate.keys(record('reader', { scopes: ['signals:read'] }));
    for (let i = 0; i < 70; i++) await gate.ask('lists', textOf('reader'));
    const { headers } = await gate.ask('signals', textOf('reader'));
    expect(headers.get('x-ratelimit-remaining')).toBe('59');
  });
});

describe('one refusal for every fault', () => {
  const faults: readonly (readonly [string, string | undefined])[] = [
    ['missing', undefined],
    ['empty', ''],
    ['malformed', 'a,b'],
    ['too long', 'x'.repeat(257)],
    ['10 KB', 'x'.repeat(10_240)],
    ['unknown', textOf('stranger')],
    ['not yet valid', textOf('early')],
    ['expired', textOf('late')],
    ['revoked', textOf('revoked')],
    ['repeated', textOf('twin')],
    ['the hash', keySha256(textOf('good'))],
  ];
  const load = () =>
    gate.keys(
      record('good'),
      record('early', { not_before: at(HOUR) }),
      record('late', { expires_at: at(-HOUR) }),
      record('revoked', { revoked_at: at(-HOUR) }),
      record('twin'),
      { ...record('twin'), key_sha256: keySha256(textOf('other twin')) },
    );

  test('the body, the status and the headers are the same', async () => {
    load();
    const answers = await Promise.all(
      faults.map(async ([, key]) => {
        const { status, headers, body } = await gate.ask('signals', key);
        const { request_id, ...rest } = body;
        expect(request_id).toBe(headers.get('x-request-id'));
        const shown = [...headers].filter(
          ([name]) => !['x-request-id', 'date', 'content-length'].includes(name),
        );
        return JSON.stringify({ status, rest, shown });
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"message":"Missing or invalid API key."');
    expect(answers[0]).toContain('["www-authenticate","ApiKey realm=\\"barograph\\""]');
    expect((await gate.ask('signals', textOf('good'))).status).toBe(200);
  });

  test('the audit knows the reasons, and no key', () => {
    const reasons = gate.lines
      .map((line) => JSON.parse(line) as { event: string; reason: string })
      .filter(({ event }) => event === 'auth.failed')
      .map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(
      new Set(['missing', 'malformed', 'unknown', 'not_yet_valid', 'expired', 'revoked']),
    );
  });

  test.each<[string, (key: string) => string | Buffer, boolean]>([
    ['one header', (key) => `X-API-Key: ${key}\r\n`, true],
    ['a lower-case name', (key) => `x-api-key: ${key}\r\n`, true],
    ['an upper-case name', (key) => `X-API-KEY: ${key}\r\n`, true],
    ['spaces around, which belong to no value', (key) => `X-API-Key:   ${key}  \r\n`, true],
    ['the same header twice', (key) => `X-API-Key: ${key}\r\nX-API-Key: ${key}\r\n`, false],
    ['a good and a bad one', (key) => `X-API-Key: ${key}\r\nX-API-Key: other\r\n`, false],
    ['two in one', (key) => `X-API-Key: ${key},${key}\r\n`, false],
    ['a space inside', (key) => `X-API-Key: ${key} ${key}\r\n`, false],
    ['bytes beyond ASCII', (key) => Buffer.from(`X-API-Key: ${key}\u00e9\r\n`, 'latin1'), false],
    ['another scheme', (key) => `Authorization: Bearer ${key}\r\n`, false],
  ])('%s', async (_what, header, opens) => {
    load();
    const request = Buffer.concat([
      Buffer.from('GET /guarded/signals HTTP/1.1\r\nHost: x\r\n'),
      Buffer.from(header(textOf('good'))),
      Buffer.from('\r\n'),
    ]);
    const response = await gate.running.say(request);
    expect(response?.status).toBe(opens ? 200 : 401);
  });

  test.each(['api_key', 'key', 'X-API-Key', 'x-api-key'])(
    'a key in the query as %s is not looked at',
    async (name) => {
      load();
      const wanted = `GET /guarded/signals?${name}=${textOf('good')} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const response = await gate.running.say(wanted);
      if (response === null) throw new Error('no response');
      expect(response.status).toBe(401);
      expect(response.text).not.toContain(textOf('good'));
    },
  );

  test('a bad key is refused where none is needed, and ignored where none is looked at', async () => {
    load();
    expectRefusal(
      (await gate.ask('asset', 'bad')).status,
      (await gate.ask('asset', 'bad')).body,
      'unauthorized',
    );
    expect((await gate.ask('open', 'bad')).status).toBe(200);
    expect((await gate.ask('realness', 'bad')).body).toEqual({ by: 'anonymous', verdict: false });
  });
});

describe('without any valid record', () => {
  test.each<[string, object[]]>([
    ['none', []],
    ['only malformed ones', [{ id: 'x', key_sha256: 'short' }]],
    ['only repeated ones', [record('a'), record('a')]],
  ])('%s: keyed routes are not configured, the others work', async (_what, records) => {
    gate.keys(...records);
    for (const name of ['signals', 'customer_usage'] as const) {
      const { status, body, headers } = await gate.ask(name, textOf('a'));
      expectRefusal(status, body, 'customer_api_not_configured');
      expect(headers.get('retry-after')).not.toBeNull();
    }
    expect((await gate.ask('open')).status).toBe(200);
    expect((await gate.ask('asset')).status).toBe(200);
  });
});

describe('in time', () => {
  test('both keys of a rotation work until the overlap ends, then one', async () => {
    const start = gate.clock.now();
    gate.keys(
      record('old', { customer_id: 'acme', expires_at: formatInstant(start + HOUR) }),
      record('new', { customer_id: 'acme', replaces: 'old' }),
    );
    const both = async () => [
      (await gate.ask('signals', textOf('old'))).status,
      (await gate.ask('signals', textOf('new'))).status,
    ];
    expect(await both()).toEqual([200, 200]);
    const usage = await gate.ask('customer_usage', textOf('new'));
    expect(usage.body['customer']).toMatchObject({
      customer_id: 'acme',
      rotation: { state: 'overlap', old_key_ends_at: formatInstant(start + HOUR) },
    });
    await gate.clock.turnTo(start + HOUR - 1);
    expect(await both()).toEqual([200, 200]);
    await gate.clock.turnTo(start + HOUR);
    expect(await both()).toEqual([401, 200]);
  });

  test('a revoked key ends with the next reading of the records', async () => {
    gate.keys(record('mine'), record('yours'));
    expect((await gate.ask('signals', textOf('mine'))).status).toBe(200);
    gate.keys(record('mine', { revoked_at: formatInstant(gate.clock.now()) }), record('yours'));
    expect((await gate.ask('signals', textOf('mine'))).status).toBe(401);
    expect((await gate.ask('signals', textOf('yours'))).status).toBe(200);
  });
});

describe('secrets', () => {
  test('no key and no hash has come out anywhere', async () => {
    const metrics = await (await fetch(`${gate.running.url}/metrics`)).text();
    const said = [...gate.lines, ...gate.running.events.map((event) => JSON.stringify(event)), metrics].join(
      '\n',
    );
    expect(said).toContain('auth.failed');
    for (const text of SECRETS.values()) {
      expect(said).not.toContain(text);
      expect(said).not.toContain(keySha256(text));
      expect(said).not.toContain(text.slice(-38));
    }
    expect(said).not.toMatch(/api_key=|\?key=/);
  });

  test('every private answer says so, refusals too', async () => {
    gate.keys(record('good', { scopes: [] }));
    const answers = await Promise.all([
      gate.ask('customer_usage', textOf('good')),
      gate.ask('customer_usage'),
      gate.ask('signals', textOf('good')),
      gate.ask('asset', textOf('good')),
      gate.ask('asset'),
      gate.ask('realness'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 200, 200, 200]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('private, no-store, max-age=0');
      expect(headers.get('vary')).toBe('X-API-Key');
    }
    const open = await gate.ask('open', textOf('good'));
    expect([open.headers.get('vary'), open.headers.get('x-ratelimit-limit')]).toEqual([null, null]);
  });
});
