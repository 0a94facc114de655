// The documents that the server gives out: OpenAPI, the two pages with their bundles, and the metrics.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/contracts/failures.js';
import { openApiDocument } from '../../src/surfaces/docs/openapi.js';
import { type Running, startSamples } from './harness.js';
import { SAMPLES } from './sample-operations.js';

let running: Running;
beforeAll(async () => {
  running = await startSamples();
});
afterAll(() => running.stop());

const readme = readFileSync(new URL('../../vendor/README.md', import.meta.url), 'utf8');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('the OpenAPI document is the one of the operations', async () => {
  const served: unknown = await (await fetch(`${running.url}/openapi.json`)).json();
  const made = openApiDocument({ operations: SAMPLES, version: '0.0.0', publicUrl: 'http://127.0.0.1:8700' });
  expect(served).toEqual(JSON.parse(JSON.stringify(made)));
});

describe.each([
  ['/docs', 'scalar.js.gz'],
  ['/redoc', 'redoc.js.gz'],
])('%s', (page, file) => {
  const bundle = readFileSync(new URL(`../../vendor/${file}`, import.meta.url));

  async function script(): Promise<string> {
    const response = await fetch(running.url + page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).not.toMatch(/https?:\/\//);
    return /<script src="([^"]+)">/.exec(html)?.[1] ?? '';
  }

  async function encoded(accept: string): Promise<string | null> {
    const response = await fetch(running.url + (await script()), { headers: { 'accept-encoding': accept } });
    expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(gunzipSync(bundle)));
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
    return response.headers.get('content-encoding');
  }

  test('loads the vendored bundle under its hash, compressed where that is taken', async () => {
    for (const accept of ['gzip', 'br, gzip;q=0.8', 'deflate, GZIP', '*'])
      expect(await encoded(accept)).toBe('gzip');
    for (const accept of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'xgzip'])
      expect(await encoded(accept)).toBeNull();
    expect(
      (await fetch(`${running.url}${(await script()).replace(/[0-9a-f]{16}/, '0'.repeat(16))}`)).status,
    ).toBe(404);
  });

  test('has a bundle that is the one the notes name', () => {
    expect(readme).toContain(sha256(bundle));
    expect(readme).toContain(sha256(gunzipSync(bundle)));
  });
});

describe('/metrics', () => {
  test('is Prometheus text without the names that promtool refuses', async () => {
    await fetch(`${running.url}/nothing`);
    const response = await fetch(`${running.url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('version=0.0.4');
    expect(text).toContain('process_cpu_seconds_total');
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    const misnamed = types.filter(
      ([, name, type]) => name?.endsWith('_total') === true && type !== 'counter',
    );
    expect(misnamed).toEqual([]);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{route="\(none\)",method="GET",status="404"\} \d+$/m,
    );
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
  });

  test('counts refusals by code, from zero, with the codes of the catalogue and no others', async () => {
    const refusals = async () => {
      const text = await (await fetch(`${running.url}/metrics`)).text();
      const found = [...text.matchAll(/^barograph_refusals_total\{code="(\w+)"\} (\d+)$/gm)];
      return new Map(found.map(([, code, count]) => [code!, Number(count)]));
    };
    const before = await refusals();
    expect([...before.keys()].toSorted()).toEqual(Object.keys(FAILURES).toSorted());
    expect(before.get('rate_limit_unavailable')).toBe(0);
    await fetch(`${running.url}/nothing`);
    await fetch(`${running.url}/sample/secret`);
    await running.say('GET / HTTP/1.1\r\nbroken header\r\n\r\n');
    const after = await refusals();
    const rises = [...after].map(([code, count]) => [code, count - before.get(code)!] as const);
    expect(Object.fromEntries(rises.filter(([, count]) => count > 0))).toEqual({
      bad_request: 1,
      not_found: 1,
      unauthorized: 1,
    });
  });

  test('has buckets that only grow and end at the count', async () => {
    for (let round = 0; round < 5; round += 1) await fetch(`${running.url}/sample/typed`);
    const text = await (await fetch(`${running.url}/metrics`)).text();
    const ours = text.split('\n').filter((line) => line.includes('route="/sample/typed"'));
    const number = (line: string | undefined) => Number(line?.split(' ').at(-1));
    const buckets = ours.filter((line) => line.includes('_bucket{')).map(number);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(5);
    expect(number(ours.find((line) => line.includes('_count{')))).toBe(5);
    expect(number(ours.find((line) => line.includes('_sum{')))).toBeGreaterThan(0);
    expect(ours.filter((line) => line.includes('le="+Inf"'))).toHaveLength(1);
  });
});
