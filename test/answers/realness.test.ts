// Realness: what everybody sees, who sees a verdict and when, and that a revealed commitment can be checked.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GateCommitments, Realness } from '../../src/contracts/attention/realness.js';
import type { AnswersTo } from '../../src/contracts/operation.js';
import type { OPERATIONS } from '../../src/contracts/operations.js';
import { checkReveal, commitmentOf, type GateRecord, type Verdict } from '../../src/domain/attention/gate.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import { DAY, formatInstant, HOUR, type Instant, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { post, T0 } from '../ports/samples.js';
import { asset, callerOf, Desk, rowOf } from './desk.js';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.lay();
  await desk.tell(asset('NVDA'), asset('AAPL'));
});
afterEach(() => desk.clear());

const SCOPED = callerOf('c', 'realness:verdict');
const UNSCOPED = callerOf('c', 'signals:read');

function gate(at: Instant, verdict: Verdict, seq: number): { emission: Emission; salt: string } {
  const salt = randomBytes(32);
  const record: GateRecord = {
    ticker: 'NVDA',
    as_of: formatInstant(at),
    measurement_sha256: `sha256:${'ab'.repeat(32)}`,
    verdict,
    policy_sha256: 'cd'.repeat(32),
    seq,
  };
  const body = {
    ...record,
    coordination_index: 0.5,
    interval90: [0.4, 0.6],
    commitment: commitmentOf(record, salt),
    salt: salt.toString('hex'),
  };
  const emission = { kind: 'gate', type: 'realness.commitment', ticker: 'NVDA', body } as const;
  return { emission, salt: salt.toString('hex') };
}

async function recorded(verdict: Verdict): Promise<{ at: Instant; salt: string }> {
  const at = Math.floor(desk.clock.now() / (15 * SECOND)) * 15 * SECOND;
  const { highWater } = await desk.archive.extent();
  const { emission, salt } = gate(at, verdict, highWater + 2);
  await desk.frame([rowOf('NVDA', { rank: 1 }), rowOf('AAPL')], [emission]);
  return { at, salt };
}

describe('the measurement', () => {
  async function crowd(authors: number, coordinated: boolean): Promise<Realness> {
    for (let i = 0; i < authors * 2; i++) {
      await desk.tell({
        source: 'bluesky',
        effectiveAt: T0 + (coordinated ? i : i * 700) * SECOND,
        body: post(`p${i}`, {
          author: i % authors,
          narrative: coordinated ? 1 : i,
          objects: [],
          authorCreatedAt: T0 - (coordinated ? 3 : 100 + 90 * (i % authors)) * DAY,
        }),
      });
    }
    desk.clock.advance(20 * HOUR);
    await desk.frame([rowOf('NVDA', { rank: 1 })]);
    return Realness.parse(await (await desk.ask()).realness({ ticker: 'NVDA' }));
  }

  it('tells a campaign from a crowd, in the aggregate', async () => {
    const campaign = await crowd(60, true);
    expect(campaign).toMatchObject({
      state: 'measured',
      sample: { posts: 120, authors: 60, clusters: 1, coverage: 1 },
      boundary: { aggregate_only: true, named_accounts: false, min_authors: 10 },
    });
    expect(campaign.measurement!.coordination_index).toBeGreaterThan(0.7);
    expect(campaign.measurement!.interval90.low).toBeGreaterThan(0.6);
    expect(campaign.measurement!.cascade).not.toBeNull();
    expect(campaign.measurement!.components.map(({ state }) => state)).toEqual(Array(5).fill('measured'));
  });

  it('leaves a crowd in peace', async () => {
    const organic = await crowd(30, false);
    expect(organic.measurement!.coordination_index).toBeLessThan(0.3);
    expect(organic.measurement!.cascade).toBeNull();
  });

  it('says nothing about a handful, and types the absence', async () => {
    expect(await crowd(5, true)).toMatchObject({ state: 'insufficient', measurement: null });
    expect(
      await (await desk.ask()).realness({ ticker: 'NVDA', as_of: formatInstant(T0 + HOUR) }),
    ).toMatchObject({
      measurement: null,
    });
    await expect((await desk.ask()).realness({ ticker: 'ZZZ' })).rejects.toMatchObject({
      code: 'ticker_not_found',
    });
  });

  it('is unavailable where there is no post at all', async () => {
    await desk.frame([rowOf('NVDA'), rowOf('AAPL')]);
    expect(await (await desk.ask()).realness({ ticker: 'AAPL' })).toMatchObject({
      state: 'unavailable',
      sample: { posts: 0 },
      gate: { state: 'withheld', commitment: null, reveal_after: null },
    });
  });
});

describe('the gate', () => {
  const asked = (
    answers: AnswersTo<typeof OPERATIONS>,
    caller: Parameters<typeof answers.realness>[1],
    as_of?: string,
  ) =>
    Promise.all([
      answers.realness({ ticker: 'NVDA', as_of }, caller).then((body) => Realness.parse(body)),
      answers
        .realness_commitments({ ticker: 'NVDA', as_of, limit: 50 }, caller)
        .then((body) => GateCommitments.parse(body)),
    ]);

  it('withholds, releases to the scope, and reveals to everybody after its days', async () => {
    const { at, salt } = await recorded('veto');
    const answers = await desk.ask();
    for (const [caller, state] of [
      [undefined, 'withheld'],
      [UNSCOPED, 'withheld'],
      [SCOPED, 'released'],
    ] as const) {
      for (const as_of of [undefined, formatInstant(at)]) {
        const [body, list] = await asked(answers, caller, as_of);
        const verdict = state === 'released' ? 'veto' : null;
        expect(body.gate).toMatchObject({
          state,
          verdict,
          salt: null,
          required_scope: 'realness:verdict',
          as_of: formatInstant(at),
          reveal_after: formatInstant(at + 30 * DAY),
        });
        expect(list.commitments[0]).toMatchObject({ state, verdict, salt: null });
        const text = JSON.stringify([body, list]);
        expect(text).not.toContain(salt);
        if (state === 'withheld') expect(text).not.toMatch(/veto/);
      }
    }
    desk.clock.set(at + 30 * DAY - 1);
    expect((await asked(answers, undefined))[0].gate.state).toBe('withheld');
    desk.clock.set(at + 30 * DAY);
    const [body, list] = await asked(answers, undefined, formatInstant(at));
    expect(body.gate).toMatchObject({ state: 'revealed', verdict: 'veto', salt });
    expect(list.commitments[0]).toMatchObject({ state: 'revealed', verdict: 'veto', salt });
  });

  it('reveals what anybody can check, and no flipped bit passes', async () => {
    const { at } = await recorded('caution');
    desk.clock.set(at + 40 * DAY);
    const [, list] = await asked(await desk.ask(), undefined);
    const entry = list.commitments[0]!;
    const { ticker, as_of, measurement_sha256, policy_sha256, seq } = entry;
    const record: GateRecord = {
      ticker,
      as_of,
      measurement_sha256,
      policy_sha256,
      seq,
      verdict: entry.verdict!,
    };
    const salt = Buffer.from(entry.salt!, 'hex');
    expect(checkReveal(record, salt, entry.commitment)).toBe(true);
    for (let bit = 0; bit < 256; bit++) {
      const flipped = Buffer.from(salt);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(checkReveal(record, flipped, entry.commitment)).toBe(false);
    }
    for (const over of [
      { verdict: 'clear' as const },
      { seq: seq + 1 },
      { ticker: 'AAPL' },
      { as_of: formatInstant(at + 1) },
    ])
      expect(checkReveal({ ...record, ...over }, salt, entry.commitment)).toBe(false);
  });

  it('shows the record at or before the instant, and lists the newest in order', async () => {
    const first = await recorded('clear');
    desk.clock.advance(HOUR);
    const second = await recorded('veto');
    desk.clock.advance(MINUTE);
    const answers = await desk.ask({ revealDays: 1 });
    const gateAt = async (at: Instant) =>
      (await answers.realness({ ticker: 'NVDA', as_of: formatInstant(at) })).gate.as_of;
    expect(await gateAt(first.at)).toBe(formatInstant(first.at));
    expect(await gateAt(second.at)).toBe(formatInstant(second.at));
    const list = await answers.realness_commitments({ ticker: 'NVDA', limit: 1 });
    expect(list.commitments.map(({ as_of }) => as_of)).toEqual([formatInstant(second.at)]);
    const both = await answers.realness_commitments({ ticker: 'NVDA', limit: 2 });
    expect(both.commitments.map(({ as_of }) => as_of)).toEqual([first.at, second.at].map(formatInstant));
    expect((await answers.realness_commitments({ ticker: 'AAPL', limit: 2 })).commitments).toEqual([]);
  });

  it('leaves no verdict in any other answer', async () => {
    const { salt } = await recorded('veto');
    const answers = await desk.ask();
    const all = JSON.stringify(
      await Promise.all([
        answers.snapshot_ticker({ ticker: 'NVDA', top_posts_sort: 'observed_desc' }),
        answers.bot_feed_signals({ limit: 200 }),
        answers.state_changes({ limit: 200 }),
        answers.diagnostics({}),
        answers.ontology({}),
      ]),
    );
    expect(all).not.toContain(salt);
    expect(all).not.toMatch(/"verdict"|veto/);
  });
});
