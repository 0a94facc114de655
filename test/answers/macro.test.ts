// Surface B on a small economy: every operation keeps its contract, and the past is what was stated.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadSide } from '../../src/answers/answers.js';
import { inputsFingerprint } from '../../src/answers/macro/packet-receipt.js';
import { caveatsOf } from '../../src/answers/macro/regime-answer.js';
import type { FailureCode } from '../../src/contracts/failures.js';
import { Failure } from '../../src/contracts/failures.js';
import { INDEX_SYMBOLS } from '../../src/contracts/macro/index-symbols.js';
import type { Operation } from '../../src/contracts/operation.js';
import { OPERATIONS, type OperationName } from '../../src/contracts/operations.js';
import type { Knowledge } from '../../src/domain/facts/knowledge.js';
import type { StatementQuery } from '../../src/domain/facts/statement.js';
import { scoreFromDrivers } from '../../src/domain/macro/asset-score.js';
import { INDEXES } from '../../src/domain/macro/catalogue/indexes.js';
import type { MacroEdition } from '../../src/domain/macro/edition.js';
import { DAY, formatInstant, HOUR, parseInstant } from '../../src/kernel/instant.js';
import type { ArchiveReader } from '../../src/ports/archive.js';
import { MacroStage, NAMELESS, NOW, UNPRICED } from './macro-stage.js';

let stage: MacroStage;
let side: ReadSide;
let first: MacroEdition;
let newest: MacroEdition;

const FIRST_AT = NOW - 3 * DAY;
const NEWEST_AT = NOW - HOUR;

beforeAll(async () => {
  stage = await MacroStage.set();
  first = await stage.tell(FIRST_AT);
  newest = await stage.tell(NEWEST_AT);
  side = await stage.open();
}, 120_000);
afterAll(() => stage.clear());

const familyOf = (symbol: string) => INDEXES.find((row) => row.symbol === symbol)!.family;

/** Asks as the surfaces do: by the contract's input, and holds the answer to the contract's output. */
async function ask<Name extends OperationName>(
  name: Name,
  input: object,
): Promise<Awaited<ReturnType<ReadSide['answers'][Name]>>> {
  const operation: Operation = OPERATIONS[name];
  const answer = side.answers[name] as (input: unknown) => Promise<unknown>;
  const output = await answer(operation.input.parse(input));
  const parsed = operation.output.safeParse(JSON.parse(JSON.stringify(output)));
  expect(parsed.error?.issues ?? []).toEqual([]);
  return output as Awaited<ReturnType<ReadSide['answers'][Name]>>;
}

async function refusal(asked: Promise<unknown>): Promise<FailureCode | null> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Failure ? error.code : null;
}

describe('the asset score', () => {
  it('has every field of the contract, and its drivers give its integer', async () => {
    const score = await ask('asset_score', { ticker: 'xom' });
    expect(score).toMatchObject({
      ticker: 'XOM',
      state: 'scored',
      regime_label: newest.frame.regime.label,
      freshness: 'fixture',
      as_of: formatInstant(NEWEST_AT),
      contract_version: '1.0.0',
      basis: 'estimated',
    });
    expect(Number.isInteger(score.schema_score)).toBe(true);
    expect(Number.isInteger(score.confidence)).toBe(true);
    expect(Number.isInteger(score.entry_value)).toBe(true);
    const all = stage.state.drivers(newest.frame, 'XOM')!;
    expect(scoreFromDrivers(all)).toBe(score.schema_score);
    expect(score.top_drivers).toHaveLength(8);
    expect(score.top_drivers.map(({ index_symbol }) => index_symbol)).toEqual(
      all.slice(0, 8).map(({ symbol }) => symbol),
    );
    expect(all.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
  });

  it('rests on the sector where there are no prices, with little confidence', async () => {
    const score = await ask('asset_score', { ticker: UNPRICED });
    expect(score).toMatchObject({ state: 'scored', basis: 'prior', sector: 'Utilities' });
    expect(score.confidence).toBeLessThanOrEqual(35);
    expect(await ask('asset_score', { ticker: NAMELESS })).toMatchObject({
      state: 'insufficient',
      schema_score: null,
      confidence: 0,
      top_drivers: [],
    });
  });

  it('refuses what it does not know', async () => {
    expect(await refusal(ask('asset_score', { ticker: 'ZZZZ' }))).toBe('unknown_ticker');
    const future = formatInstant(NOW + HOUR);
    expect(await refusal(ask('asset_score', { ticker: 'XOM', as_of: future }))).toBe('as_of_out_of_range');
    const before = '2015-01-01T00:00:00Z';
    expect(await refusal(ask('asset_score', { ticker: 'XOM', as_of: before }))).toBe('as_of_out_of_range');
  });

  it('replays what was stated, for its own instant and until anything becomes known', async () => {
    for (const at of [FIRST_AT, (await stage.newsAfter(FIRST_AT)) - 1]) {
      const score = await ask('asset_score', { ticker: 'XOM', as_of: formatInstant(at) });
      const stated = first.scores.find(({ ticker }) => ticker === 'XOM')!;
      expect(score.schema_score).toBe(stated.score);
      expect(score.structure_sum).toBe(stated.structure);
      expect(score.receipt).toMatchObject({
        as_of: formatInstant(at),
        edition_at: formatInstant(FIRST_AT),
        edition_sha256: first.frame.fingerprint,
        stated: true,
        lookahead: false,
        knowledge: 'simulated',
      });
      expect(score.receipt.log_index).toBeTypeOf('number');
      expect(parseInstant(score.receipt.newest_known_at!)!).toBeLessThanOrEqual(FIRST_AT);
    }
  });

  it('computes a past that nobody stated, from what was known then', async () => {
    const at = FIRST_AT - 40 * DAY;
    const score = await ask('asset_score', { ticker: 'NVDA', as_of: formatInstant(at) });
    const frame = stage.state.frame(at);
    expect(score.schema_score).toBe(stage.state.scoreAsset(frame, 'NVDA')!.score);
    expect(score.receipt).toMatchObject({
      stated: false,
      log_index: null,
      edition_at: formatInstant(at),
      edition_sha256: frame.fingerprint,
      knowledge: 'simulated',
    });
    expect(parseInstant(score.receipt.newest_known_at!)!).toBeLessThanOrEqual(at);
    // Long after the newest edition nobody was recording, so that edition does not answer.
    stage.clock.set(NOW + 6 * DAY);
    const late = await ask('asset_score', { ticker: 'NVDA', as_of: formatInstant(NOW + 5 * DAY) });
    expect(late.receipt.stated).toBe(false);
    stage.clock.set(NOW);
  });
});

describe('the batch', () => {
  it('answers in order from one edition, also when a new one arrives meanwhile', async () => {
    const tickers = ['XOM', 'zzzz', 'BRK-B', 'NVDA'];
    const asked = ask('check_batch', { tickers });
    const [batch] = await Promise.all([asked, stage.tell(NOW - HOUR / 2)]);
    expect(batch.receipt.edition_sha256).toBe(newest.frame.fingerprint);
    expect(batch.results.map(({ ticker, state }) => [ticker, state])).toEqual([
      ['XOM', 'scored'],
      ['ZZZZ', 'unknown_ticker'],
      ['BRK.B', 'scored'],
      ['NVDA', 'scored'],
    ]);
    for (const row of batch.results) {
      if (row.state === 'unknown_ticker') continue;
      expect(row).toMatchObject({ snapshot_id: newest.frame.fingerprint, as_of: formatInstant(NEWEST_AT) });
    }
    const after = await ask('check_batch', { tickers });
    expect(after.receipt.edition_at).toBe(formatInstant(NOW - HOUR / 2));
    const again = await ask('check_batch', { tickers, as_of: formatInstant(NEWEST_AT) });
    expect(again.results.map(({ schema_score }) => schema_score)).toEqual(
      batch.results.map(({ schema_score }) => schema_score),
    );
  });
});

describe('gauges, indexes and narratives', () => {
  it('lists fourteen gauges whose weighted mean is the market score', async () => {
    const { gauges, market_score } = await ask('gauges', {});
    expect(gauges).toHaveLength(14);
    const mean = gauges.reduce((sum, { value, weight }) => sum + (value ?? 0) * (weight ?? 0), 0);
    expect(Math.abs(mean - market_score!)).toBeLessThan(0.02);
  });

  it('lists 62 indexes, and shows only what may be shown of third-party series', async () => {
    const list = await ask('indices', {});
    expect(list).toHaveLength(62);
    const readings = new Map(side.macro.live.newest().frame.indexes.map((one) => [one.symbol, one]));
    const withheld = list.filter(({ licence }) => licence === '3P');
    expect(withheld.length).toBeGreaterThan(8);
    for (const item of list) {
      const reading = readings.get(item.symbol)!;
      expect(item.value_basis).toBe(item.licence === '3P' ? 'z_score' : 'value');
      expect(item.current_value).toBe(item.licence === '3P' ? reading.z : reading.value);
    }
    const secrets = withheld.map(({ symbol }) => readings.get(symbol)!.value!).filter((one) => one !== null);
    const told = [
      JSON.stringify(list),
      JSON.stringify(await ask('agent_briefing', {})),
      JSON.stringify(await ask('get_market_pulse', {})),
      JSON.stringify(await ask('get_index_detail', { symbol: 'VIX', history_points: 40 })),
    ].join();
    for (const value of secrets) expect(told).not.toContain(`:${value},`);
  });

  it('draws the graph of 33 narratives with its edges and evidence', async () => {
    const graph = await ask('narrative_graph', {});
    expect(graph.narrative_count).toBe(33);
    const slugs = new Set(graph.items.map(({ slug }) => slug));
    expect(slugs.size).toBe(33);
    for (const { from, to } of graph.edges) expect(slugs.has(from) && slugs.has(to)).toBe(true);
    expect(graph.evidence).toMatchObject({ by_attention: 0, indexes_total: 62 });
    expect(graph.evidence.by_indexes).toBe(graph.items.filter(({ driver_z }) => driver_z !== null).length);
    expect(graph.evidence.by_indexes).toBeGreaterThan(30);
  });

  it('lists the themes of an asset', async () => {
    const { related_themes } = await ask('asset_themes', { ticker: 'XOM' });
    expect(related_themes.length).toBeGreaterThan(0);
    for (const { exposure, score, impact } of related_themes) {
      expect(impact).toBeCloseTo((exposure * (score - 50)) / 50, 3);
    }
    expect(await refusal(ask('asset_themes', { ticker: 'ZZZZ' }))).toBe('unknown_ticker');
  });

  it('answers for the past everywhere', async () => {
    const as_of = formatInstant(FIRST_AT);
    expect((await ask('gauges', { as_of })).computed_at).toBe(as_of);
    expect((await ask('indices', { as_of }))[0]!.as_of).toBe(as_of);
    expect((await ask('narrative_graph', { as_of })).snapshot_id).toBe(first.frame.fingerprint);
    expect((await ask('asset_themes', { ticker: 'XOM', as_of })).snapshot_id).toBe(first.frame.fingerprint);
  });
});

describe('the tools', () => {
  const SHORT = 8_000;

  it('tell the regime, with its past and its caveats', async () => {
    const regime = await ask('get_market_regime', { history_days: 30 });
    expect(regime.history).toHaveLength(30);
    expect(regime.history.at(-1)).toMatchObject({ date: '2020-05-29' });
    expect(regime.top_drivers).toHaveLength(5);
    expect(regime.caveats).toContain('The data are synthetic.');
    const short = await ask('get_market_regime', {
      as_of: null,
      include_probabilities: false,
      history_days: null,
    });
    expect([short.probabilities, short.history]).toEqual([null, []]);
  });

  it('say of a regime without a name whether its data ended or have only begun', () => {
    const { frame } = newest;
    const nameless = { ...frame, regime: { ...frame.regime, label: 'Warming' as const } };
    const young = { ...frame.coverage, warming: 60, stale: 0 };
    const ended = { ...frame.coverage, warming: 1, stale: 60 };
    expect(caveatsOf({ ...nameless, coverage: young, freshness: 'warming' }, false)).toContain(
      'There is too little history to name a regime.',
    );
    const told = caveatsOf({ ...nameless, coverage: ended, freshness: 'stale' }, false);
    expect(told).toContain('The data ended too long ago to name a regime.');
    expect(told).toContain('Daily inputs are more than three business days overdue.');
    expect(told.join()).not.toContain('too little history');
  });

  it('set a side against the structure', async () => {
    const [long, short] = await Promise.all([
      ask('check_trade', { ticker: 'XOM', side: 'long', horizon: '1w' }),
      ask('check_trade', { ticker: 'XOM', side: 'short', horizon: '3m' }),
    ]);
    expect(long.headwinds).toEqual(short.tailwinds);
    expect(long.tailwinds).toEqual(short.headwinds);
    const opposite = { aligned: 'opposed', opposed: 'aligned', mixed: 'mixed', unmeasured: 'unmeasured' };
    expect(short.alignment).toBe(opposite[long.alignment]);
    expect(short.next_releases.slice(0, long.next_releases.length)).toEqual(long.next_releases);
    expect(long.next_releases.length).toBeGreaterThan(0);
    for (const { due_at } of long.next_releases) expect(due_at <= long.horizon_ends_at).toBe(true);
    expect(long.boundary).toContain('not advice');
  });

  it('tell everything about an index', async () => {
    const detail = await ask('get_index_detail', { symbol: 'INDPRO' });
    expect(detail.history).toHaveLength(26);
    expect(detail.history.at(-1)!.observed_on).toBe(detail.observed_on);
    expect(detail.most_exposed_sectors).toEqual([]);
    // When this value became known, not the newest value of the frame.
    const { frame } = side.macro.live.newest();
    const reading = frame.indexes.find(({ symbol }) => symbol === 'INDPRO')!;
    expect(detail.known_at).toBe(formatInstant(reading.knownAt!));
    expect(parseInstant(detail.known_at!)!).toBeLessThan(frame.newestKnownAt!);
    const vix = await ask('get_index_detail', { symbol: 'VIX', history_points: 3 });
    expect(vix.history.every(({ current_value, z_score }) => current_value === z_score)).toBe(true);
  });

  it('put the pulse on one screen', async () => {
    const pulse = await ask('get_market_pulse', {});
    expect(pulse.gauges).toHaveLength(14);
    expect(pulse.largest_moves).toHaveLength(5);
    const credit = await ask('get_market_pulse', { families: ['credit'] });
    expect(credit.gauges.map(({ gauge_key }) => gauge_key)).toEqual(['credit']);
  });

  it('rank moves among the families that are asked for', async () => {
    const { gauges, largest_moves } = await ask('get_market_pulse', {});
    const found: string[] = [];
    for (const { gauge_key } of gauges) {
      const pulse = await ask('get_market_pulse', { families: [gauge_key] });
      const symbols = pulse.largest_moves.map(({ index_symbol }) => index_symbol);
      for (const symbol of symbols) expect(familyOf(symbol)).toBe(gauge_key);
      const sizes = pulse.largest_moves.map(({ change }) => Math.abs(change));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      found.push(...symbols);
    }
    // Most families have fewer than five members, so nearly everything that moved is in one of the lists.
    expect(found.length).toBeGreaterThan(35);
    expect(found).toEqual(expect.arrayContaining(largest_moves.map(({ index_symbol }) => index_symbol)));
  });

  it('name exposed sectors only where that was measured', () => {
    const measured = INDEX_SYMBOLS.filter(
      (symbol) => stage.state.detail(symbol, NEWEST_AT, 1)!.sectors.length > 0,
    );
    expect(measured).toEqual(['HYOAS', 'UST10Y', 'VIX', 'BE10', 'USDBROAD', 'WTI']);
  });

  it('pack what a decision rests on, from one edition', async () => {
    const packet = await ask('get_decision_packet', {
      tickers: ['NVDA', 'ZZZZ'],
      include: ['scores', 'receipts'],
    });
    expect(packet.assets.map(({ state }) => state)).toEqual(['scored', 'unknown_ticker']);
    expect([packet.regime, packet.gauges, packet.calendar]).toEqual([null, null, null]);
    expect(packet.receipt?.edition_sha256).toBe(packet.snapshot_id);
    const { indexes } = side.macro.live.newest().frame;
    const drivers = new Set(packet.assets[0]!.score!.drivers.map(({ index_symbol }) => index_symbol));
    expect(packet.receipt?.vintages).toEqual(
      indexes
        .filter(({ symbol }) => drivers.has(symbol))
        .map(({ symbol, observedOn, knownAt, vintage }) => ({
          index_symbol: symbol,
          observed_on: observedOn,
          known_at: formatInstant(knownAt!),
          vintage,
        })),
    );
    const revised = indexes.map((one) => (one.symbol === 'INDPRO' ? { ...one, value: 1 } : one));
    expect(packet.receipt?.inputs_sha256).toBe(inputsFingerprint({ indexes }));
    expect(packet.receipt?.inputs_sha256).not.toBe(inputsFingerprint({ indexes: revised }));
  });

  it('answer briefly when nothing is asked for in particular', async () => {
    const sizes = await Promise.all([
      ask('get_market_regime', {}),
      ask('check_trade', { ticker: 'NVDA' }),
      ask('get_index_detail', { symbol: 'NETLIQ' }),
      ask('get_market_pulse', {}),
      ask('get_decision_packet', { tickers: ['NVDA', 'XOM'] }),
    ]);
    // About four characters make a token.
    for (const answer of sizes) expect(JSON.stringify(answer).length).toBeLessThan(SHORT);
    // Fifty changes are a longer page.
    expect(JSON.stringify(await ask('get_signal_changes', {})).length).toBeLessThan(1.25 * SHORT);
  });
});

describe('changes', () => {
  it('go on behind a cursor without gaps or repeats, across editions stated and not', async () => {
    const since = formatInstant(NOW - 12 * DAY);
    const whole = await ask('get_signal_changes', { since, limit: 200 });
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 40; page += 1) {
      const from: object = cursor === null ? { since } : { cursor };
      const answer: typeof whole = await ask('get_signal_changes', { ...from, limit: 7 });
      ids.push(...answer.events.map(({ id }) => id));
      cursor = answer.next_cursor;
      if (!answer.truncated) break;
    }
    expect(ids.slice(0, whole.events.length)).toEqual(whole.events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const times = whole.events.map(({ ts }) => ts);
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBeGreaterThan(4);
    expect((await ask('get_signal_changes', { cursor })).events).toEqual([]);
  });

  it('can be narrowed to kinds and families', async () => {
    const since = formatInstant(NOW - 30 * DAY);
    const { events } = await ask('get_signal_changes', { since, kinds: ['release'], families: ['rates'] });
    expect(events.length).toBeGreaterThan(5);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['release']));
    // A release rests on the observation that came in.
    for (const { to, evidence } of events)
      expect([to, evidence]).toEqual([expect.stringMatching(/^\d{4}-/), to]);
  });

  it('refuse what lies too far back, and a cursor of another question', async () => {
    const since = formatInstant(NOW - 100 * DAY);
    expect(await refusal(ask('get_signal_changes', { since }))).toBe('as_of_out_of_range');
    const { next_cursor: cursor } = await ask('get_signal_changes', { limit: 1 });
    expect(await refusal(ask('get_signal_changes', { cursor, kinds: ['release'] }))).toBe('invalid_cursor');
  });

  it('begin at an instant or go on behind a cursor, never both', async () => {
    const { next_cursor: cursor } = await ask('get_signal_changes', { limit: 1 });
    const since = formatInstant(NOW - DAY);
    expect(await refusal(ask('get_signal_changes', { since, cursor }))).toBe('invalid_parameter');
    expect((await ask('get_signal_changes', { since: null, cursor })).events.length).toBeGreaterThan(0);
  });

  it('come fifty at a time where nobody says how many', async () => {
    const since = formatInstant(NOW - 60 * DAY);
    expect((await ask('get_signal_changes', { since })).events).toHaveLength(50);
  });
});

describe('the briefing', () => {
  it('holds the same as data and as a page', async () => {
    const briefing = await ask('agent_briefing', {});
    expect(briefing).toMatchObject({ date: '2020-06-01', edition: 'update', freshness: 'fixture' });
    expect(briefing.markdown).toContain(briefing.headline);
    expect(briefing.markdown.split(/\s+/).length).toBeLessThanOrEqual(400);
    const { frame, at } = side.macro.live.newest();
    expect(briefing.snapshot_id).toBe(frame.fingerprint);
    expect(briefing.receipts).toMatchObject({
      edition_sha256: frame.fingerprint,
      edition_at: formatInstant(at),
      stated: true,
      lookahead: false,
    });
    const { oldest } = briefing.data_health;
    const released = frame.indexes.flatMap(({ releasedAt }) => (releasedAt === null ? [] : [releasedAt]));
    expect(oldest!.released_at).toBe(formatInstant(Math.min(...released)));
    expect(oldest!.age_h).toBe(Math.floor((at - Math.min(...released)) / HOUR));
    expect(briefing.calendar_today.length).toBeGreaterThan(3);
    for (const { due_at, time_et, expected_gap } of briefing.calendar_today) {
      const clock = {
        timeZone: 'America/New_York',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      } as const;
      expect(time_et).toBe(new Date(due_at).toLocaleTimeString('en-GB', clock));
      expect(expected_gap).toBeGreaterThan(0);
      expect(expected_gap).toBeLessThan(4);
    }
    expect(briefing.index_moves.up.length).toBeLessThanOrEqual(5);
  });
});

describe('an archive without a fixture', () => {
  /** The same facts under another name, and statements only once the test wants them to be there. */
  function imported(isStated: () => boolean, missing: string | null = null): ArchiveReader {
    const { archive } = stage;
    return new Proxy<ArchiveReader>(archive, {
      get(target, name) {
        if (name === 'statements')
          return async (query: StatementQuery) => (isStated() ? target.statements(query) : []);
        if (name === 'facts') {
          return async function* (kind: 'series', knowledge: Knowledge) {
            for await (const facts of target.facts(kind, knowledge))
              yield facts
                .filter(({ body }) => body.series !== missing)
                .map((fact) => ({ ...fact, source: 'import' }));
          };
        }
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }

  it('says of an index without a series that it is unavailable, and nothing else', async () => {
    const { answers } = await stage.open({ archive: imported(() => false, 'ICSA') });
    const list = await answers.indices({ as_of: formatInstant(FIRST_AT) });
    const claims = list.find(({ symbol }) => symbol === 'CLAIMS')!;
    expect(claims).toMatchObject({ status: 'unavailable', freshness: 'unavailable', current_value: null });
    for (const { status, freshness } of list)
      expect(freshness).toBe(status === 'unavailable' ? 'unavailable' : 'replay');
  });

  it('warms up without editions and still answers for the past; with one it is live, then stale', async () => {
    let stated = false;
    const { answers, macro } = await stage.open({ archive: imported(() => stated) });
    expect(await refusal(answers.gauges({}))).toBe('warming_up');
    const past = await answers.asset_score({ ticker: 'XOM', as_of: formatInstant(FIRST_AT) });
    expect(past).toMatchObject({
      freshness: 'replay',
      schema_score: first.scores.find(({ ticker }) => ticker === 'XOM')!.score,
    });
    stated = true;
    await macro.live.catchUp();
    expect((await answers.gauges({})).freshness).toBe(newest.frame.freshness);
    stage.clock.set(NOW + 30 * DAY);
    expect((await answers.gauges({})).freshness).toBe('stale');
    stage.clock.set(NOW);
  });
});
