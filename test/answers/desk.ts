// A small archive in memory with an open read side: posts, assets, frames and emissions as a test lays them down.
import { openReadSide, type ReadSide } from '../../src/answers/answers.js';
import type { Caller } from '../../src/contracts/caller.js';
import type { Emission } from '../../src/domain/facts/emission.js';
import type { FactBody, Report } from '../../src/domain/facts/fact.js';
import type { Row } from '../../src/domain/facts/frame.js';
import { publishedFrame } from '../../src/domain/facts/published.js';
import { sealFrame } from '../../src/domain/facts/seal.js';
import { type Instant, MINUTE } from '../../src/kernel/instant.js';
import type { ArchiveReader, ArchiveWriter } from '../../src/ports/archive.js';
import type { Bus } from '../../src/ports/bus.js';
import type { Watchlists } from '../../src/ports/watchlists.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { denominator, type TestClock, testClock } from '../ports/samples.js';

export const CYCLE = 15;

export function rowOf(ticker: string, over: Partial<Row> = {}): Omit<Row, 'slot'> {
  return {
    ticker,
    rank: null,
    state: 'ranked',
    band: 'normal',
    activity: 40,
    density: 2,
    share: 10,
    velocity: 0.5,
    surprise: 1.25,
    independence: 0.75,
    entityPrecision: 0.9,
    ambiguous: false,
    posts: 30,
    authors: 20,
    narratives: 15,
    denominator: denominator({ usdBillions: 20 }),
    ...over,
  };
}

export function callerOf(customerId: string, ...scopes: string[]): Caller {
  return {
    kind: 'key',
    allowance: null,
    key: {
      id: `key-${customerId}`,
      customerId,
      environment: 'test',
      plan: 'free',
      scopes: scopes.toSorted(),
      expiresAt: null,
      oldKeyEndsAt: null,
    },
  };
}

export class Desk {
  readonly clock: TestClock;
  readonly archive: ArchiveWriter;
  readonly bus: Bus;
  readonly watchlists: Watchlists = memoryWatchlists();
  #side: ReadSide | null = null;

  private constructor(archive: ArchiveWriter, clock: TestClock) {
    this.archive = archive;
    this.clock = clock;
    this.bus = memoryBus();
  }

  static async lay(): Promise<Desk> {
    const clock = testClock();
    return new Desk(await memoryStore({ clock: () => clock.now() }).openWriter(), clock);
  }

  async tell(...bodies: (FactBody | Report)[]): Promise<void> {
    const facts = bodies.map(
      (one): Report =>
        'body' in one ? one : { source: 'bluesky', effectiveAt: this.clock.now(), body: one },
    );
    await this.archive.append({ facts });
  }

  /** Records a frame for the boundary at or before the clock and lets the read side hear of it. */
  async frame(
    rows: readonly Omit<Row, 'slot'>[],
    emissions: readonly Emission[] = [],
    sources: readonly string[] = ['bluesky'],
  ): Promise<Instant> {
    const at = Math.floor(this.clock.now() / (CYCLE * 1e6)) * CYCLE * 1e6;
    const slots = await this.archive.assignSlots(rows.map(({ ticker }) => ticker));
    const placed = rows
      .map((row) => ({ ...row, slot: slots.get(row.ticker)! }))
      .toSorted((a, b) => a.slot - b.slot);
    const { highWater } = await this.archive.extent();
    const frame = sealFrame(
      {
        at,
        cycleSeconds: CYCLE,
        highWater,
        newestKnownAt: at - MINUTE,
        postsUsed: 30,
        postsBackfilled: 3,
        rowCount: placed.length,
        sourceSet: { version: 3, sources, warming: ['reddit'], level: 1 },
      },
      placed,
    );
    const before = await this.archive.frameAt(at - 1);
    const header = await this.archive.appendFrame(frame, emissions);
    const previous = before ? await this.archive.boardAt(before.at) : null;
    await this.bus.publish('attention.frame', JSON.stringify(publishedFrame(header, placed, previous)));
    return at;
  }

  async ask(over: { archive?: ArchiveReader; revealDays?: number } = {}): Promise<ReadSide['answers']> {
    return (await this.open(over)).answers;
  }

  async open(over: { archive?: ArchiveReader; revealDays?: number } = {}): Promise<ReadSide> {
    this.#side ??= await openReadSide({
      archive: this.archive,
      bus: this.bus,
      counters: memoryCounters({ clock: () => this.clock.now() }),
      watchlists: this.watchlists,
      clock: () => this.clock.now(),
      version: 'test',
      cursorSecret: new Uint8Array(32).fill(7),
      ...over,
    });
    return this.#side;
  }

  async clear(): Promise<void> {
    await this.#side?.close();
    await this.archive.close();
  }
}

export const asset = (ticker: string, sector: string | null = 'Technology'): FactBody => ({
  kind: 'asset',
  ticker,
  name: `${ticker} Inc`,
  sector,
  assetKind: 'equity',
});
