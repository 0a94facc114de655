// Runs a planted market through the whole of the scorecard, without an archive.
import type { PlantedMarket } from '../../src/connectors/fixture/planted-signal.js';
import type { FactOf } from '../../src/domain/facts/fact.js';
import { type Closes, PriceTable } from '../../src/domain/validation/forward-returns.js';
import { HYPOTHESES, type RegisteredHypothesis } from '../../src/domain/validation/hypotheses.js';
import { IcLedger } from '../../src/domain/validation/ic-series.js';
import { Panel } from '../../src/domain/validation/panel.js';
import { type Grounds, type ScorecardDocument, scorecardOf } from '../../src/domain/validation/scorecard.js';
import { type Instant, SECOND } from '../../src/kernel/instant.js';

export function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export const REGISTRY: readonly RegisteredHypothesis[] = HYPOTHESES.map((one, i) => ({
  ...one,
  registeredAt: 0,
  logIndex: i,
  status: 'active' as const,
}));

export function grounds(over: Partial<Grounds> = {}): Grounds {
  return {
    epochIndex: 3,
    epochAt: 0,
    evidence: 'fixture',
    audited: true,
    observedSections: 0,
    firstDate: null,
    lastDate: null,
    survivedBefore: new Set(),
    treeSize: 0,
    rootHash: '',
    ontologySha256: `sha256:${'0'.repeat(64)}`,
    codeVersion: 'test',
    ...over,
  };
}

export function priceFacts(market: PlantedMarket): FactOf<'price'>[] {
  return market.sessions.flatMap(({ closeAt, prices }) =>
    prices.map((body, i) => ({
      sequence: i + 1,
      knownAt: closeAt + SECOND,
      effectiveAt: closeAt,
      source: 'planted',
      backfilled: true,
      body,
    })),
  );
}

export function closesOf(market: PlantedMarket, facts = priceFacts(market)): Closes {
  const table = new PriceTable(market.tickers.toSorted());
  table.takePrices(facts);
  return table.settle();
}

export function sectorsOf(market: PlantedMarket, tickers: readonly string[]): Uint16Array {
  return Uint16Array.from(tickers, (ticker) => Number(market.sectorOf.get(ticker)!.slice(7)));
}

export interface Walk {
  readonly asOf?: Instant;
  readonly skip?: ReadonlySet<string>;
  readonly closes?: Closes;
  readonly reversed?: boolean;
}

export function ledgerOf(market: PlantedMarket, walk: Walk = {}): IcLedger {
  const { asOf = Number.MAX_SAFE_INTEGER, skip = new Set<string>(), closes = closesOf(market) } = walk;
  const panel = new Panel(walk.reversed ? market.tickers.toReversed() : market.tickers);
  const sector = sectorsOf(market, panel.tickers);
  const ledger = new IcLedger({ closes, sector, asOf });
  for (const { date, frameAt, rows } of market.sessions) {
    if (frameAt > asOf) break;
    const kept = rows.filter(({ ticker }) => !skip.has(ticker));
    const header = { at: frameAt, knownAt: frameAt + SECOND };
    drain(ledger.take(panel.cut(date, header, walk.reversed ? kept.toReversed() : kept)));
  }
  return ledger;
}

/** The claims about the planted signal alone: a sixth of the work where the others do not matter. */
export const PLANTED_CLAIMS = REGISTRY.filter(({ signal }) => signal === 'attention_velocity');

export function judged(
  ledger: IcLedger,
  registry: readonly RegisteredHypothesis[] = PLANTED_CLAIMS,
  over: Partial<Grounds> = {},
): ScorecardDocument {
  return drain(scorecardOf(ledger, registry, grounds({ observedSections: ledger.sections, ...over })));
}

export const rowOf = (
  { hypotheses }: ScorecardDocument,
  signal: string,
  horizon: number,
  target = 'forward_return',
): ScorecardDocument['hypotheses'][number] =>
  hypotheses.find(({ id }) => id.endsWith(`/${signal}/${horizon}d/${target}`))!;
