// What is known of every asset: its name and sector, its closes, and the series that the catalogue takes from prices.
import type { Instant } from '../../kernel/instant.js';
import { newYorkDay, readDay } from '../../kernel/new-york-time.js';
import type { FactOf } from '../facts/fact.js';
import { AssetCloses } from './asset-closes.js';
import { sectorOfFund } from './catalogue/sector-priors.js';
import type { SeriesHistory } from './series-history.js';
import { dayOfSession } from './sessions.js';

interface AssetVersion {
  readonly knownAt: Instant;
  readonly sequence: number;
  readonly name: string;
  readonly sector: string | null;
  readonly isFund: boolean;
}

/** Words for what holds other assets; everything else that has a sector is a company's own paper. */
const FUND_KINDS: ReadonlySet<string> = new Set(['fund', 'etf', 'etn', 'etp', 'cef', 'mutual_fund', 'index']);

export class AssetRecord {
  readonly ticker: string;
  readonly closes = new AssetCloses();
  readonly #versions: AssetVersion[] = [];
  /** The instant from which anything at all is known about the ticker. */
  firstKnownAt: Instant = Number.POSITIVE_INFINITY;

  constructor(ticker: string) {
    this.ticker = ticker;
  }

  describe(version: AssetVersion): void {
    this.#versions.push(version);
    this.#versions.sort((a, b) => a.knownAt - b.knownAt || a.sequence - b.sequence);
  }

  as(knownBy: Instant): AssetVersion | null {
    let found: AssetVersion | null = null;
    for (const version of this.#versions) if (version.knownAt <= knownBy) found = version;
    return found;
  }

  sector(knownBy: Instant): string | null {
    return this.as(knownBy)?.sector ?? null;
  }

  /** The sector that it is a company of; null for a fund, whatever it holds. */
  companySector(knownBy: Instant): string | null {
    const version = this.as(knownBy);
    return version === null || version.isFund ? null : version.sector;
  }
}

const CLOSE = 'CLOSE:';

export class PriceBook {
  readonly #records = new Map<string, AssetRecord>();
  readonly #closeSeries: ReadonlyMap<string, SeriesHistory>;
  #sorted: readonly AssetRecord[] | null = null;

  /** `histories` holds the series of the catalogue; those named CLOSE:<ticker> are fed from here. */
  constructor(histories: ReadonlyMap<string, SeriesHistory>) {
    this.#closeSeries = new Map(
      [...histories]
        .filter(([id]) => id.startsWith(CLOSE))
        .map(([id, history]) => [id.slice(CLOSE.length), history]),
    );
  }

  /** By ticker, so that sums over assets do not depend on the order of arrival. */
  records(): readonly AssetRecord[] {
    this.#sorted ??= [...this.#records.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    return this.#sorted;
  }

  record(ticker: string): AssetRecord | undefined {
    return this.#records.get(ticker);
  }

  takeAsset({ body, knownAt, sequence }: FactOf<'asset'>): void {
    const { ticker, name, sector, assetKind } = body;
    const isFund = FUND_KINDS.has(assetKind.toLowerCase()) || sectorOfFund(ticker) !== undefined;
    this.#reach(ticker, knownAt).describe({ knownAt, sequence, name, sector, isFund });
  }

  takePrice({ body, knownAt, sequence }: FactOf<'price'>): void {
    const day = readDay(body.date);
    if (day === null) return;
    const record = this.#reach(body.ticker, knownAt);
    const session = record.closes.take(day, body.close, knownAt, sequence);
    const series = this.#closeSeries.get(body.ticker);
    if (session >= 0 && series)
      tell(series, record.closes, session, AssetCloses.knownHour(day, knownAt), sequence);
  }

  /** A split changes closes that were told already, so their series is told anew. */
  takeSplit({ body, knownAt, effectiveAt }: FactOf<'split'>): void {
    const { closes } = this.#reach(body.ticker, knownAt);
    closes.takeSplit(newYorkDay(effectiveAt), body.ratio, knownAt);
    const series = this.#closeSeries.get(body.ticker);
    if (!series) return;
    series.clear();
    for (let session = closes.firstSession; session < closes.endSession; session += 1) {
      for (const known of closes.reportsOf(session)) tell(series, closes, session, known, session);
    }
  }

  #reach(ticker: string, knownAt: Instant): AssetRecord {
    let record = this.#records.get(ticker);
    if (!record) {
      record = new AssetRecord(ticker);
      this.#records.set(ticker, record);
      this.#sorted = null;
    }
    record.firstKnownAt = Math.min(record.firstKnownAt, knownAt);
    return record;
  }
}

/** A close enters its series when it is reported, and again when a split that has happened becomes known. */
function tell(
  series: SeriesHistory,
  closes: AssetCloses,
  session: number,
  reportedAt: Instant,
  sequence: number,
): void {
  const day = dayOfSession(session);
  series.take(day, closes.adjusted(session, reportedAt), reportedAt, sequence, true);
  for (const split of closes.splits) {
    if (split.day > day || split.knownAt <= reportedAt) continue;
    series.take(day, closes.adjusted(session, split.knownAt), split.knownAt, sequence, true);
  }
}
