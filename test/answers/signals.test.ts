// The signal feed: envelopes with receipts, filters, and cursors that neither skip nor repeat.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignalPage, StateChanges } from '../../src/contracts/attention/signals.js';
import type { Failure, FailureCode } from '../../src/contracts/failures.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { DAY, formatInstant, HOUR, LATEST, MINUTE } from '../../src/kernel/instant.js';
import { seeded } from '../ports/samples.js';
import { Desk, rowOf } from './desk.js';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.lay();
});
afterEach(() => desk.clear());

const VALUES = {
  attention_density: 2,
  attention_share: 10,
  attention_velocity: null,
  attention_surprise: 1.25,
  voice_independence: 0.75,
};

const signal = (type: string, ticker: string | null, now: unknown = 'high'): Emission => ({
  kind: 'signal',
  type,
  ticker,
  body: { prev: 'normal', now, evidence: { reason: 'because' }, ...(ticker ? { values: VALUES } : {}) },
});

async function emit(...emissions: Emission[]): Promise<number> {
  desk.clock.advance(MINUTE);
  return desk.frame([rowOf('NVDA', { rank: 1 }), rowOf('AAPL')], emissions);
}

const refusal = (code: FailureCode) =>
  expect.objectContaining({ code }) as unknown as InstanceType<typeof Failure>;

describe('envelopes', () => {
  it('carry their frame, their values and receipts that can be recomputed', async () => {
    const at = await emit(
      signal('attention.band_changed', 'NVDA'),
      signal('data.coverage_changed', null, { source_set_version: 3 }),
    );
    const answers = await desk.ask();
    const page = SignalPage.parse(await answers.bot_feed_signals({ limit: 50 }));
    const [band, coverage] = page.signals;
    const header = (await desk.archive.frameAt(at))!;
    expect(band).toMatchObject({
      seq: header.sequence + 1,
      kind: 'attention.band_changed',
      version: 1,
      ticker: 'NVDA',
      as_of: formatInstant(at),
      emitted_at: formatInstant(header.knownAt + 1),
      window: 'PT0S',
      prev: 'normal',
      now: 'high',
      frame_sha256: header.fingerprint,
      state: 'active',
      ttl_s: 3600,
      policy: 'ranking_input_only',
      evidence_refs: [
        { type: 'frame', ref: header.fingerprint },
        { type: 'detail', ref: 'reason=because' },
      ],
    });
    expect(band!.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const { signal_receipt_members: members } = await answers.ontology({});
    for (const { kpi_id, inputs_sha256, state } of band!.core_kpis) {
      const inputs = Object.fromEntries(
        members.map((member) => {
          const path = member.replace('<kpi>', kpi_id);
          const value = path
            .split('.')
            .reduce<unknown>((body, name) => (body as Record<string, unknown>)[name], band);
          return [path, value];
        }),
      );
      const hash = createHash('sha256').update(canonicalJson(inputs)).digest('hex');
      expect(inputs_sha256).toBe(`sha256:${hash}`);
      expect(state).toBe(kpi_id === 'attention_velocity' ? 'insufficient' : 'measured');
    }
    expect(coverage).toMatchObject({ ticker: null, core_kpi_values: null, core_kpis: [] });
    desk.clock.advance(2 * HOUR);
    expect((await answers.bot_feed_signals({ limit: 1 })).signals[0]!.state).toBe('expired');
  });

  it('are filtered by kind, ticker and instant, newest first chosen, in ascending order', async () => {
    const marks: number[] = [];
    for (let i = 0; i < 6; i++)
      marks.push(
        await emit(
          signal('attention.band_changed', i % 2 ? 'NVDA' : 'AAPL'),
          signal('attention.rank_entered', 'NVDA', i),
        ),
      );
    const answers = await desk.ask();
    const kinds = async (input: Parameters<typeof answers.bot_feed_signals>[0]) =>
      (await answers.bot_feed_signals(input)).signals.map(({ kind, ticker }) => `${kind} ${ticker}`);
    expect(await kinds({ limit: 3, kind: ['attention.rank_entered'] })).toHaveLength(3);
    expect(new Set(await kinds({ limit: 50, ticker: 'AAPL' }))).toEqual(
      new Set(['attention.band_changed AAPL']),
    );
    const newest = await answers.bot_feed_signals({ limit: 2 });
    expect(newest.signals.map(({ as_of }) => as_of)).toEqual(
      [marks[5], marks[5]].map((at) => formatInstant(at!)),
    );
    const since = await answers.bot_feed_signals({ limit: 3, since: formatInstant(marks[2]!) });
    expect([since.signals[0]!.as_of, since.has_more]).toEqual([formatInstant(marks[2]!), true]);
    const own = await answers.bot_feed_ticker_signals({ ticker: 'NVDA', limit: 200 });
    expect(own.signals).toHaveLength(9);
  });
});

describe('cursors', () => {
  it('never skip and never repeat while events are appended', async () => {
    const random = seeded(41);
    const answers = await desk.ask();
    let cursor: string | undefined = (await answers.bot_feed_signals({ limit: 5 })).next_cursor;
    const seen: number[] = [];
    const expected: number[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const count = Math.floor(random() * 9);
      const emissions = Array.from({ length: count }, (_, i) =>
        signal(random() < 0.6 ? 'attention.band_changed' : 'attention.rank_exited', 'NVDA', i),
      );
      const writing = emit(...emissions);
      // A reading that runs while the frame is appended sees all of it or nothing.
      const reading = answers.bot_feed_signals({ limit: 1 + Math.floor(random() * 7), cursor });
      const [page] = await Promise.all([reading, writing]);
      seen.push(...page.signals.map(({ seq }) => seq));
      cursor = page.next_cursor;
    }
    for (;;) {
      const page = await answers.bot_feed_signals({ limit: 10, cursor });
      seen.push(...page.signals.map(({ seq }) => seq));
      cursor = page.next_cursor;
      if (!page.has_more) break;
    }
    const all = await desk.archive.emissions({ kind: 'signal', knownBy: LATEST, limit: 1_000 });
    expected.push(...all.map(({ sequence }) => sequence));
    const rest = await answers.bot_feed_signals({ limit: 200, cursor });
    seen.push(...rest.signals.map(({ seq }) => seq));
    expect(expected.length).toBeGreaterThan(150);
    expect(seen).toEqual(expected);
  });

  it('belong to their question, cannot be forged, and end after thirty days', async () => {
    await emit(signal('attention.band_changed', 'NVDA'));
    const answers = await desk.ask();
    const { next_cursor: cursor } = await answers.bot_feed_signals({ limit: 5 });
    for (const input of [
      { limit: 5, cursor, ticker: 'NVDA' },
      { limit: 5, cursor, kind: ['attention.band_changed' as const] },
      { limit: 5, cursor, since: '2026-01-01T00:00:00Z' },
      { limit: 5, cursor: `${cursor}A` },
      { limit: 5, cursor: 'AAAA' },
    ])
      await expect(answers.bot_feed_signals(input)).rejects.toEqual(refusal('invalid_cursor'));
    await expect(answers.state_changes({ limit: 5, cursor })).rejects.toEqual(refusal('invalid_cursor'));
    for (let i = 0; i < cursor.length; i++) {
      const other = cursor[i] === 'A' ? 'B' : 'A';
      const forged = cursor.slice(0, i) + other + cursor.slice(i + 1);
      await expect(answers.bot_feed_signals({ limit: 5, cursor: forged })).rejects.toEqual(
        refusal('invalid_cursor'),
      );
    }
    // Another number of events is the same question.
    expect((await answers.bot_feed_signals({ limit: 200, cursor })).signals).toEqual([]);
    const issued = desk.clock.now();
    desk.clock.set(issued + 30 * DAY);
    const { next_cursor: fresh } = await answers.bot_feed_signals({ limit: 5, cursor });
    desk.clock.set(issued + 30 * DAY + MINUTE);
    await expect(answers.bot_feed_signals({ limit: 5, cursor })).rejects.toEqual(refusal('cursor_expired'));
    expect((await answers.bot_feed_signals({ limit: 5, cursor: fresh })).signals).toEqual([]);
  });
});

it('lists state changes for everybody, and only those', async () => {
  await emit(
    signal('attention.band_changed', 'NVDA'),
    signal('attention.price_diverged', 'NVDA'),
    signal('attention.rank_entered', 'AAPL', 3),
    { kind: 'gate', type: 'realness.commitment', ticker: 'NVDA', body: { verdict: 'veto', salt: 'x' } },
  );
  const answers = await desk.ask();
  const page = StateChanges.parse(await answers.state_changes({ limit: 50 }));
  expect(page.changes.map(({ change, ticker, now }) => [change, ticker, now])).toEqual([
    ['attention.band_changed', 'NVDA', 'high'],
    ['attention.rank_entered', 'AAPL', 3],
  ]);
  await emit(signal('attention.band_changed', 'AAPL', 'extreme'));
  const next = await answers.state_changes({ limit: 50, cursor: page.next_cursor });
  expect(next.changes.map(({ now }) => now)).toEqual(['extreme']);
  expect((await answers.state_changes({ limit: 50, ticker: 'NVDA' })).changes).toHaveLength(1);
  const entered = await answers.state_changes({ limit: 50, change: ['attention.rank_entered'] });
  expect(entered.changes.map(({ ticker }) => ticker)).toEqual(['AAPL']);
  expect(entered.changes[0]!.frame_sha256).toMatch(/^sha256:/);
  // A cursor belongs to its filters.
  const mixed = answers.state_changes({ limit: 50, cursor: entered.next_cursor });
  await expect(mixed).rejects.toMatchObject({ code: 'invalid_cursor' });
});

it('gives each change the one of its kind before it, and ends at an instant', async () => {
  const band = (now: string) => signal('attention.band_changed', 'NVDA', now);
  const marks = [
    await emit(
      band('high'),
      signal('data.coverage_changed', null),
      signal('attention.rank_entered', 'NVDA', 1),
    ),
    await emit(signal('attention.band_changed', 'AAPL'), signal('attention.share_rotated', 'NVDA')),
    await emit(band('normal')),
    await emit(band('extreme'), signal('data.coverage_changed', null)),
  ];
  const answers = await desk.ask();
  const chained = async (input: Parameters<typeof answers.state_changes>[0]) => {
    const { changes } = StateChanges.parse(await answers.state_changes(input));
    return changes.map(({ seq, ticker, now, previous_seq, dwell_s }) => ({
      seq,
      ticker,
      now,
      previous_seq,
      dwell_s,
    }));
  };
  const all = await chained({ limit: 50 });
  const [high, coverage, entered, aapl, normal, extreme, again] = all.map(({ seq }) => seq);
  expect(all.map(({ seq, previous_seq, dwell_s }) => [seq, previous_seq, dwell_s])).toEqual([
    [high, null, null],
    [coverage, null, null],
    [entered, null, null],
    [aapl, null, null],
    [normal, high, 120],
    [extreme, normal, 60],
    [again, coverage, 180],
  ]);
  // However small the page: what is before it is looked up.
  for (const [i, one] of all.entries()) {
    const [last] = (await chained({ limit: i + 1, since: formatInstant(marks[0]!) })).slice(-1);
    expect(last).toEqual(one);
  }
  expect(await chained({ limit: 1 })).toEqual(all.slice(-1));
  expect(await chained({ limit: 2, ticker: 'NVDA' })).toEqual([all[4], all[5]]);

  const until = formatInstant(marks[2]!);
  expect(await chained({ limit: 2, until })).toEqual(all.slice(3, 5));
  expect(await chained({ limit: 50, since: formatInstant(marks[1]!), until })).toEqual(all.slice(3, 5));
  expect(await chained({ limit: 50, until: formatInstant(marks[0]! - 1) })).toEqual([]);
  const first = await answers.state_changes({ limit: 4, since: formatInstant(marks[0]!), until });
  expect(first.has_more).toBe(true);
  const rest = await answers.state_changes({
    limit: 4,
    since: formatInstant(marks[0]!),
    until,
    cursor: first.next_cursor,
  });
  expect([rest.changes.map(({ seq }) => seq), rest.has_more]).toEqual([[normal], false]);
  const other = answers.state_changes({
    limit: 4,
    since: formatInstant(marks[0]!),
    cursor: first.next_cursor,
  });
  await expect(other).rejects.toEqual(refusal('invalid_cursor'));
});
