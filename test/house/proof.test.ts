// Whether the measures find what was planted: the ground truth of fixture worlds against what their frames say.
import { beforeAll, describe, expect, it } from 'vitest';
import { type FixtureItem, readItem } from '../../src/connectors/fixture/fixture-item.js';
import { type GroundTruth, groundTruth, postOrigins } from '../../src/connectors/fixture/ground-truth.js';
import { itemsOf, simulatedRun } from '../../src/connectors/fixture/simulated-run.suite.js';
import { AttentionState } from '../../src/domain/attention/attention-state.js';
import { coordinationIndex, measureCoordination } from '../../src/domain/attention/coordination.js';
import { NarrativeIndex } from '../../src/domain/attention/narrative-index.js';
import { ATTENTION } from '../../src/domain/attention/parameters.js';
import { postFact } from '../../src/domain/attention/post-facts.js';
import type { Fact, Report } from '../../src/domain/facts/fact.js';
import type { Frame, Row } from '../../src/domain/facts/frame.js';
import type { PostReport } from '../../src/domain/facts/post.js';
import { DAY, HOUR, type Instant, MINUTE, parseInstant, SECOND } from '../../src/kernel/instant.js';
import { mean } from '../../src/kernel/statistics/moments.js';
import { seededRandom } from '../../src/kernel/statistics/seeded-random.js';
import { textKey } from '../../src/kernel/text-key.js';

/** Turns reports into facts as the archive would stamp them: once each, in order, known when they were released. */
class Scribe {
  readonly universe = new Set<string>();
  readonly #narratives = new NarrativeIndex();
  readonly #seen = new Set<string>();
  #sequence = 0;

  post(report: PostReport): Fact[] {
    const key = `${report.provider} ${report.id}`;
    if (this.#seen.has(key)) return [];
    this.#seen.add(key);
    const fact = postFact(report, {
      universe: this.universe,
      authorKey: (provider, author) => textKey(`${provider} ${author}`),
      narrative: (own, shingles) => this.#narratives.assign(own, shingles, report.releasedAt!),
    });
    return [this.fact(fact)];
  }

  fact({ source, effectiveAt, releasedAt, body }: Report): Fact {
    if (body.kind === 'asset') this.universe.add(body.ticker);
    return { sequence: ++this.#sequence, knownAt: releasedAt!, effectiveAt, source, backfilled: true, body };
  }

  item(item: FixtureItem): Fact[] {
    const { posts, facts } = readItem(item);
    return [...facts.map((report) => this.fact(report)), ...posts.flatMap((report) => this.post(report))];
  }
}

interface Errand {
  readonly at: Instant;
  readonly run: (at: Instant) => void;
}

/** Lets time pass over a state: facts are taken as they become known, errands run in their order in between. */
function passTime(state: AttentionState, facts: readonly Fact[], errands: readonly Errand[]): void {
  let next = 0;
  for (const { at, run } of errands.toSorted((a, b) => a.at - b.at)) {
    const from = next;
    while (next < facts.length && facts[next]!.knownAt <= at) next++;
    state.take(facts.slice(from, next));
    run(at);
  }
}

const share = (some: number, of: number): number => (of === 0 ? Number.NaN : some / of);
const percent = (some: number, of: number): string =>
  `${some} of ${of} (${(100 * share(some, of)).toFixed(1)} %)`;

/** Two worlds, so that the rates do not hang on the luck of one. */
const SEEDS = [3, 7];
const NOW = parseInstant('2026-11-14T15:00:00Z')!;
const FROM = NOW - 45 * DAY;
/** Two hours more than the 28 days after which a band is no longer warming up. */
const WARM = FROM + 28 * DAY + 2 * HOUR;
const GRID = HOUR;
const MERGED = 6 * HOUR;
const TOLERANCE = 3 * HOUR;

const isLoud = ({ band }: Row): boolean => band === 'high' || band === 'extreme';

/** What was seen of one world at every hour from the 29th day on, and at the ends of what was planted. */
class Watch {
  readonly truth: GroundTruth;
  readonly campaignIndexes: (number | null)[] = [];
  readonly burstIndexes: (number | null)[] = [];
  /** Boundaries at which a ticker was high or extreme. */
  readonly loudAt = new Map<string, Instant[]>();
  /** Days of tickers that had a band at some hour. */
  readonly tickerDays = new Set<string>();
  readonly faults: string[] = [];
  frames = 0;
  bandedRows = 0;
  warmingRows = 0;

  constructor(seed: number) {
    this.truth = groundTruth({ seed, fromAt: FROM, toAt: NOW });
  }

  look({ header: { at }, rows }: Frame): void {
    this.frames++;
    let shares = 0;
    for (const row of rows) {
      const { ticker, band, activity, density, denominator } = row;
      if (band === 'warming') this.warmingRows++;
      else if (band !== 'insufficient') {
        this.bandedRows++;
        this.tickerDays.add(`${ticker} ${Math.floor(at / DAY)}`);
      }
      if (isLoud(row)) this.loudAt.set(ticker, [...(this.loudAt.get(ticker) ?? []), at]);
      shares += row.share ?? 0;
      if ((row.share === null) !== (row.state === 'insufficient')) this.faults.push(`${ticker} share`);
      if (density === null) continue;
      const cap = Math.max(ATTENTION.denominator.floorUsdBillions, denominator.usdBillions!);
      // One rounding to six digits lies between them.
      if (Math.abs((density * cap) / activity! - 1) > 5.1e-6) this.faults.push(`${ticker} density`);
    }
    if (Math.abs(shares - 100) > 1e-3) this.faults.push(`shares ${shares}`);
  }
}

async function watch(seed: number): Promise<Watch> {
  const scribe = new Scribe();
  const items = itemsOf(await simulatedRun({ seed, ledgerDays: 240, beginAt: NOW }));
  const facts = items.flatMap((item) => scribe.item(item));
  const tickers = [...scribe.universe];
  const state = new AttentionState(WARM);
  const seen = new Watch(seed);
  const errands: Errand[] = [];
  for (const [planted, indexes] of [
    [seen.truth.campaigns, seen.campaignIndexes],
    [seen.truth.bursts, seen.burstIndexes],
  ] as const) {
    for (const { ticker, startAt, endAt } of planted) {
      if (startAt < FROM || endAt > NOW) continue;
      errands.push({
        at: endAt,
        run: (at) => indexes.push(coordinationIndex(state.postsAbout(ticker, at), at)),
      });
    }
  }
  for (let at = WARM; at <= NOW; at += GRID) {
    errands.push({ at, run: () => seen.look(state.frame({ at, cycleSeconds: 60, highWater: 0, tickers })) });
  }
  passTime(state, facts, errands);
  return seen;
}

describe('the fixture world, measured', () => {
  const worlds: Watch[] = [];
  const sum = (of: (world: Watch) => number): number => worlds.reduce((total, world) => total + of(world), 0);

  beforeAll(async () => {
    for (const seed of SEEDS) worlds.push(await watch(seed));
  }, 180_000);

  it('has bands that are no longer warming up', () => {
    for (const { frames, warmingRows, bandedRows } of worlds) {
      expect(frames).toBeGreaterThan(400);
      expect(warmingRows).toBe(0);
      expect(bandedRows).toBeGreaterThan(50 * frames);
    }
  });

  it('tells campaigns from organic bursts by their coordination index', () => {
    const campaigns = worlds.flatMap(({ campaignIndexes }) => campaignIndexes);
    const bursts = worlds.flatMap(({ burstIndexes }) => burstIndexes);
    const found = campaigns.filter((index) => index !== null && index >= 0.7).length;
    const measurable = bursts.filter((index) => index !== null);
    const low = measurable.filter((index) => index < 0.3).length;
    console.info(`campaigns at 0.70 or more: ${percent(found, campaigns.length)}`);
    console.info(`measurable bursts: ${percent(measurable.length, bursts.length)}`);
    console.info(`measurable bursts under 0.30: ${percent(low, measurable.length)}`);
    expect(campaigns.length).toBeGreaterThanOrEqual(50);
    expect(share(found, campaigns.length)).toBeGreaterThanOrEqual(0.95);
    expect(measurable.length).toBeGreaterThanOrEqual(150);
    expect(share(low, measurable.length)).toBeGreaterThanOrEqual(0.95);
  });

  it('raises the band in most planted bursts', () => {
    const bursts = worlds.flatMap(({ truth, loudAt }) =>
      truth.bursts
        .filter(({ startAt, endAt }) => startAt >= WARM && endAt + HOUR <= NOW)
        // The sliding hour still holds the end of a burst for an hour.
        .map(({ ticker, startAt, endAt }) =>
          (loudAt.get(ticker) ?? []).some((at) => at >= startAt && at <= endAt + HOUR),
        ),
    );
    const found = bursts.filter((isFound) => isFound).length;
    console.info(`planted bursts that were found: ${percent(found, bursts.length)}`);
    expect(bursts.length).toBeGreaterThanOrEqual(60);
    expect(share(found, bursts.length)).toBeGreaterThanOrEqual(0.8);
  });

  it('seldom raises it for nothing', () => {
    let [episodes, vain] = [0, 0];
    for (const { truth, loudAt } of worlds) {
      for (const [ticker, instants] of loudAt) {
        const planted = [
          ...truth.bursts.filter((burst) => burst.ticker === ticker),
          ...truth.campaigns.filter((campaign) => campaign.ticker === ticker || campaign.rides === ticker),
        ];
        for (const { from, to } of merged(instants)) {
          episodes++;
          const explained = planted.some(
            ({ startAt, endAt }) => startAt - TOLERANCE <= to && endAt + TOLERANCE >= from,
          );
          if (!explained) vain++;
        }
      }
    }
    // Days on which a ticker had no band at all are left out: nothing could have been raised on them.
    const tickerDays = sum((world) => world.tickerDays.size);
    const bandedTime = (sum(({ bandedRows }) => bandedRows) * GRID) / DAY;
    console.info(`episodes: ${episodes}, for nothing: ${vain}, on ${tickerDays} ticker-days with a band`);
    console.info(`… per ticker-day: ${(vain / tickerDays).toFixed(4)}`);
    console.info(`… per 24 hours that had a band: ${(vain / bandedTime).toFixed(4)}`);
    expect(episodes).toBeGreaterThan(50);
    expect(vain / tickerDays).toBeLessThanOrEqual(0.1);
  });

  it('shares out all attention, and its densities are activity over capitalisation', () => {
    expect(worlds.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

function merged(instants: readonly Instant[]): { from: Instant; to: Instant }[] {
  const episodes: { from: Instant; to: Instant }[] = [];
  for (const at of instants) {
    const last = episodes.at(-1);
    if (last && at - last.to <= MERGED) last.to = at;
    else episodes.push({ from: at, to: at });
  }
  return episodes;
}

const AT = parseInstant('2026-03-04T18:00:00Z')!;

/** Two companies of one size. */
function twins(scribe: Scribe): Fact[] {
  return ['REAL1', 'MADE1'].flatMap((ticker) => {
    const told = { source: 'market', effectiveAt: AT - 2 * DAY, releasedAt: AT - 2 * DAY };
    const bar = { open: 10, high: 10, low: 10, close: 10, volume: 1 };
    return [
      { ...told, body: { kind: 'asset', ticker, name: ticker, sector: null, assetKind: 'common' } as const },
      { ...told, body: { kind: 'price', ticker, date: '2026-03-02', ...bar } as const },
      { ...told, body: { kind: 'shares', ticker, shares: 5e7, basis: 'consolidated' } as const },
    ].map((report) => scribe.fact(report));
  });
}

function postOf(
  ticker: string,
  number: number,
  createdAt: Instant,
  text: string,
  bornAt: Instant,
): PostReport {
  return {
    provider: 'town',
    id: `${ticker}${number}`,
    authorId: `${ticker}${number}`,
    createdAt,
    releasedAt: createdAt + SECOND,
    text,
    taggedTickers: [ticker],
    providerTags: true,
    repostOf: null,
    urls: [],
    lang: 'en',
    authorCreatedAt: bornAt,
    followers: null,
    likes: null,
    reposts: null,
    replies: null,
  };
}

const WORDS =
  'amber river paper iron bright hollow copper plain heron ledger orchard lantern pilot walnut anchor'.split(
    ' ',
  );

describe('a campaign of 500 posts and a burst of 150 independent voices, on companies of one size', () => {
  it.each([1, 3, 10, 25])('rank in the order of voices, with %s texts in the campaign', (texts) => {
    const random = seededRandom(`campaign of ${texts}`);
    const scribe = new Scribe();
    const phrase = (): string => Array.from({ length: 16 }, () => random.pick(WORDS)).join(' ');
    const scripts = Array.from({ length: texts }, phrase);
    const within = (): Instant => AT - random.integer(10 * MINUTE, 100 * MINUTE);
    const old = (): Instant => AT - random.integer(200, 4_000) * DAY;
    const real = Array.from({ length: 150 }, (_, i) =>
      postOf('REAL1', i, within(), `$REAL1 shares ${phrase()}`, old()),
    );
    const made = Array.from({ length: 500 }, (_, i) =>
      postOf('MADE1', i, within(), `$MADE1 shares ${random.pick(scripts)} ${i}`, AT - 9 * DAY),
    );
    const facts = [
      ...twins(scribe),
      ...[...real, ...made]
        .sort((a, b) => a.releasedAt! - b.releasedAt!)
        .flatMap((report) => scribe.post(report)),
    ];
    const state = new AttentionState(AT);
    state.take(facts);
    const { rows } = state.frame({ at: AT, cycleSeconds: 60, highWater: 0, tickers: [...scribe.universe] });
    const [first, second] = rows as [Row, Row];
    expect([first.ticker, first.posts, second.posts]).toEqual(['REAL1', 150, 500]);
    expect(first.rank).toBe(1);
    expect(second.rank === null || second.rank === 2).toBe(true);
    expect(second.activity!).toBeLessThan(first.activity!);
    const indexOf = (ticker: string): number =>
      measureCoordination(state.postsAbout(ticker, AT), AT).measurement!.index;
    expect(indexOf('REAL1')).toBeLessThan(0.3);
    if (texts <= 3) expect(indexOf('MADE1')).toBeGreaterThanOrEqual(0.7);
  });
});

describe('words that are tickers', () => {
  const days = { seed: 7, fromAt: NOW - 4 * DAY, toAt: NOW };
  let items: readonly FixtureItem[];
  let isTrap: (item: FixtureItem) => boolean;
  let trapped: ReadonlySet<string>;

  beforeAll(async () => {
    items = itemsOf(await simulatedRun({ seed: days.seed, historyDays: 4, ledgerDays: 240, beginAt: NOW }));
    const origins = postOrigins(days);
    isTrap = (item) =>
      item.kind === 'post' && origins.get(`${item.post.provider}/${item.post.id}`)?.kind === 'word_trap';
    trapped = new Set(groundTruth(days).wordTraps.map(({ ticker }) => ticker));
  }, 60_000);

  /** The rows of the trapped tickers at every hour of the last three days. */
  function rowsOf(told: readonly FixtureItem[]): Row[] {
    const scribe = new Scribe();
    const facts = told.flatMap((item) => scribe.item(item));
    const state = new AttentionState(NOW - 3 * DAY);
    const rows: Row[] = [];
    const errands: Errand[] = [];
    for (let at = NOW - 3 * DAY; at <= NOW; at += HOUR) {
      const boundary = { at, cycleSeconds: 60, highWater: 0, tickers: [...scribe.universe] };
      errands.push({ at, run: () => rows.push(...state.frame(boundary).rows) });
    }
    passTime(state, facts, errands);
    return rows.filter(({ ticker }) => trapped.has(ticker));
  }

  it('do not rank by songs, cats and shouting alone', () => {
    // Somebody else's counts of the company's own posts would be no trap.
    const isMarket = (item: FixtureItem): boolean =>
      item.kind === 'fact' && item.report.body.kind !== 'count';
    const rows = rowsOf(items.filter((item) => isMarket(item) || isTrap(item)));
    expect(rows.length).toBeGreaterThan(1_000);
    const loud = rows.filter(({ state }) => state !== 'insufficient');
    expect([...new Set(loud.map(({ ticker }) => ticker))]).toEqual([]);
  });

  it('are lifted little by them where people mean the company', () => {
    const withTraps = rowsOf(items);
    const without = rowsOf(items.filter((item) => !isTrap(item)));
    const forms = new Map<string, string[]>();
    for (const { ticker, form } of groundTruth(days).wordTraps)
      forms.set(ticker, [...(forms.get(ticker) ?? []), form]);
    for (const ticker of trapped) {
      const activities = (rows: readonly Row[]): number[] =>
        rows.filter((row) => row.ticker === ticker).map(({ activity }) => activity ?? 0);
      const [more, less] = [activities(withTraps), activities(without)];
      // Shouting counts for nothing; a loose dollar sign for less than would make anybody eligible.
      if (forms.get(ticker)!.every((form) => form === 'shouted')) expect(more, ticker).toEqual(less);
      expect(mean(more) - mean(less), ticker).toBeLessThan(ATTENTION.eligibility.effectivePosts);
    }
  });
});
