// `barograph verify FILE` as somebody meets it who has an answer, a public key, and no reason to trust anyone.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.js';
import { givenLogKey, verifierKeyText } from '../../src/app/log-key.js';
import { runBarograph } from './run-barograph.js';

const folder = mkdtempSync(join(tmpdir(), 'barograph-verify-'));
const STUDY = { BAROGRAPH_DATA: join(folder, 'study'), BAROGRAPH_SOURCES: 'none' };
/** Somebody else's machine: nothing of the service is on it. */
const ELSEWHERE = { BAROGRAPH_DATA: join(folder, 'elsewhere') };

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const AS_OF = ['--as-of', '2026-01-05T15:30:00Z', '--include-proof', 'true'];
let receipt: string;
let key: string;

beforeAll(async () => {
  const posts = Array.from({ length: 240 }, (_, i) =>
    JSON.stringify({
      id: `p${i}`,
      provider: 'myfeed',
      author_id: `a${i % 40}`,
      created_at: new Date(Date.UTC(2026, 0, 5, 12) + i * 60_000).toISOString(),
      text: `$${i % 3 ? 'NVDA' : 'XOM'} words ${i * 7} about ${i % 11} things ${i}`,
    }),
  );
  const assets = file(
    'assets.csv',
    'ticker,name,sector\nNVDA,NVIDIA,Information Technology\nXOM,Exxon,Energy\n',
  );
  await runBarograph(['import', 'assets', assets], STUDY);
  await runBarograph(['import', 'posts', file('posts.ndjson', posts.join('\n'))], STUDY);
  const span = ['--from', '2026-01-05T14:00:00Z', '--to', '2026-01-05T17:00:00Z', '--every', '1h'];
  expect((await runBarograph(['replay', ...span], STUDY)).status).toBe(0);
  const asked = await runBarograph(['ask', 'snapshot_ticker', '--ticker', 'NVDA', ...AS_OF], STUDY);
  receipt = file('answer.json', asked.out);
  const config = readConfig(STUDY);
  key = verifierKeyText((await givenLogKey(config))!);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('verify with a file', () => {
  it('holds with nothing but the key, and says what that does not prove', async () => {
    const { status, out } = await runBarograph(['verify', receipt, '--key', key, '--json'], ELSEWHERE);
    const verdict = JSON.parse(out) as { checks: { name: string; state: string }[] };
    expect(verdict).toMatchObject({
      holds: true,
      // A replay says things long after they were.
      proves: expect.stringContaining('computed afterwards') as string,
      leaves_open: expect.stringContaining('unanchored') as string,
    });
    expect(verdict.checks.filter(({ state }) => state === 'pass')).toHaveLength(12);
    expect(status).toBe(0);
  });

  it('takes the key of the data folder where that is one’s own, and asks for one elsewhere', async () => {
    const own = await runBarograph(['verify', receipt], STUDY);
    expect(own.out).toMatch(/^ok {3}signature/m);
    expect(own.out).toContain('The receipt holds.');
    expect(own.status).toBe(0);
    const elsewhere = await runBarograph(['verify', receipt], ELSEWHERE);
    expect(elsewhere.status).toBe(2);
    expect(elsewhere.err).toContain('--key');
  });

  it('fails with status 4 when a single number was changed', async () => {
    const answer = JSON.parse(readFileSync(receipt, 'utf8')) as { sample: { posts: number } };
    answer.sample.posts += 1;
    const forged = file('forged.json', JSON.stringify(answer));
    const { status, out } = await runBarograph(['verify', forged, '--key', key], ELSEWHERE);
    expect(status).toBe(4);
    expect(out).toMatch(/^FAIL answer/m);
    expect(out).toContain('does NOT hold');
  });

  it('keeps the key that signs from everybody but its owner', () => {
    expect(statSync(join(STUDY.BAROGRAPH_DATA, 'log.key')).mode & 0o777).toBe(0o600);
  });
});
