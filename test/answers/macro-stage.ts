// A small economy in a memory archive with editions that a test states when it wants to, and a read side on top.
import { openReadSide, type ReadParts, type ReadSide } from '../../src/answers/answers.js';
import { economyReports } from '../../src/connectors/fixture/economy/economy.js';
import { ECONOMY_FUNDS, type EconomyAsset } from '../../src/connectors/fixture/economy/planted-exposures.js';
import { economyReturns } from '../../src/connectors/fixture/economy/returns.js';
import { assetFacts } from '../../src/connectors/fixture/economy/stamped-facts.js';
import type { Fact, Report } from '../../src/domain/facts/fact.js';
import { editionAt, type MacroEdition, macroStatement } from '../../src/domain/macro/edition.js';
import { MacroState } from '../../src/domain/macro/macro-state.js';
import { MACRO_KINDS } from '../../src/domain/macro/recall.js';
import { DAY, HOUR, type Instant } from '../../src/kernel/instant.js';
import { dayOf } from '../../src/kernel/new-york-time.js';
import type { ArchiveWriter } from '../../src/ports/archive.js';
import type { Bus } from '../../src/ports/bus.js';
import { memoryStore } from '../../src/storage/memory/archive.js';
import { memoryBus } from '../../src/storage/memory/bus.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { memoryWatchlists } from '../../src/storage/memory/watchlists.js';
import { type TestClock, testClock } from '../ports/samples.js';

const SEED = 4;
const FROM = dayOf(2016, 1, 4);
const TO = dayOf(2020, 6, 1);
/** A Monday, 15:00 UTC: the economy is known up to here. */
export const NOW: Instant = TO * DAY + 15 * HOUR;

const STOCKS: readonly EconomyAsset[] = [
  { ticker: 'NVDA', sector: 'Information Technology', beta: 1.6, spread: 0.014 },
  { ticker: 'XOM', sector: 'Energy', beta: 1, spread: 0.012 },
  { ticker: 'BRK.B', sector: 'Financials', beta: 0.9, spread: 0.01 },
];

/** Known by its sector alone; and one of which nothing but the name is known. */
export const UNPRICED = 'NEWCO';
export const NAMELESS = 'BLANK';

function listing(ticker: string, sector: string | null): Report {
  const body = { kind: 'asset', ticker, name: `${ticker} Inc`, sector, assetKind: 'common' } as const;
  return { source: 'fixture_market', effectiveAt: FROM * DAY, releasedAt: FROM * DAY, body };
}

function reports(): Report[] {
  const returns = economyReturns(SEED, FROM, TO);
  const facts: Fact[] = [...ECONOMY_FUNDS.slice(0, 12), ...STOCKS].flatMap((asset) =>
    assetFacts(returns, asset, 1),
  );
  return [
    ...economyReports(SEED, FROM, TO),
    ...facts.map(({ source, effectiveAt, knownAt, body }) => ({
      source,
      effectiveAt,
      releasedAt: knownAt,
      body,
    })),
    listing(UNPRICED, 'Utilities'),
    listing(NAMELESS, null),
  ].filter(({ releasedAt }) => releasedAt! <= NOW);
}

export class MacroStage {
  readonly archive: ArchiveWriter;
  readonly bus: Bus = memoryBus();
  readonly clock: TestClock;
  /** The state that editions are stated from. */
  readonly state: MacroState;
  readonly #sides: ReadSide[] = [];

  private constructor(archive: ArchiveWriter, clock: TestClock, state: MacroState) {
    this.archive = archive;
    this.clock = clock;
    this.state = state;
  }

  static async set(): Promise<MacroStage> {
    const clock = testClock(NOW);
    const archive = await memoryStore({ clock: () => clock.now() }).openWriter();
    const state = new MacroState();
    const { facts } = await archive.append({ facts: reports() });
    state.take(facts);
    return new MacroStage(archive, clock, state);
  }

  /** States the edition of an instant and tells of it, as the recorder does. */
  async tell(
    at: Instant,
    over: (edition: MacroEdition) => MacroEdition = (one) => one,
  ): Promise<MacroEdition> {
    const edition = over(editionAt(this.state, at));
    const { highWater } = await this.archive.extent();
    await this.archive.state([macroStatement(edition, { highWater, facts: 100, backfilled: 60 })]);
    await this.bus.publish('macro.frame', JSON.stringify({ at }));
    await new Promise((resolve) => setImmediate(resolve));
    return edition;
  }

  /** When the next fact after an instant became known. */
  async newsAfter(after: Instant): Promise<Instant> {
    let next = Number.POSITIVE_INFINITY;
    for (const kind of MACRO_KINDS) {
      for await (const [first] of this.archive.facts(kind, { after, knownBy: NOW })) {
        next = Math.min(next, first!.knownAt);
        break;
      }
    }
    return next;
  }

  async open(over: Partial<ReadParts> = {}): Promise<ReadSide> {
    const side = await openReadSide({
      archive: this.archive,
      bus: this.bus,
      counters: memoryCounters({ clock: () => this.clock.now() }),
      watchlists: memoryWatchlists(),
      clock: () => this.clock.now(),
      version: 'test',
      cursorSecret: new Uint8Array(32).fill(7),
      ...over,
    });
    this.#sides.push(side);
    return side;
  }

  async clear(): Promise<void> {
    for (const side of this.#sides) await side.close();
    await this.archive.close();
  }
}
