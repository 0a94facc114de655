// The author graph: what counts as an interaction, what it costs to fake, and whether a planted worth is found.
import { describe, expect, it } from 'vitest';
import { plantedMarket } from '../../src/connectors/fixture/planted-signal.js';
import { ReputationDocument as Shape } from '../../src/contracts/attention/reputation.js';
import type { FactOf } from '../../src/domain/facts/fact.js';
import type { Post } from '../../src/domain/facts/post.js';
import { decisionOf } from '../../src/domain/validation/panel.js';
import { REPUTATION } from '../../src/domain/validation/parameters.js';
import { AuthorGraph } from '../../src/domain/validation/reputation/author-graph.js';
import { graphShape, stabilityBetween } from '../../src/domain/validation/reputation/graph-shape.js';
import { displacementOf } from '../../src/domain/validation/reputation/rank-displacement.js';
import { reputationOf } from '../../src/domain/validation/reputation/reputation-scorecard.js';
import {
  type Attack,
  attacked,
  heldBeyond,
  type TrustInput,
  trustOf,
} from '../../src/domain/validation/reputation/trust.js';
import { VoiceLedger } from '../../src/domain/validation/reputation/voice-ledger.js';
import {
  activityOf,
  type GridPoint,
  VoiceStudy,
  weightOf,
} from '../../src/domain/validation/reputation/weighted-activity.js';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/kernel/instant.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { stochasticRows } from '../../src/kernel/statistics/sparse-graph.js';
import { textKey } from '../../src/kernel/text-key.js';
import { closesOf, drain, grounds, sectorsOf } from './planted-panel.js';

const START: Instant = 20_100 * DAY;
let sequence = 0;

function post(author: number, id: string, knownAt: Instant, over: Partial<Post> = {}): FactOf<'post'> {
  sequence++;
  return {
    sequence,
    knownAt,
    effectiveAt: knownAt,
    source: 'test',
    backfilled: false,
    body: {
      kind: 'post',
      provider: 'test',
      id,
      author,
      mentions: [],
      providerTags: true,
      financeContext: true,
      shingles: new Uint32Array(0),
      narrative: sequence,
      objects: [],
      excerpt: '',
      lang: null,
      authorCreatedAt: START - 400 * DAY,
      followers: null,
      likes: null,
      reposts: null,
      replies: null,
      ...over,
    },
  };
}

const passingOn = (id: string): Partial<Post> => ({ objects: [textKey(`test ${id}`)] });

describe('the graph', () => {
  it('has an edge from who passes a post on to who wrote it, however often at most three times a day', () => {
    const graph = new AuthorGraph();
    graph.take(post(1, 'a', START));
    for (let i = 0; i < 5; i++) graph.take(post(2, `b${i}`, START + i * MINUTE, passingOn('a')));
    graph.take(post(1, 'c', START + HOUR, passingOn('a')));
    const { graph: edges } = graph.snapshot(START + HOUR);
    expect([...(edges.from as Uint32Array)]).toEqual([1]);
    expect([...(edges.to as Uint32Array)]).toEqual([0]);
    expect(edges.weight[0]).toBeCloseTo(3, 2);
    expect(graph.snapshot(START + REPUTATION.halfLife).graph.weight[0]).toBeCloseTo(1.5, 2);
  });

  it('knows nothing of a post that was learned later than its repost', () => {
    const graph = new AuthorGraph();
    graph.take(post(2, 'b', START, passingOn('a')));
    graph.take(post(1, 'a', START + MINUTE));
    expect(graph.snapshot(START + HOUR).graph.from).toHaveLength(0);
  });

  it('anchors trust in accounts that are old and active, and never in those of unknown age', () => {
    const graph = new AuthorGraph();
    for (let day = 0; day < 30; day++) {
      graph.take(post(1, `o${day}`, START + day * DAY));
      graph.take(post(2, `y${day}`, START + day * DAY, { authorCreatedAt: START - 20 * DAY }));
      graph.take(post(3, `u${day}`, START + day * DAY, { authorCreatedAt: null }));
      if (day < 29) graph.take(post(4, `i${day}`, START + day * DAY));
    }
    expect([...graph.snapshot(START + 30 * DAY).preTrust]).toEqual([1, 0, 0, 0]);
    expect([...graph.snapshot(START + 28 * DAY).preTrust][1]).toBe(0);
  });

  it('is described without naming anybody', () => {
    const weight = Float64Array.of(1, 1, 1);
    const shape = graphShape({
      graph: { nodes: 6, from: [0, 1, 3], to: [1, 0, 4], weight },
      preTrust: new Float64Array(6),
    });
    expect(shape).toMatchObject({
      interacting: 4,
      edges: 3,
      danglingShare: 0.25,
      largestComponentShare: 0.5,
    });
    expect(shape.reciprocity).toBeCloseTo(2 / 3, 12);
    const stable = stabilityBetween(Float64Array.of(0.4, 0.3, 0.3), Float64Array.of(0.5, 0.2, 0.1, 0.2));
    expect(stable).toMatchObject({ common_authors: 3, top_decile_turnover: 0 });
  });
});

describe('an attacker', () => {
  const random = seededRandom('sybils');
  const nodes = 400;
  const from = Array.from({ length: 3_000 }, () => random.integer(0, nodes - 1));
  const to = from.map(() => random.integer(0, nodes - 1));
  const honest: TrustInput = {
    graph: { nodes, from, to, weight: Float64Array.from(from, () => random.uniform(0.2, 3)) },
    preTrust: Float64Array.from({ length: nodes }, (_, i) => (i < 60 ? 1 : 0)),
  };

  const capturedShare = (input: TrustInput, attack: Attack): number =>
    heldBeyond(trustOf(attacked(input, attack))!.scores, nodes);

  it('gains nothing by 500 accounts that praise only each other', () => {
    const share = capturedShare(honest, { sybils: 500, bought: 0, seed: 'ring' });
    expect(share).toBe(0);
    const bought = capturedShare(honest, { sybils: 500, bought: 2, seed: 'ring' });
    expect(bought).toBeGreaterThan(0);
    expect(bought).toBeLessThan(0.01);
  });

  it('gains no more with more accounts, only with more bought interactions', () => {
    const share = (sybils: number, bought: number): number =>
      capturedShare(honest, { sybils, bought, seed: 'price' });
    expect(share(1_000, 10)).toBeLessThan(share(10, 10) * 1.5);
    expect(share(100, 40)).toBeGreaterThan(share(100, 5));
  });

  it('moves nobody without bought interactions, and few by many ranks with them', () => {
    const before = trustOf(honest)!.scores;
    const moved = (sybils: number, bought: number) =>
      displacementOf(before, trustOf(attacked(honest, { sybils, bought, seed: 'ranks' }), before)!.scores);
    expect(moved(500, 0)).toEqual({ largest: 0, p95: 0 });
    const bought = moved(100, 10);
    expect(bought.p95).toBeGreaterThan(0);
    expect(bought.largest).toBeGreaterThanOrEqual(bought.p95);
    // Who is overtaken by everybody new loses as many ranks, and trades some more.
    expect(bought.largest).toBeLessThan(100 + nodes / 4);
  });

  it('takes the ranks of those it overtakes', () => {
    // Four authors; two accounts come in between the second and the third, and the last two change places.
    const before = Float64Array.of(0.4, 0.3, 0.2, 0.1, 0);
    const after = Float64Array.of(0.35, 0.25, 0.06, 0.08, 0, 0.14, 0.12);
    // Ranks 1, 2, 3, 4 become 1, 2, 6, 5.
    const moved = displacementOf(before, after);
    expect(moved.largest).toBe(3);
    expect(moved.p95).toBeCloseTo(2.7, 12);
    const tied = after.map((score) => score + 1e-12);
    expect(displacementOf(after, tied)).toEqual({ largest: 0, p95: 0 });
  });

  it('holds exactly what flows over the edges that it bought', () => {
    const attack = attacked(honest, { sybils: 50, bought: 20, seed: 'identity' });
    const { scores } = trustOf(attack)!;
    const rows = stochasticRows(attack.graph, true);
    let [flow, held] = [0, 0];
    for (let i = 0; i < nodes; i++)
      for (let e = rows.start[i]!; e < rows.start[i + 1]!; e++)
        if (rows.target[e]! >= nodes) flow += scores[i]! * rows.share[e]!;
    for (let i = nodes; i < nodes + 50; i++) held += scores[i]!;
    expect(held).toBeCloseTo(((1 - REPUTATION.alpha) / REPUTATION.alpha) * flow, 7);
  });

  it('meets no score at all while there are too few accounts to trust', () => {
    const preTrust = Float64Array.from(honest.preTrust, (_, i) => (i < REPUTATION.minAuthors - 1 ? 1 : 0));
    expect(trustOf({ ...honest, preTrust })).toBeNull();
  });

  it('is found again from where the last week ended in fewer sweeps', () => {
    const cold = trustOf(honest)!;
    expect(trustOf(honest, cold.scores)!.sweeps).toBeLessThan(cold.sweeps / 3);
  });
});

describe('the worth of reputation', () => {
  const market = plantedMarket({ seed: 'voices', names: 60, sessions: 110, ic: 0.6, persistence: 0 });
  const tickers = market.tickers.toSorted();
  const closes = closesOf(market);
  const study = new VoiceStudy(closes, sectorsOf(market, tickers));
  const points: GridPoint[] = market.sessions.map(({ date, frameAt, rows }) => ({
    date,
    at: frameAt,
    decidedAt: decisionOf({ at: frameAt, knownAt: frameAt }).decidedAt,
    logCap: Float64Array.from(tickers, (ticker) =>
      Math.log(rows.find((row) => row.ticker === ticker)!.denominator.usdBillions!),
    ),
  }));
  const asOf = market.sessions.at(-1)!.closeAt + 13 * HOUR;

  /** Thirty old accounts that speak of what will rise, and pass each other on; thirty that speak at random. */
  function posts(): FactOf<'post'>[] {
    const random = seededRandom('talk');
    const said: FactOf<'post'>[] = [];
    const first = market.sessions[0]!.frameAt;
    for (let day = 45; day > 0; day--) {
      for (let author = 0; author < 30; author++) {
        const id = `${day} ${author}`;
        const at = first - day * DAY + author * MINUTE;
        said.push(
          post(2 ** 50 + author, id, at),
          post(2 ** 50 + ((author + 1) % 30), `r${id}`, at + 1, passingOn(id)),
        );
      }
    }
    for (const { frameAt, rows } of market.sessions) {
      const loud = rows.toSorted((a, b) => b.velocity! - a.velocity!);
      for (let i = 0; i < 60; i++) {
        const knows = i < 30;
        const at = frameAt - HOUR + i * MINUTE;
        const said1 = knows ? loud[random.integer(0, 25)]! : loud[random.integer(0, 59)]!;
        const crowd = (name: string): Partial<Post> => ({ mentions: [{ ticker: name, form: 'cashtag' }] });
        const young = { authorCreatedAt: START - 10 * DAY };
        said.push(
          post(2 ** 50 + i, `s${frameAt} ${i}`, at, { ...crowd(said1.ticker), ...(knows ? {} : young) }),
        );
      }
      // Everybody is spoken of a little, so that all names can be compared.
      rows.forEach((row, i) => {
        const mentions = [{ ticker: row.ticker, form: 'cashtag' as const }];
        said.push(
          post(2 ** 50 + 100 + i, `all ${frameAt} ${i}`, frameAt - 2 * MINUTE, {
            mentions,
            authorCreatedAt: null,
          }),
        );
      });
    }
    return said.sort((a, b) => a.knownAt - b.knownAt);
  }

  const ledger = new VoiceLedger(tickers, points, study, asOf);
  const said = posts();
  drain(ledger.take(said));
  drain(ledger.finish());
  const document = drain(
    reputationOf(ledger, study, {
      ...grounds({ epochAt: asOf }),
      registrySha256: `sha256:${'1'.repeat(64)}`,
    }),
  );

  it('is found where voices that were trusted before knew more than others', () => {
    const [direction] = document.incremental_value;
    expect(direction!.n_days).toBeGreaterThan(90);
    expect(direction!.weighted_mean_ic!).toBeGreaterThan(direction!.plain_mean_ic! + 0.05);
    expect(direction!.verdict).toBe('supported');
    expect(direction!.permutation_p!).toBeLessThan(0.05);
  });

  it('is tested with scores that were known before the week', () => {
    for (const day of ledger.days) expect(day.scores.length).toBeLessThanOrEqual(ledger.authors);
    const early = new VoiceLedger(tickers, points.slice(0, 30), study, points[29]!.at + 3 * DAY);
    drain(early.take(said.filter(({ knownAt }) => knownAt <= points[29]!.at + 3 * DAY)));
    drain(early.finish());
    early.days.forEach((day, i) => {
      expect(day.date).toBe(ledger.days[i]!.date);
      expect(day.scores).toEqual(ledger.days[i]!.scores);
    });
  });

  it('is published in aggregates only', () => {
    expect(Shape.safeParse(document).error).toBeUndefined();
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/11258999068\d+/);
    expect(document.state).toBe('measured');
    expect(document.graph.pre_trusted).toBe(30);
    expect(document.coverage).toEqual([expect.objectContaining({ provider: 'test', state: 'measured' })]);
    expect(document.sybil_resistance.filter(({ bought_edges }) => bought_edges === 0)).toEqual(
      REPUTATION.sybils.map((injected) => ({
        injected,
        bought_edges: 0,
        captured_share: 0,
        rank_displacement: { max: 0, p95: 0 },
      })),
    );
    for (const { bought_edges, rank_displacement: moved } of document.sybil_resistance)
      expect(moved!.max! > 0).toBe(bought_edges > 0);
  });

  it('hides cells of fewer than twenty authors', () => {
    const few = new VoiceLedger(tickers, [], study, START + DAY);
    drain(few.take(Array.from({ length: 19 }, (_, i) => post(i, `few ${i}`, START + i))));
    drain(few.finish());
    const hidden = drain(
      reputationOf(few, study, { ...grounds(), registrySha256: `sha256:${'1'.repeat(64)}` }),
    );
    expect(hidden).toMatchObject({
      state: 'insufficient_data',
      graph: { authors: null, pre_trusted: null },
      coverage: [{ provider: 'test', authors: null, scored_activity_share: null, state: 'suppressed' }],
    });
    expect(Shape.safeParse(hidden).error).toBeUndefined();
  });

  it('weighs by score relative to the mean, within a bound, and strangers not at all', () => {
    const scores = Float64Array.of(0.5, 0.1, 0.4);
    expect([0, 1, 2, 3].map((author) => weightOf(scores, author))).toEqual([
      1.5,
      expect.closeTo(0.3),
      expect.closeTo(1.2),
      0,
    ]);
    const voices = {
      author: Uint32Array.of(0, 1, 3),
      place: Uint32Array.of(2, 2, 0),
      share: Float64Array.of(1, 0.5, 1),
    };
    expect([...activityOf(voices, 3, (author) => weightOf(scores, author))]).toEqual([0, Number.NaN, 1.65]);
  });
});
