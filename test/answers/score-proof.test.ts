// The score of an asset with the proof that it was stated then: held by the checker, and lost by every change to it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadSide } from '../../src/answers/answers.js';
import { AssetScore } from '../../src/contracts/macro/asset-score.js';
import { checkReceipt } from '../../src/domain/validation/receipt-verdict.js';
import { DAY, formatInstant, HOUR, type Instant, MINUTE } from '../../src/kernel/instant.js';
import { KEY, SIGNER } from '../house/evidence-stage.js';
import { MacroStage, NOW } from './macro-stage.js';

let stage: MacroStage;
let side: ReadSide;
/** The last instant of the first edition. */
let early: Instant;
beforeAll(async () => {
  stage = await MacroStage.set();
  await stage.archive.state([
    { kind: 'genesis', subject: null, at: NOW, body: { service: 'barograph', log: 1 } },
    { kind: 'key', subject: null, at: NOW, body: { verifier_key: KEY } },
  ]);
  await stage.tell(NOW - DAY);
  early = (await stage.newsAfter(NOW - DAY)) - 1;
  stage.clock.advance(MINUTE);
  await stage.tell(NOW - HOUR);
  side = await stage.open({ logSigner: SIGNER });
}, 120_000);
afterAll(() => stage.clear());

const scoreAt = async (at: number, ticker = 'XOM'): Promise<AssetScore> =>
  AssetScore.parse(
    JSON.parse(
      JSON.stringify(
        await side.answers.asset_score({ ticker, as_of: formatInstant(at), include_proof: true }),
      ),
    ),
  );
const failing = (document: unknown): string[] =>
  checkReceipt(document, KEY)
    .checks.filter(({ state }) => state === 'fail')
    .map(({ name }) => name);

describe('the proof of a score', () => {
  it('holds for what was stated, with a closed and with an open edge', async () => {
    for (const [at, open] of [
      [early, false],
      [NOW - HOUR, true],
    ] as const) {
      const score = await scoreAt(at);
      expect(score.receipt).toMatchObject({ stated: true, proof: { kind: 'macro_frame', open_edge: open } });
      expect(failing(score)).toEqual([]);
      expect(checkReceipt(score, KEY).checks.every(({ state }) => state === 'pass')).toBe(true);
    }
  });

  it('is lost with the integer, the ticker, or the row of another asset', async () => {
    const score = await scoreAt(early);
    const other = await scoreAt(early, 'NVDA');
    expect(failing({ ...score, schema_score: score.schema_score! + 1 })).toEqual(['answer']);
    expect(failing({ ...score, receipt: other.receipt })).toEqual(['answer']);
    const forged = structuredClone(score);
    const [row] = forged.receipt.proof!.value.rows;
    row!.row = row!.row.replace(`,${score.schema_score},`, `,${score.schema_score! + 1},`);
    expect(failing({ ...forged, schema_score: score.schema_score! + 1 })).toEqual(['rows_in_frame']);
    row!.row = '[';
    expect(failing(forged)).toEqual(['rows_in_frame', 'answer']);
  });

  it('is not there for a score that was computed on demand, nor unless asked for', async () => {
    const computed = await scoreAt(NOW - 30 * DAY);
    expect(computed.receipt).toMatchObject({ stated: false, log_index: null });
    expect(computed.receipt.proof).toBeUndefined();
    expect((await side.answers.asset_score({ ticker: 'XOM' })).receipt.proof).toBeUndefined();
  });
});
