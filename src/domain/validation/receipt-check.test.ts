// A receipt that was given out once must hold for ever, on any later version of the checker.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../kernel/canonical-json.js';
import { RECEIPT_CHECKS } from './receipt-check.js';
import { checkReceipt } from './receipt-verdict.js';

/** The key and the answer of docs/evidence.md, as a running service gave them out. */
const KEY = 'barograph.local/a08efe4d+31fe777b+AdQ1T/iLwFSGBpj6HdzRaVkoshBv98isGmZds93Yv28D';
const text = readFileSync(new URL('golden/answer.json', import.meta.url), 'utf8');

describe('the receipt in the documentation', () => {
  it('passes every check, as a whole answer, as a receipt and as a bare proof', () => {
    const answer = parseStrictJson(text) as { receipt: { proof: object } };
    const { holds, checks, proves } = checkReceipt(answer, KEY);
    expect(checks.map(({ name, state }) => [name, state])).toEqual(
      RECEIPT_CHECKS.map((name) => [name, 'pass']),
    );
    expect(holds).toBe(true);
    expect(proves).toContain('0.084 s after the boundary 2026-11-15T06:18:00.000Z');
    for (const part of [answer.receipt, answer.receipt.proof]) {
      const bare = checkReceipt(part, KEY);
      expect(bare.holds).toBe(true);
      expect(bare.checks.at(-1)).toMatchObject({ name: 'answer', state: 'not_shown' });
    }
  });

  it('is the one that the documentation shows', () => {
    const document = readFileSync(new URL('../../../docs/evidence.md', import.meta.url), 'utf8');
    const { receipt } = parseStrictJson(text) as { receipt: { proof: { checkpoint: string } } };
    expect(document).toContain(KEY);
    expect(document).toContain(JSON.stringify(receipt.proof.checkpoint));
    for (const { name, detail } of checkReceipt(parseStrictJson(text), KEY).checks)
      expect(document).toContain(`ok   ${name.padEnd(14)} ${detail}`);
  });

  it.each([
    ['the density', '"attention_density":0.0208679', '"attention_density":0.0308679'],
    ['the high-water mark', 'high_water\\":470814', 'high_water\\":470815'],
    ['the rank in the row', 'rank\\":32', 'rank\\":31'],
    ['the instant', '"as_of":"2026-11-15T06:18:05.000Z"', '"as_of":"2026-11-15T06:18:20.000Z"'],
    ['a hash', 'e8ba28bf', 'e8ba28be'],
    ['the size of the tree', 'barograph.local/a08efe4d\\n9\\n', 'barograph.local/a08efe4d\\n8\\n'],
  ])('does not survive a change to %s', (_what, from, to) => {
    expect(text).toContain(from);
    const { holds, proves } = checkReceipt(parseStrictJson(text.replaceAll(from, to)), KEY);
    expect([holds, proves]).toEqual([false, 'It proves nothing.']);
  });
});
