// Editions by the week leave the days between them untold: an instant among them is worked out from what was known.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadSide } from '../../src/answers/answers.js';
import type { Knowledge } from '../../src/domain/facts/knowledge.js';
import { editionAt, type MacroEdition } from '../../src/domain/macro/edition.js';
import { recallMacro } from '../../src/domain/macro/recall.js';
import { lastStepBy, stepOf } from '../../src/domain/macro/sessions.js';
import { DAY, formatInstant, HOUR, type Instant, SECOND } from '../../src/kernel/instant.js';
import { replayMacro } from '../../src/pipeline/replay-macro.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { MacroStage, NOW } from './macro-stage.js';

/** Saturdays, 12:00 UTC. */
const WEEKLY = [16, 9, 2].map((days) => NOW - days * DAY - 3 * HOUR);
const TICKERS = ['NVDA', 'XOM', 'BRK.B', 'XLE'];

let stage: MacroStage;
let side: ReadSide;

beforeAll(async () => {
  stage = await MacroStage.set();
  const span = { from: WEEKLY[0]!, to: WEEKLY[2]!, everySeconds: (7 * DAY) / SECOND };
  for await (const { stated } of replayMacro(stage.archive, span)) expect(stated).toBe(true);
  side = await stage.open();
}, 120_000);
afterAll(() => stage.clear());

/** What the facts known by an instant give, with nothing in memory that could know more. */
async function known(at: Instant): Promise<MacroEdition> {
  return editionAt((await recallMacro(stage.archive, { knownBy: at }, [])).state, at);
}

const scoreAt = (at: Instant, ticker: string, over: object = {}) =>
  side.answers.asset_score({ ticker, as_of: formatInstant(at), ...over });

describe('an instant between two editions', () => {
  it('is answered from what was known by then, everywhere', async () => {
    for (const at of [WEEKLY[1]! + 2.4 * DAY, WEEKLY[1]! + 3.9 * DAY]) {
      const expected = await known(at);
      const as_of = formatInstant(at);
      let differing = 0;
      for (const ticker of TICKERS) {
        const score = await scoreAt(at, ticker);
        const own = expected.scores.find((one) => one.ticker === ticker)!;
        expect(score).toMatchObject({
          schema_score: own.score,
          structure_sum: own.structure,
          snapshot_id: expected.frame.fingerprint,
          receipt: { stated: false, log_index: null, edition_at: as_of },
        });
        if (own.structure !== (await scoreAt(WEEKLY[1]!, ticker)).structure_sum) differing += 1;
      }
      expect(differing).toBe(TICKERS.length);
      const { answers } = side;
      const told = await Promise.all([
        answers.gauges({ as_of }),
        answers.get_market_pulse({ as_of }),
        answers.get_decision_packet({ tickers: TICKERS, as_of }),
        answers.get_index_detail({ symbol: 'VIX', as_of }),
      ]);
      for (const { snapshot_id } of told) expect(snapshot_id).toBe(expected.frame.fingerprint);
      const vix = expected.frame.indexes.find(({ symbol }) => symbol === 'VIX')!;
      expect(told[3]).toMatchObject({ observed_on: vix.observedOn, z_score: vix.z });
    }
  });

  it('is answered by the edition before it as long as nothing has become known', async () => {
    for (const edition of WEEKLY) {
      const news = await stage.newsAfter(edition);
      expect(news).toBeGreaterThan(edition + 1);
      for (const at of [edition, edition + 1, news - 1]) {
        const { receipt } = await scoreAt(at, 'XOM');
        expect(receipt).toMatchObject({ stated: true, edition_at: formatInstant(edition) });
      }
      expect((await scoreAt(news, 'XOM')).receipt).toMatchObject({
        stated: false,
        edition_at: formatInstant(news),
      });
    }
  });

  it('is answered anew once a day has been decided, also where nothing has become known', async () => {
    // Without news the next decision alone is left.
    const silent = new Proxy<ArchiveReader>(stage.archive, {
      get(target, name) {
        if (name === 'facts')
          return (kind: 'series', knowledge: Knowledge) =>
            target.facts(kind, knowledge.after === undefined ? knowledge : { knownBy: 0 });
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { answers } = await stage.open({ archive: silent });
    const step = stepOf(lastStepBy(WEEKLY[1]!) + 1);
    const receiptAt = async (at: Instant) =>
      (await answers.asset_score({ ticker: 'XOM', as_of: formatInstant(at) })).receipt;
    expect(await receiptAt(step - 1)).toMatchObject({ stated: true });
    expect(await receiptAt(step)).toMatchObject({ stated: false, edition_at: formatInstant(step) });
  });
});

describe('all drivers of a stated score', () => {
  it('are told as long as they give it, and not after facts were filled in', async () => {
    const at = WEEKLY[1]!;
    const before = await scoreAt(at, 'XOM', { drivers: 'all' });
    expect(before.drivers!.length).toBeGreaterThan(8);
    const list = await side.answers.indices({ as_of: formatInstant(at) });
    const { observed_on: date, current_value: value } = list.find(({ symbol }) => symbol === 'WTI')!;
    const body = { kind: 'series', series: 'DCOILWTICO', date: date!, value: 2 * value! } as const;
    const reported = { source: 'fixture_economy', effectiveAt: at - DAY, releasedAt: at - HOUR };
    await stage.archive.append({ facts: [{ ...reported, body }] });
    // What was filled in is found when the archive is read again.
    stage.clock.advance(2 * HOUR);
    const after = await scoreAt(at, 'XOM', { drivers: 'all' });
    expect(after.drivers).toBeNull();
    expect([after.schema_score, after.top_drivers]).toEqual([before.schema_score, before.top_drivers]);
    expect(after.receipt).toMatchObject({ stated: true });
  });
});
