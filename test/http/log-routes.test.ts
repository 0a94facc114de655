// The log over HTTP: operations with plain refusals, and the static layout that monitors of transparency logs read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Checkpoints } from '../../src/answers/evidence/checkpoints.js';
import { logAnswers } from '../../src/answers/evidence/log-answers.js';
import { logTiles } from '../../src/answers/evidence/log-tiles.js';
import { OPERATIONS } from '../../src/contracts/operations.js';
import { leafHash, merkleRoot, verifyInclusion } from '../../src/kernel/merkle.js';
import {
  formatVerifierKey,
  parseCheckpoint,
  parseVerifierKey,
  privateKeyFromSeed,
  verifierKey,
  verifyNote,
} from '../../src/kernel/signed-note.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { tileRoutes } from '../../src/surfaces/log/tile-routes.js';
import { testClock } from '../ports/samples.js';
import { expectRefusal, type Running, start } from './harness.js';

const LEAVES = 600;
const signer = { name: 'test.example/log', privateKey: privateKeyFromSeed(new Uint8Array(32).fill(9)) };
const key = parseVerifierKey(formatVerifierKey(verifierKey(signer.name, signer.privateKey)));

let running: Running;
let keyless: Running;
beforeAll(async () => {
  const clock = testClock();
  const archive = await memoryStore({ clock: clock.now }).openWriter();
  await archive.state(
    Array.from({ length: LEAVES }, (_, i) => ({
      kind: 'hypothesis' as const,
      subject: `h${i}`,
      at: clock.now(),
      body: { number: i },
      ...(i === 7 ? { attachment: 'beside the leaf' } : {}),
    })),
  );
  const { log_checkpoint, log_key, log_entry, log_inclusion, log_consistency } = OPERATIONS;
  const operations = { log_checkpoint, log_key, log_entry, log_inclusion, log_consistency };
  const serve = (checkpoints: Checkpoints): Promise<Running> =>
    start({
      operations,
      answers: logAnswers(archive, checkpoints),
      extraRoutes: tileRoutes(logTiles(archive, checkpoints)),
    });
  running = await serve(new Checkpoints(archive, signer));
  keyless = await serve(new Checkpoints(archive, null));
});
afterAll(async () => {
  await running.stop();
  await keyless.stop();
});

const bytesAt = async (path: string): Promise<Buffer> => {
  const response = await fetch(running.url + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  return Buffer.from(await response.arrayBuffer());
};
const hashesIn = (tile: Buffer): Buffer[] =>
  Array.from({ length: tile.length / 32 }, (_, i) => tile.subarray(32 * i, 32 * (i + 1)));
const jsonAt = async (path: string): Promise<Record<string, unknown>> =>
  (await (await fetch(running.url + path)).json()) as Record<string, unknown>;

describe('the static layout', () => {
  it('lets anyone rebuild the signed root from its tiles', async () => {
    const note = await (await fetch(`${running.url}/checkpoint`)).text();
    const { size, root, origin } = parseCheckpoint(verifyNote(note, [key]).text);
    expect([size, origin]).toEqual([LEAVES, signer.name]);
    const tiles = ['/tile/0/000', '/tile/0/001', '/tile/0/002.p/88'];
    const leaves = hashesIn(Buffer.concat(await Promise.all(tiles.map(bytesAt))));
    expect(leaves).toHaveLength(LEAVES);
    expect(merkleRoot(leaves)).toEqual(root);
    // The next level up: the roots of the full tiles.
    expect(hashesIn(await bytesAt('/tile/1/000.p/2'))).toEqual([
      merkleRoot(leaves.slice(0, 256)),
      merkleRoot(leaves.slice(256, 512)),
    ]);
  });

  it('gives out the leaves that these hashes are over', async () => {
    const bundle = await bytesAt('/tile/entries/001');
    const leaves = hashesIn(await bytesAt('/tile/0/001'));
    const found: Buffer[] = [];
    for (let at = 0; at < bundle.length; ) {
      const end = at + 2 + bundle.readUInt16BE(at);
      found.push(leafHash(bundle.subarray(at + 2, end)));
      at = end;
    }
    expect(found).toEqual(leaves);
    expect((await bytesAt('/tile/entries/002.p/3')).subarray(2).toString()).toContain('"index":512');
  });

  it.each([
    '/tile/0/002',
    '/tile/0/002.p/89',
    '/tile/0/003.p/1',
    '/tile/1/000',
    '/tile/entries/002',
    '/tile/9/000.p/1',
  ])('has no %s yet', async (path) => {
    const response = await fetch(running.url + path);
    expectRefusal(response.status, await response.json(), 'leaf_not_found');
  });

  it.each(['/tile/0/2', '/tile/x/000', '/tile/', '/tile/0/000.p/256'])('does not know %s', async (path) => {
    const response = await fetch(running.url + path);
    expectRefusal(response.status, await response.json(), 'not_found');
  });

  it('signs nothing without a key, and still gives out what needs none', async () => {
    const response = await fetch(`${keyless.url}/checkpoint`);
    expectRefusal(response.status, await response.json(), 'log_key_unavailable');
    expect((await fetch(`${keyless.url}/tile/0/000`)).status).toBe(200);
  });
});

describe('the operations', () => {
  it('prove a leaf in the newest tree and in older ones', async () => {
    const entry = await jsonAt('/v1/log/entries/7?include_attachment=true');
    expect(entry).toMatchObject({
      index: 7,
      kind: 'hypothesis',
      attachment: 'beside the leaf',
      size: LEAVES,
    });
    const old = await jsonAt('/v1/log/proof/inclusion?index=7&size=100');
    for (const proof of [entry, old]) {
      expect(
        verifyInclusion({
          leaf: leafHash(entry['leaf'] as string),
          index: 7,
          size: proof['size'] as number,
          proof: (proof['proof'] as string[]).map((text) => Buffer.from(text, 'hex')),
          root: Buffer.from(proof['root'] as string, 'hex'),
        }),
      ).toBe(true);
    }
    expect((await jsonAt('/v1/log/key'))['verifier_key']).toBe(formatVerifierKey(key));
  });

  it.each([
    ['/v1/log/entries/600', 'leaf_not_found'],
    ['/v1/log/entries/9007199254740991', 'leaf_not_found'],
    ['/v1/log/entries/9007199254740992', 'invalid_parameter'],
    ['/v1/log/entries/-1', 'invalid_parameter'],
    ['/v1/log/proof/inclusion?index=5&size=5', 'leaf_not_found'],
    ['/v1/log/proof/inclusion?index=0&size=601', 'tree_size_out_of_range'],
    ['/v1/log/proof/inclusion?size=3', 'invalid_parameter'],
    ['/v1/log/proof/consistency?from=0', 'invalid_parameter'],
    ['/v1/log/proof/consistency?from=9&to=8', 'tree_size_out_of_range'],
    ['/v1/log/proof/consistency?from=601', 'tree_size_out_of_range'],
    ['/v1/log/proof/consistency?from=4294967297&to=4294967298', 'tree_size_out_of_range'],
  ] as const)('refuse %s with %s', async (path, code) => {
    const response = await fetch(running.url + path);
    expectRefusal(response.status, await response.json(), code);
  });
});
