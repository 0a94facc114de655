// The macro cycle on an archive in memory: states what is new, keeps silent otherwise, and goes on after a restart.
import { beforeAll, describe, expect, it } from 'vitest';
import { ECONOMY_FUNDS } from '../../src/connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../../src/connectors/fixture/economy/returns.js';
import { assetFacts, economyFacts } from '../../src/connectors/fixture/economy/stamped-facts.js';
import type { Fact, Report } from '../../src/domain/facts/fact.js';
import type { Stated } from '../../src/domain/facts/statement.js';
import { readMacroEdition } from '../../src/domain/macro/edition.js';
import { weekStep } from '../../src/domain/macro/sessions.js';
import { DAY, HOUR, type Instant, LATEST, MINUTE, parseInstant } from '../../src/kernel/instant.js';
import { dayOf } from '../../src/kernel/new-york-time.js';
import { Turnstile } from '../../src/kernel/turnstile.js';
import { MacroCycle } from '../../src/pipeline/macro-cycle.js';
import { verifyMacro } from '../../src/pipeline/verify-macro.js';
import type { ArchiveWriter } from '../../src/ports/archive.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { post as samplePost } from '../ports/samples.js';

/** A Thursday, the day before a week ends. */
const START = parseInstant('2019-09-05T12:00:00Z')!;
const FROM = dayOf(2018, 6, 1);
const SEED = 6;

let past: Report[];
let later: Fact[];

beforeAll(() => {
  const to = Math.floor(START / DAY) + 12;
  const returns = economyReturns(SEED, FROM, to);
  const all = [
    ...economyFacts(SEED, FROM, to),
    ...ECONOMY_FUNDS.slice(0, 6).flatMap((fund) => assetFacts(returns, fund, 0)),
  ].sort((a, b) => a.knownAt - b.knownAt);
  past = all
    .filter(({ knownAt }) => knownAt <= START)
    .map(({ knownAt, source, effectiveAt, body }) => ({ source, effectiveAt, releasedAt: knownAt, body }));
  later = all.filter(({ knownAt }) => knownAt > START);
});

const post = (id: string, excerpt: string, releasedAt: Instant): Report => ({
  source: 'test',
  effectiveAt: releasedAt,
  releasedAt,
  body: samplePost(id, { provider: 'test', mentions: [], excerpt }),
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A recorder in small: an archive, a clock in the hand, and the cycle, which can be started anew. */
class House {
  now = START;
  readonly turnstile = new Turnstile();
  readonly #store = memoryStore({ clock: () => this.now });
  archive!: ArchiveWriter;
  cycle!: MacroCycle;
  #next = 0;

  static async open(): Promise<House> {
    const house = new House();
    await house.restart();
    for (let i = 0; i < past.length; i += 5_000) await house.append(past.slice(i, i + 5_000));
    return house;
  }

  async restart(): Promise<void> {
    await this.archive?.close();
    this.archive = await this.#store.openWriter();
    this.cycle = new MacroCycle({
      archive: this.archive,
      everySeconds: 900,
      alone: (work) => this.turnstile.pass(work),
      signal: new AbortController().signal,
    });
  }

  async append(facts: readonly Report[]): Promise<void> {
    await this.turnstile.pass(async () => {
      const stored = await this.archive.append({ facts });
      this.cycle.take(stored.facts);
    });
  }

  /** Lets time pass: what is released on the way arrives live, at the hour. */
  async turnTo(at: Instant): Promise<void> {
    for (; this.#next < later.length && later[this.#next]!.knownAt <= at; this.#next += 1) {
      const { source, effectiveAt, body, knownAt } = later[this.#next]!;
      this.now = knownAt;
      await this.append([{ source, effectiveAt, body }]);
    }
    this.now = at;
  }

  editions(): Promise<readonly Stated[]> {
    return this.archive.statements({ kind: 'macro_frame', knownBy: LATEST, limit: 100 });
  }

  terms(): Promise<readonly Stated[]> {
    return this.archive.statements({ kind: 'narrative_terms', knownBy: LATEST, limit: 100 });
  }
}

describe('the macro cycle', () => {
  it('states the first edition at once, later ones at boundaries, and none that repeats the one in force', async () => {
    const house = await House.open();
    const first = START + 7 * MINUTE;
    house.now = first;
    house.cycle.turn(first);
    house.cycle.turn(first + MINUTE);
    await house.cycle.idle();
    expect((await house.editions()).map(({ at }) => at)).toEqual([first]);

    house.cycle.turn(START + 14 * MINUTE);
    await house.cycle.idle();
    // The boundary of 12:15 comes; nothing was released since 12:07.
    house.cycle.turn(START + 16 * MINUTE);
    await house.cycle.idle();
    expect(await house.editions()).toHaveLength(1);

    // Claims come out on Thursdays at 8:30 in New York, which is 12:30 here.
    await house.turnTo(START + 50 * MINUTE);
    house.cycle.turn(START + 50 * MINUTE);
    await house.cycle.idle();
    const [before, after] = await house.editions();
    expect(after!.at).toBe(START + 45 * MINUTE);
    const read = async (stated: Stated) =>
      readMacroEdition(stated, (await house.archive.attachment(stated.index))!);
    const claims = async (stated: Stated) =>
      (await read(stated)).frame.indexes.find(({ symbol }) => symbol === 'CLAIMS')!;
    expect((await claims(after!)).knownAt).toBeGreaterThan((await claims(before!)).knownAt!);
    expect(after!.body).toMatchObject({ knowledge: 'simulated', assets: 6 });
  });

  it('says the same bytes after a restart as without one', async () => {
    const [steady, restarted] = [await House.open(), await House.open()];
    for (const house of [steady, restarted]) {
      for (let at = START; at <= START + 3 * DAY; at += 6 * HOUR) {
        await house.append([post(`p${at}`, 'a recession is coming', at - HOUR)]);
        await house.turnTo(at);
        if (house === restarted && (at - START) % (12 * HOUR) === 0) await house.restart();
        await house.cycle.run(at);
      }
    }
    const said = async ({ archive }: House) =>
      Promise.all(
        [...Array.from({ length: await archive.logSize(LATEST) }).keys()].map(async (index) => {
          const { at, kind, body } = (await archive.leaf(index))!;
          return { at, kind, body, text: await archive.attachment(index) };
        }),
      );
    const steadily = await said(steady);
    expect(steadily.length).toBeGreaterThan(6);
    expect(steadily.some(({ kind }) => kind === 'narrative_terms')).toBe(true);
    expect(await said(restarted)).toEqual(steadily);
  });

  it('counts a week of terms once, when it has ended, and what comes later for it comes too late', async () => {
    const house = await House.open();
    const friday = weekStep(Math.floor((START / DAY + 5) / 7));
    await house.append([
      post('a', 'is this a recession, or a soft landing?', friday - 2 * DAY),
      post('b', 'nothing', friday),
      post('c', 'stagflation', friday + 1),
    ]);
    house.now = friday + HOUR;
    await house.cycle.run(friday - HOUR);
    expect(await house.terms()).toEqual([]);
    await house.cycle.run(friday + HOUR);
    const body = { posts: 2, posts_backfilled: 2, narratives: { 'hard-landing': 1, 'soft-landing': 1 } };
    expect(await house.terms()).toMatchObject([{ at: friday, body: { ...body, week_end: '2019-09-06' } }]);

    await house.append([post('d', 'recession', friday - DAY)]);
    await house.restart();
    await house.cycle.run(friday + 2 * HOUR);
    await house.cycle.run(friday + 7 * DAY);
    expect((await house.terms()).map(({ body: { posts } }) => posts)).toEqual([2, 1]);
  });

  it('verifies from the facts, also when something was backfilled since, and notices what was altered', async () => {
    const house = await House.open();
    for (let at = START; at <= START + 2 * DAY; at += 12 * HOUR) {
      await house.append([post(`p${at}`, 'a soft landing', at - HOUR)]);
      await house.turnTo(at);
      await house.cycle.run(at);
      // A value of last year is restated: it belongs to later editions only.
      const body = { kind: 'series', series: 'VIXCLS', date: '2018-06-05', value: 30 } as const;
      await house.append([
        { source: 'late', effectiveAt: at, releasedAt: START - 400 * DAY + (at - START) / 24, body },
      ]);
    }
    const checks = await all(verifyMacro(house.archive, { from: 0, to: LATEST }));
    expect(checks.filter(({ what }) => what === 'edition').length).toBeGreaterThanOrEqual(4);
    expect(checks.filter(({ what }) => what === 'terms')).toHaveLength(1);
    expect(checks.filter(({ agrees }) => !agrees)).toEqual([]);

    const altered = Object.create(house.archive) as ArchiveWriter;
    altered.attachment = async (index) =>
      (await house.archive.attachment(index))?.replace('"confidence":', '"confidence": ') ?? null;
    const again = await all(verifyMacro(altered, { from: 0, to: LATEST, most: 1 }));
    expect(again[0]).toMatchObject({ what: 'edition', agrees: false });
  });
});
