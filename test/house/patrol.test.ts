// Signals and gate records of a running recorder: their places, their seals, and what a restart must not change.
import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureConnector } from '../../src/connectors/fixture/fixture-connector.js';
import { type FixtureItem, type FixturePost, readItem } from '../../src/connectors/fixture/fixture-item.js';
import { itemsOf, simulatedRun } from '../../src/connectors/fixture/simulated-run.suite.js';
import { measureCoordination } from '../../src/domain/attention/coordination.js';
import { checkReveal, type GateRecord, policySha256, verdictOf } from '../../src/domain/attention/gate.js';
import { measurementSha256 } from '../../src/domain/attention/measurement-fingerprint.js';
import { recallAttention } from '../../src/domain/attention/recall.js';
import { SIGNAL_TYPES } from '../../src/domain/attention/signals.js';
import type { Emitted } from '../../src/domain/facts/emission.js';
import type { RecordedHeader } from '../../src/domain/facts/frame.js';
import { DAY, formatInstant, HOUR, type Instant, MINUTE, SECOND } from '../../src/kernel/instant.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { startRecorder } from '../../src/pipeline/recorder.js';
import { verifyFrames } from '../../src/pipeline/verify.js';
import type { ArchiveReader, ArchiveStore, ArchiveWriter } from '../../src/ports/archive.js';
import type { Connector } from '../../src/ports/connector.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { NOON, POLICY, TurnedClock } from './studio.js';

const SEED = 7;
const LASTING = [
  'attention.price_diverged',
  'attention.source_concentrated',
  'coordination.measurement_shifted',
];

/** Salts that are told apart and repeat from run to run. */
function salts(): () => Uint8Array {
  const random = seededRandom('salts');
  return () => Uint8Array.from({ length: 32 }, () => random.integer(0, 255));
}

interface Started {
  readonly archive: ArchiveWriter;
  readonly frames: RecordedHeader[];
  /** Lets the recorder work until a condition holds; a recorder that gave up is a failure. */
  readonly until: (condition: () => Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function start(
  store: ArchiveStore,
  clock: TurnedClock,
  connector: Connector,
  cycleSeconds: number,
  salt: () => Uint8Array,
): Promise<Started> {
  const archive = await store.openWriter();
  const frames: RecordedHeader[] = [];
  const failures: unknown[] = [];
  const broken = (error: unknown): void => {
    failures.push(error);
  };
  const recorder = await startRecorder({
    archive,
    bus: memoryBus(),
    connectors: [connector],
    authorSecret: new Uint8Array(32),
    policy: POLICY,
    clock: clock.now,
    until: clock.until,
    cycleSeconds,
    salt,
    onFrame: (header) => frames.push(header),
    onFailure: (_what, error) => broken(error),
  });
  recorder.done.catch(broken);
  return {
    archive,
    frames,
    async until(condition) {
      while (!(await condition())) {
        expect(failures).toEqual([]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async stop() {
      recorder.stop();
      clock.wakeAll();
      await recorder.done;
      await archive.close();
      expect(failures).toEqual([]);
    },
  };
}

async function emissionsOf(archive: ArchiveReader): Promise<Emitted[]> {
  const all = { knownBy: Number.MAX_SAFE_INTEGER, limit: 1_000_000 };
  const found = [
    ...(await archive.emissions({ ...all, kind: 'signal' })),
    ...(await archive.emissions({ ...all, kind: 'gate' })),
  ];
  return found.sort((a, b) => a.sequence - b.sequence);
}

async function headersOf(archive: ArchiveReader): Promise<RecordedHeader[]> {
  const headers: RecordedHeader[] = [];
  for await (const some of archive.frames(0, Number.MAX_SAFE_INTEGER)) headers.push(...some);
  return headers;
}

const recordOf = ({ body }: Emitted): GateRecord => ({
  ticker: body['ticker'] as string,
  as_of: body['as_of'] as string,
  measurement_sha256: body['measurement_sha256'] as string,
  verdict: body['verdict'] as GateRecord['verdict'],
  policy_sha256: body['policy_sha256'] as string,
  seq: body['seq'] as number,
});

/** The i-th emission of a frame stands 1 + i places behind it, and knows no other place. */
function expectPlaces(headers: readonly RecordedHeader[], emissions: readonly Emitted[]): void {
  const perFrame = new Map<Instant, Emitted[]>(headers.map(({ at }) => [at, []]));
  for (const one of emissions) perFrame.get(one.at)!.push(one);
  let highWater = 0;
  for (const { at, sequence, ...header } of headers) {
    expect(header.highWater).toBe(sequence - 1);
    expect(header.highWater).toBeGreaterThanOrEqual(highWater);
    const own = perFrame.get(at)!;
    expect(own.map((one) => one.sequence)).toEqual(own.map((_, i) => sequence + 1 + i));
    highWater = sequence + own.length;
  }
}

function expectSeals(emissions: readonly Emitted[]): void {
  const gates = emissions.filter(({ kind }) => kind === 'gate');
  expect(gates.length).toBeGreaterThan(10);
  for (const gate of gates) {
    const record = recordOf(gate);
    expect(record.seq).toBe(gate.sequence);
    expect(record.ticker).toBe(gate.ticker);
    expect(record.as_of).toBe(formatInstant(gate.at));
    expect(record.policy_sha256).toBe(policySha256(POLICY));
    const salt = Buffer.from(gate.body['salt'] as string, 'hex');
    const commitment = gate.body['commitment'] as string;
    expect(checkReveal(record, salt, commitment)).toBe(true);
    const other = record.verdict === 'veto' ? 'clear' : 'veto';
    expect(checkReveal({ ...record, verdict: other }, salt, commitment)).toBe(false);
    expect(checkReveal({ ...record, seq: record.seq + 1 }, salt, commitment)).toBe(false);
  }
  expect(new Set(gates.map(({ body }) => body['salt'])).size).toBe(gates.length);
  for (const { kind, type } of emissions) if (kind === 'signal') expect(SIGNAL_TYPES).toContain(type);
}

describe('a recorder on the living fixture', () => {
  let archive: ArchiveReader;
  let emissions: Emitted[];
  let headers: RecordedHeader[];

  beforeAll(async () => {
    const clock = new TurnedClock(NOON);
    const store = memoryStore({ clock: clock.now });
    const connector = fixtureConnector({ seed: SEED, historyDays: 2, ledgerDays: 60 }) as Connector;
    const { frames, until, stop } = await start(store, clock, connector, 300, salts());
    await until(async () => {
      if (frames.length > 0) await clock.turnTo(Math.min(NOON + HOUR, clock.now() + 20 * SECOND));
      return (frames.at(-1)?.at ?? 0) >= NOON + HOUR;
    });
    await stop();
    archive = await store.openReader();
    emissions = await emissionsOf(archive);
    headers = await headersOf(archive);
  }, 120_000);

  it('puts what a frame emits right behind it, with live posts arriving in between', () => {
    expect(headers.length).toBeGreaterThan(10);
    expectPlaces(headers, emissions);
  });

  it('seals gate records that can be checked when they are revealed', () => {
    expectSeals(emissions);
  });

  it('commits to the measurement that anybody can take from the archive again', async () => {
    const byFrame = new Map(headers.map((header) => [header.at, header]));
    const gates = emissions.filter(({ kind }) => kind === 'gate');
    for (const gate of [gates[0]!, gates[Math.floor(gates.length / 2)]!, gates.at(-1)!]) {
      const { at, highWater } = byFrame.get(gate.at)!;
      const state = await recallAttention(archive, { knownBy: at, upToSequence: highWater });
      const reading = measureCoordination(state.postsAbout(gate.ticker!, at), at);
      expect(gate.body).toMatchObject({
        measurement_sha256: measurementSha256(gate.ticker!, at, reading),
        coordination_index: reading.measurement!.index,
        verdict: verdictOf(reading, POLICY),
      });
    }
  });

  it('comes by every ticker that is spoken of, once an hour', async () => {
    const last = headers.at(-1)!;
    const hour = emissions.filter(({ kind, at }) => kind === 'gate' && at > last.at - HOUR);
    const visited = hour.map(({ ticker }) => ticker!);
    expect(new Set(visited).size).toBe(visited.length);
    const rows = (await archive.boardAt(last.at))!;
    const state = await recallAttention(archive, { knownBy: last.at, upToSequence: last.highWater });
    const measurable = rows.filter(
      ({ ticker, state: standing }) =>
        standing !== 'insufficient' &&
        measureCoordination(state.postsAbout(ticker, last.at), last.at).measurement,
    );
    const missed = measurable.filter(({ ticker }) => !visited.includes(ticker));
    // Only who became measurable since the patrol came by is missing.
    expect(missed.length).toBeLessThan(measurable.length / 10);
  });
});

const FIRST = NOON - HOUR;
const LAST = NOON + 31 * HOUR;
/** The forum says nothing from here on, for six hours. */
const SILENT_FROM = NOON + 8 * HOUR;
const SILENT_TO = NOON + 14 * HOUR;
/** Quiet names: some speak of the first, and a day later others are made to; only the forum speaks of the second. */
const QUIET = 'SNOA';
const FORUM_ONLY = 'GNS';
const RESTARTS = [NOON + 4 * HOUR, NOON + 11 * HOUR, NOON + 16 * HOUR, NOON + 27 * HOUR];

const WORDS =
  'amber river paper iron bright hollow copper plain heron ledger orchard lantern pilot walnut'.split(' ');

interface Voices {
  readonly name: string;
  readonly ticker: string;
  readonly count: number;
  readonly fromAt: Instant;
  readonly coordinated?: boolean;
  readonly onForum?: boolean;
}

/** Posts by as many accounts: everybody in his own words, or one text within a minute by accounts of one day. */
function voices({
  name,
  ticker,
  count,
  fromAt,
  coordinated = false,
  onForum = false,
}: Voices): FixtureItem[] {
  const random = seededRandom(name);
  return Array.from({ length: count }, (_, i): FixtureItem => {
    const own = Array.from({ length: 12 }, () => random.pick(WORDS)).join(' ');
    const after = coordinated ? random.integer(0, 40 * SECOND) : Math.floor((i * 40 * MINUTE) / count);
    const born = coordinated ? NOON - 9 * DAY : NOON - random.integer(100, 4_000) * DAY;
    const post: FixturePost = {
      provider: onForum ? 'fixture_forum' : 'fixture_micro',
      id: `${name}${i}`,
      authorId: `${name}${i}`,
      createdAt: fromAt + after,
      text: `$${ticker} shares ${coordinated ? 'are about to triple, tell all of your friends before tonight' : own}`,
      taggedTickers: onForum ? [] : [ticker],
      providerTags: !onForum,
      repostOf: null,
      urls: [],
      lang: 'en',
      authorCreatedAt: onForum ? null : born,
      followers: null,
      likes: null,
      reposts: null,
      replies: null,
    };
    return { kind: 'post', learnedAt: post.createdAt + SECOND, backfilled: true, post };
  });
}

/** Ten minutes before every hour. */
const markBefore = (at: Instant): Instant => Math.floor((at + 10 * MINUTE) / HOUR) * HOUR - 10 * MINUTE;

/** Passes on at every mark what was learned since the last one: what is in the archive at a boundary is then fixed. */
function hourly(items: readonly FixtureItem[]): Connector {
  const learnedBy = (at: Instant): number => {
    const next = items.findIndex(({ learnedAt }) => learnedAt > at);
    return next < 0 ? items.length : next;
  };
  const connector: Connector<number, FixtureItem> = {
    name: 'fixture',
    ask: (cursor) => Number(cursor ?? 0),
    async *pull(from, { clock, signal, until }) {
      for (let told = from; !signal.aborted; ) {
        const mark = markBefore(clock());
        const end = learnedBy(mark);
        yield { items: items.slice(told, end), cursor: String(end) };
        told = end;
        await until(mark + HOUR);
      }
    },
    read: readItem,
  };
  return connector as Connector;
}

/** Records a frame every hour; at each of `restarts` the recorder is stopped ten to the hour and started again. */
async function recordHours(
  items: readonly FixtureItem[],
  restarts: readonly Instant[],
): Promise<ArchiveStore> {
  const clock = new TurnedClock(FIRST + 5 * MINUTE);
  const store = memoryStore({ clock: clock.now });
  const salt = salts();
  let running = await start(store, clock, hourly(items), 3600, salt);
  for (let at = FIRST; at <= LAST; at += HOUR) {
    await clock.turnTo(at);
    await running.until(async () => (await running.archive.frameAt(at))?.at === at);
    // The mark: new facts come in, and are told with the next frame.
    await clock.turnTo(at + 50 * MINUTE);
    const told = items.filter(({ learnedAt }) => learnedAt <= at + 50 * MINUTE).length;
    await running.until(async () => (await running.archive.cursor('fixture')) === String(told));
    if (!restarts.includes(at)) continue;
    await running.stop();
    await clock.turnTo(at + 55 * MINUTE);
    running = await start(store, clock, hourly(items), 3600, salt);
    await clock.turnTo(at + 56 * MINUTE);
  }
  await running.stop();
  return store;
}

it('a recorder that starts between two boundaries measures the last one as if it had been there', async () => {
  const run = { seed: SEED, historyDays: 2, ledgerDays: 60, beginAt: NOON + 3 * HOUR };
  const items = itemsOf(await simulatedRun(run));
  const clock = new TurnedClock(NOON);
  const store = memoryStore({ clock: clock.now });
  for (const startAt of [NOON + 25 * MINUTE, NOON + 2 * HOUR + 40 * MINUTE]) {
    await clock.turnTo(startAt);
    const running = await start(store, clock, hourly(items), 3600, salts());
    await running.until(async () => running.frames.length > 0);
    await running.stop();
  }
  const archive = await store.openReader();
  const checks: [Instant, boolean][] = [];
  for await (const { at, agrees } of verifyFrames(archive, { from: 0, to: LAST })) checks.push([at, agrees]);
  expect(checks).toEqual([
    [NOON, true],
    [NOON + 2 * HOUR, true],
  ]);
});

describe('a recorder that is restarted', () => {
  let items: FixtureItem[];
  let steady: Emitted[];
  let restarted: Emitted[];
  let archive: ArchiveReader;

  beforeAll(async () => {
    const run = { seed: SEED, historyDays: 10, ledgerDays: 60, beginAt: LAST + HOUR };
    const fixture = itemsOf(await simulatedRun(run)).filter(
      (item) =>
        item.kind === 'fact' ||
        item.post.provider !== 'fixture_forum' ||
        item.learnedAt < SILENT_FROM ||
        item.learnedAt >= SILENT_TO,
    );
    items = [
      ...fixture,
      ...voices({ name: 'some', ticker: QUIET, count: 40, fromAt: NOON + 3 * HOUR }),
      ...voices({ name: 'made', ticker: QUIET, count: 60, fromAt: NOON + 26 * HOUR, coordinated: true }),
      ...voices({ name: 'forum', ticker: FORUM_ONLY, count: 40, fromAt: NOON + 2 * HOUR, onForum: true }),
    ].sort((a, b) => a.learnedAt - b.learnedAt);
    steady = await emissionsOf(await (await recordHours(items, [])).openReader());
    archive = await (await recordHours(items, RESTARTS)).openReader();
    restarted = await emissionsOf(archive);
  }, 120_000);

  const signals = (emissions: readonly Emitted[], type: string): Emitted[] =>
    emissions.filter((one) => one.kind === 'signal' && one.type === type);
  const coverage = (reason: string): Emitted[] =>
    signals(restarted, 'data.coverage_changed').filter(
      ({ body }) => (body['evidence'] as { reason: string }).reason === reason,
    );

  it('keeps every emission in its place, and every seal', async () => {
    expectPlaces(await headersOf(archive), restarted);
    expectSeals(restarted);
  });

  it('says word for word what one that never stopped says', () => {
    expect(restarted.length).toBeGreaterThan(100);
    const short = ({ at, kind, type, ticker, body }: Emitted): string =>
      `${formatInstant(at)} ${kind} ${type} ${ticker} ${JSON.stringify(body['evidence'] ?? null)}`;
    expect(restarted.filter(({ kind }) => kind === 'signal').map(short)).toEqual(
      steady.filter(({ kind }) => kind === 'signal').map(short),
    );
    expect(restarted).toEqual(steady);
  });

  it('tells a lasting condition once in 24 hours', () => {
    let repeated = 0;
    for (const type of LASTING) {
      const told = signals(restarted, type);
      expect(told.length, type).toBeGreaterThan(0);
      const lastAt = new Map<string, Instant>();
      for (const { ticker, at } of told) {
        const before = lastAt.get(ticker!);
        if (before !== undefined) {
          repeated++;
          expect(at - before, `${type} ${ticker}`).toBeGreaterThanOrEqual(DAY);
        }
        lastAt.set(ticker!, at);
      }
    }
    expect(repeated).toBeGreaterThan(0);
  });

  it('remembers what it measured yesterday', () => {
    const shift = signals(restarted, 'coordination.measurement_shifted').find(
      ({ ticker }) => ticker === QUIET,
    )!;
    const dayAgo = restarted.find(
      ({ kind, ticker, at }) => kind === 'gate' && ticker === QUIET && at > shift.at - DAY - HOUR,
    )!;
    // The measurement was taken before a restart, and the shift is told after it.
    expect(RESTARTS.some((at) => at > dayAgo.at && at < shift.at)).toBe(true);
    expect(shift.body).toMatchObject({
      prev: { coordination_index: dayAgo.body['coordination_index'] },
    });
    expect(dayAgo.body['coordination_index']).toBeLessThan(0.3);
    expect((shift.body['now'] as { coordination_index: number }).coordination_index).toBeGreaterThan(0.5);
  });

  it('tells of a source that falls silent once, and of its return once', () => {
    const told = (reason: string) =>
      coverage(reason).map(({ at, body }) => [at, (body['now'] as { source: string }).source]);
    expect(told('source_silent')).toEqual([[SILENT_FROM + 2 * HOUR, 'fixture_forum']]);
    expect(told('source_resumed')).toEqual([[SILENT_TO + HOUR, 'fixture_forum']]);
  });

  it('tells every deletion, edit and suppression of a counted post, with the next frame', async () => {
    const [first] = await headersOf(archive);
    const told = new Map<string, number>();
    const boundaries = new Map<Instant, Readonly<Record<string, number>>>();
    for (const { at, body } of coverage('restatement')) {
      const now = body['now'] as Record<string, number>;
      boundaries.set(at, now);
      for (const [change, count] of Object.entries(now)) told.set(change, (told.get(change) ?? 0) + count);
    }
    expect(coverage('restatement').some(({ at }) => at === first!.at)).toBe(false);
    const learned = new Map<string, number>();
    const perFrame = new Map<Instant, Record<string, number>>();
    for await (const facts of archive.facts('post_change', { knownBy: LAST })) {
      for (const { sequence, knownAt, body } of facts) {
        // The mark of the last hour comes after the last frame.
        if (sequence < first!.sequence || knownAt > LAST - 10 * MINUTE) continue;
        learned.set(body.change, (learned.get(body.change) ?? 0) + 1);
        const at = Math.ceil((knownAt + 10 * MINUTE) / HOUR) * HOUR;
        const frame = perFrame.get(at) ?? {};
        perFrame.set(at, { ...frame, [body.change]: (frame[body.change] ?? 0) + 1 });
      }
    }
    expect(learned.get('deleted')).toBeGreaterThan(10);
    expect(told).toEqual(learned);
    expect(boundaries).toEqual(perFrame);
  });
});
