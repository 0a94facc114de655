// The cohort route as strangers meet it: public, never cached, and the same bytes for the same question.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withArchiveFailures } from '../../src/answers/archive-failures.js';
import { cohortAnswer } from '../../src/answers/research/cohort.js';
import { HubPitIdentityCohort, hubPitIdentityCohort } from '../../src/contracts/research/cohort.js';
import { IdentityLine } from '../../src/contracts/research/identity-events.js';
import { identityReport } from '../../src/domain/facts/identity-event.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { sha256Hex } from '../../src/kernel/fingerprint.js';
import { parseInstant } from '../../src/kernel/instant.js';
import { IdentityGate } from '../../src/pipeline/identity-gate.js';
import { type ArchiveReader, ArchiveUnavailable, type ArchiveWriter } from '../../src/ports/archive.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { expectRefusal, type Running, start } from '../http/harness.js';

const EXAMPLE = new URL('./example/', import.meta.url);
const NOW = parseInstant('2026-04-01T00:00:00Z')!;
const lines = readFileSync(new URL('events.ndjson', EXAMPLE), 'utf8').trim().split('\n');
const operations = { hub_pit_identity_cohort: hubPitIdentityCohort };

let archive: ArchiveWriter;
let running: Running;
let broken: Running;
beforeAll(async () => {
  archive = await memoryStore({ clock: () => NOW }).openWriter();
  const gate = await IdentityGate.open(archive, () => NOW);
  for (const line of lines) {
    const report = identityReport(IdentityLine.parse(JSON.parse(line)), 'example');
    expect(gate.admit(report)).not.toBeTypeOf('string');
    await archive.append({ facts: [report] });
  }
  const served = (reader: ArchiveReader) =>
    start({
      operations,
      answers: withArchiveFailures({
        hub_pit_identity_cohort: cohortAnswer({ archive: reader, clock: () => NOW }),
      }),
      // Whoever asks the guard here has looked at a key.
      guard: () => Promise.reject(new Error('a public route looked at a key')),
    });
  running = await served(archive);
  broken = await served({
    ...archive,
    extent: () => Promise.reject(new ArchiveUnavailable('nowhere', null)),
  } as ArchiveReader);
});
afterAll(async () => {
  await Promise.all([running.stop(), broken.stop()]);
  await archive.close();
});

const PATH = hubPitIdentityCohort.path;
const ask = (query = '', init: RequestInit = {}, at = running): Promise<Response> =>
  fetch(`${at.url}${PATH}${query}`, init);
const packet = async (asOf: string, asKnownAt: string): Promise<HubPitIdentityCohort> => {
  const response = await ask(`?as_of=${asOf}&as_known_at=${asKnownAt}`);
  expect(response.status).toBe(200);
  return HubPitIdentityCohort.parse(await response.json());
};

describe('the cohort', () => {
  it('is the packet that is written down', async () => {
    const shown = await packet('2026-02-12T00:00:00Z', '2026-03-20T00:00:00Z');
    expect(shown).toEqual(JSON.parse(readFileSync(new URL('packet.json', EXAMPLE), 'utf8')));
  });

  it('tells what was believed then, and what is believed now', async () => {
    const role = async (asOf: string, asKnownAt: string) => {
      const { bindings } = await packet(asOf, asKnownAt);
      return bindings.map(({ role, change, revision }) => `${role} ${change} ${revision}`);
    };
    // Announced on 2 February for 9 February; corrected on 10 March for the first two weeks.
    expect(await role('2026-02-05T00:00:00Z', '2026-02-05T00:00:00Z')).toEqual([]);
    expect(await role('2026-02-12T00:00:00Z', '2026-02-01T00:00:00Z')).toEqual([]);
    expect(await role('2026-02-12T00:00:00Z', '2026-02-05T00:00:00Z')).toEqual(['PRIMARY asserted 1']);
    expect(await role('2026-02-12T00:00:00Z', '2026-02-20T00:00:00Z')).toEqual(['PRIMARY asserted 1']);
    expect(await role('2026-02-12T00:00:00Z', '2026-03-20T00:00:00Z')).toEqual(['CONTEXT role_changed 2']);
    expect(await role('2026-02-25T00:00:00Z', '2026-03-20T00:00:00Z')).toEqual(['PRIMARY remainder 3']);
  });

  it('answers before anything was known with a typed status', async () => {
    const shown = await packet('2026-01-01T00:00:00Z', '2025-12-31T00:00:00Z');
    expect([shown.status, shown.bindings, shown.source_inputs]).toEqual(['unavailable', [], []]);
    expect(shown.coverage.baskets).toBe(0);
  });

  it('takes both instants as now when they are left out', async () => {
    const shown = HubPitIdentityCohort.parse(await (await ask()).json());
    expect([shown.as_of, shown.as_known_at]).toEqual([
      '2026-04-01T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
    ]);
    expect(shown.prospective_hypothesis_bindings.map(({ state }) => state)).toEqual(['open']);
  });

  it('has a digest that anybody can check on the bytes that were sent', async () => {
    const text = await (await ask()).text();
    const shown = JSON.parse(text) as HubPitIdentityCohort;
    expect(text).toBe(canonicalJson(shown));
    const { packet_digest, ...boundary } = shown.boundary;
    expect(`sha256:${sha256Hex(canonicalJson({ ...shown, boundary }))}`).toBe(packet_digest);
  });

  it.each([
    ['?as_of=2026-04-01T00:00:00.000001Z', 'as_of_out_of_range'],
    ['?as_known_at=2027-01-01T00:00:00Z', 'as_of_out_of_range'],
    ['?as_of=yesterday', 'invalid_as_of'],
    ['?as_known_at=2026-01-01', 'invalid_parameter'],
    ['?ticker=EXMO', 'unknown_parameter'],
  ] as const)('refuses %s', async (query, code) => {
    const response = await ask(query);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expectRefusal(response.status, await response.json(), code);
  });

  it('is never cached, whoever asks and however (C15, C16)', async () => {
    const plain = await (await ask()).text();
    for (const [query, init] of [
      ['', {}],
      ['', { headers: { 'x-api-key': 'wrong' } }],
      ['', { headers: { 'x-api-key': '' } }],
      ['', { headers: { 'if-none-match': '*', 'if-modified-since': 'Wed, 01 Apr 2026 00:00:00 GMT' } }],
      ['', { method: 'HEAD' }],
      ['', { method: 'DELETE' }],
      ['?as_of=x', {}],
    ] as const) {
      const response = await ask(query, init);
      expect(response.status).not.toBe(304);
      expect(response.headers.get('cache-control')).toBe('no-store');
      for (const name of [
        'etag',
        'last-modified',
        'set-cookie',
        'vary',
        'x-ratelimit-limit',
        'www-authenticate',
      ])
        expect(response.headers.get(name)).toBeNull();
      const body = await response.text();
      if (response.status === 200 && body !== '') expect(body).toBe(plain);
    }
  });

  it('says that the archive is away, and that too is not cached', async () => {
    const response = await ask('', {}, broken);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expectRefusal(response.status, await response.json(), 'archive_unavailable');
  });
});
