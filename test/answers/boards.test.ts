// Boards of the past, cohorts, watchlists and the health of the tape.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Buckets, Themes } from '../../src/contracts/attention/cohorts.js';
import { Diagnostics } from '../../src/contracts/attention/diagnostics.js';
import { PastBoard } from '../../src/contracts/attention/past-board.js';
import { SavedWatchlist, Watchlist } from '../../src/contracts/attention/watchlists.js';
import type { Row } from '../../src/domain/facts/frame.js';
import { DAY, formatInstant, HOUR, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { ArchiveUnavailable } from '../../src/ports/archive.js';
import { denominator } from '../ports/samples.js';
import { asset, CYCLE, callerOf, Desk, rowOf } from './desk.js';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.lay();
  await desk.tell(asset('NVDA'), asset('AAPL'), asset('XOM', 'Oil & Gas'), asset('NONE', null));
  desk.clock.advance(MINUTE);
});
afterEach(() => desk.clear());

const BOARD: readonly Omit<Row, 'slot'>[] = [
  rowOf('NVDA', { rank: 1, density: 4, share: 50, denominator: denominator({ usdBillions: 3_000 }) }),
  rowOf('AAPL', { rank: 3, density: 1, share: 20, denominator: denominator({ usdBillions: 2_500 }) }),
  rowOf('XOM', {
    rank: 2,
    density: 3,
    share: 30,
    band: 'high',
    denominator: denominator({ usdBillions: 9 }),
  }),
  rowOf('NONE', { state: 'insufficient', band: 'insufficient', share: null, activity: 50 }),
];

describe('the board of a past instant', () => {
  it('is the recorded frame with its receipt, and knows the ranks before', async () => {
    const first = await desk.frame([rowOf('NVDA', { rank: 2 }), rowOf('AAPL', { rank: 1 })]);
    desk.clock.advance(CYCLE * SECOND);
    const second = await desk.frame(BOARD);
    desk.clock.advance(HOUR);
    const answers = await desk.ask();
    const board = PastBoard.parse(await answers.snapshot_as_of({ as_of: formatInstant(second), limit: 2 }));
    expect(board.leaderboard.map(({ ticker, rank, rank_prev }) => [ticker, rank, rank_prev])).toEqual([
      ['NVDA', 1, 2],
      ['XOM', 2, null],
    ]);
    expect(board).toMatchObject({
      ranked: 3,
      tickers: 4,
      freshness: 'archived',
      receipt: { recorded: true, lookahead: false, knowledge: 'simulated', backfilled_share: 0.1 },
    });
    const before = await answers.snapshot_as_of({ as_of: formatInstant(second - 1), limit: 25 });
    expect([before.frame_at, before.leaderboard[0]!.ticker]).toEqual([formatInstant(first), 'AAPL']);
    const computed = PastBoard.parse(
      await answers.snapshot_as_of({ as_of: formatInstant(second + 30 * MINUTE), limit: 5 }),
    );
    expect(computed).toMatchObject({ freshness: 'simulated', receipt: { recorded: false } });
    for (const as_of of [formatInstant(desk.clock.now() + 1), '1999-01-01T00:00:00Z'])
      await expect(answers.snapshot_as_of({ as_of, limit: 5 })).rejects.toMatchObject({
        code: 'as_of_out_of_range',
      });
  });
});

describe('cohorts', () => {
  it('by market capitalisation cover every ticker once', async () => {
    await desk.frame(BOARD);
    const { buckets } = Buckets.parse(await (await desk.ask()).snapshot_buckets({ limit: 1 }));
    expect(buckets.map(({ bucket }) => bucket)).toEqual([
      'nano',
      'micro',
      'small',
      'mid',
      'large',
      'mega',
      'unknown',
    ]);
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(BOARD.length);
    const mega = buckets.find(({ bucket }) => bucket === 'mega')!;
    expect(mega).toMatchObject({ count: 2, ranked: 2, activity_share: 70, median_density: 2.5 });
    expect(mega.leaderboard.map(({ ticker }) => ticker)).toEqual(['NVDA']);
    expect(buckets.find(({ bucket }) => bucket === 'mid')).toMatchObject({ count: 1, elevated: 1 });
    expect(buckets[0]).toMatchObject({ count: 0, median_density: null, leaderboard: [] });
  });

  it('by theme are the sectors, largest share first', async () => {
    await desk.frame(BOARD);
    const { themes } = Themes.parse(await (await desk.ask()).snapshot_themes({ limit: 5 }));
    expect(
      themes.map(({ theme, name, count, activity_share }) => [theme, name, count, activity_share]),
    ).toEqual([
      ['technology', 'Technology', 2, 70],
      ['oil-gas', 'Oil & Gas', 1, 30],
    ]);
    expect(themes[0]!.leaderboard.map(({ ticker }) => ticker)).toEqual(['NVDA', 'AAPL']);
  });

  it('wait for the first frame', async () => {
    await expect((await desk.ask()).snapshot_buckets({ limit: 5 })).rejects.toMatchObject({
      code: 'warming_up',
    });
  });
});

describe('watchlists', () => {
  const one = callerOf('one', 'watchlists:read', 'watchlists:write');
  const other = callerOf('other', 'watchlists:read', 'watchlists:write');

  it('are ranked by the board, saved again, and seen by their own customer only', async () => {
    await desk.frame(BOARD);
    const answers = await desk.ask();
    const save = { watchlist_id: 'core', name: 'Core', tickers: ['GHOST', 'NONE', 'AAPL', 'XOM', 'AAPL'] };
    const saved = SavedWatchlist.parse(await answers.save_watchlist(save, one));
    expect(saved.tickers).toEqual(['GHOST', 'NONE', 'AAPL', 'XOM']);
    const list = Watchlist.parse(await answers.snapshot_watchlist({ watchlist_id: 'core' }, one));
    expect(list.rows.map(({ position, ticker, rank, state }) => [position, ticker, rank, state])).toEqual([
      [1, 'XOM', 2, 'ranked'],
      [2, 'AAPL', 3, 'ranked'],
      [3, 'NONE', null, 'insufficient'],
      [4, 'GHOST', null, 'unknown'],
    ]);
    await expect(answers.snapshot_watchlist({ watchlist_id: 'core' }, other)).rejects.toMatchObject({
      code: 'watchlist_not_found',
    });
    await answers.save_watchlist({ watchlist_id: 'core', tickers: ['NVDA'] }, other);
    expect((await answers.snapshot_watchlist({ watchlist_id: 'core' }, one)).rows).toHaveLength(4);
    await answers.save_watchlist({ watchlist_id: 'core', tickers: ['NVDA'] }, one);
    expect(await answers.snapshot_watchlist({ watchlist_id: 'core' }, one)).toMatchObject({
      name: null,
      rows: [{ ticker: 'NVDA' }],
    });
  });

  it('need a customer, and have an end', async () => {
    await desk.frame(BOARD);
    const answers = await desk.ask();
    await expect(answers.snapshot_watchlist({ watchlist_id: 'core' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    for (let i = 0; i < 100; i++)
      await answers.save_watchlist({ watchlist_id: `l${i}`, tickers: ['NVDA'] }, one);
    await expect(
      answers.save_watchlist({ watchlist_id: 'one-more', tickers: ['NVDA'] }, one),
    ).rejects.toMatchObject({ code: 'too_many_watchlists' });
  });
});

describe('diagnostics', () => {
  it('count frames, gaps and turnover, and name the regime', async () => {
    await desk.frame([rowOf('NVDA', { rank: 1 }), rowOf('AAPL', { rank: 2 })]);
    for (let i = 0; i < 4; i++) {
      desk.clock.advance(CYCLE * SECOND);
      await desk.frame([rowOf('NVDA', { rank: 1 }), rowOf('AAPL', { rank: 2 })]);
    }
    desk.clock.advance(HOUR);
    await desk.frame(BOARD);
    const told = Diagnostics.parse(await (await desk.ask()).diagnostics({}));
    const missing = 3600 / CYCLE - 1;
    expect(told).toMatchObject({
      snapshots: 6,
      cycle_s: CYCLE,
      cycles: 6 + missing,
      gaps: { missing, spans: [{ missing }] },
      tickers: { covered: 4, ranked: 3, bands: { normal: 2, high: 1, insufficient: 1, quiet: 0 } },
      turnover: { top: 25, entered: 1, share: 0.3333 },
      turnover_by_depth: [10, 50, 200].map((top) => ({ top, entered: 1, share: 0.3333 })),
      last_cycle_age_s: 0,
      attention_regime: { regime: 'stressed', elevated_share: 0.3333 },
    });
    const active = BOARD.flatMap(({ activity }) => (activity === undefined || !activity ? [] : [activity]));
    const total = active.reduce((sum, value) => sum + value, 0);
    const index = active.reduce((sum, value) => sum + (value / total) ** 2, 0);
    expect(told.concentration!.herfindahl).toBeCloseTo(index, 3);
    expect(told.concentration!.effective_tickers).toBeCloseTo(1 / index, 2);
    expect(told.concentration!.top_10_share).toBe(1);
    const measured = BOARD.filter(({ surprise }) => surprise !== null);
    expect(told.breadth).toBeCloseTo(
      measured.filter(({ surprise }) => surprise! >= 2).length / measured.length,
      3,
    );
    // This desk states nothing in the log, and the answer says so.
    expect(told.integrity).toMatchObject({ tree_size: 0, last_leaf_at: null, newest_frame_stated: false });
    expect(told.sources).toEqual([
      { source: 'bluesky', state: 'counted' },
      { source: 'reddit', state: 'warming' },
    ]);
    desk.clock.advance(10 * MINUTE);
    const later = await (await desk.ask()).diagnostics({});
    expect([later.freshness, later.gaps.missing]).toEqual(['stale', missing + 600 / CYCLE - 1]);
    desk.clock.advance(2 * DAY);
    expect(await (await desk.ask()).diagnostics({})).toMatchObject({
      snapshots: 0,
      turnover: { entered: 1 },
      attention_regime: { state: 'stale', state_cycles: null },
    });
  });

  it('measure the level against the same slot of the weeks before, and read each board once', async () => {
    const busy = (activity: number) => [
      rowOf('NVDA', { rank: 1, activity: activity / 2 }),
      rowOf('AAPL', { rank: 2, activity: activity / 2 }),
    ];
    const begin = desk.clock.now();
    const levels = [100, 96, 104, 90];
    for (const [week, activity] of levels.entries()) {
      desk.clock.set(begin + week * 7 * DAY);
      await desk.frame(busy(activity));
      const { level, attention_regime } = await (await desk.ask()).diagnostics({});
      expect([level.activity, level.weeks]).toEqual([activity, week]);
      if (week >= 3) continue;
      expect([level.z, level.reason, attention_regime.state_reason]).toEqual([
        null,
        'short_history',
        'short_history',
      ]);
    }
    // Of the frames 100, 96 and 104 the median is 100 and the spread 1.4826 × 4.
    const quiet = Diagnostics.parse(await (await desk.ask()).diagnostics({}));
    expect(quiet.level).toEqual({
      activity: 90,
      z: -1.6862,
      median: 100,
      spread: 5.9304,
      weeks: 3,
      reason: null,
    });
    expect(quiet.attention_regime).toMatchObject({ state: 'quiet', state_reason: null, state_cycles: 1 });

    // A day of frames at the full hours, and a crowd at its end that few tickers hold.
    for (let hour = 1; hour <= 24; hour++) {
      desk.clock.set(Math.ceil(begin / HOUR) * HOUR + 28 * DAY - (25 - hour) * HOUR);
      await desk.frame(busy(100));
    }
    desk.clock.set(begin + 28 * DAY);
    await desk.frame([rowOf('NVDA', { rank: 1, activity: 199 }), rowOf('AAPL', { rank: 2, activity: 1 })]);
    const read = vi.spyOn(desk.archive, 'boardAt');
    const crowded = await (await desk.ask()).diagnostics({});
    expect(crowded.level).toMatchObject({ weeks: 4, median: 98, reason: null });
    expect(crowded.attention_regime).toMatchObject({
      state: 'elevated_concentrated',
      state_reason: null,
      state_cycles: 1,
    });
    const boards = read.mock.calls.map(([at]) => at);
    expect(new Set(boards).size).toBe(boards.length);
    await (await desk.ask()).diagnostics({});
    expect(read).toHaveBeenCalledTimes(boards.length);
    read.mockRestore();
  });
});

it('says that the archive is away in the words of the contract', async () => {
  await desk.frame(BOARD);
  const answers = await desk.ask();
  desk.archive.boardAt = () => Promise.reject(new ArchiveUnavailable('memory', null));
  await expect(answers.snapshot_buckets({ limit: 5 })).rejects.toMatchObject({ code: 'archive_unavailable' });
});
