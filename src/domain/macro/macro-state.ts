// Holds what the macro measures need, and turns it into the frame of any instant and the scores that go with it.
import { DAY, type Instant } from '../../kernel/instant.js';
import { readDay } from '../../kernel/new-york-time.js';
import type { Fact, FactOf } from '../facts/fact.js';
import type { Driver } from './asset-score.js';
import { type AssetScore, AssetScorer, recall, type SectorScore } from './asset-scorer.js';
import { AttentionShares, type TermCounts } from './attention-shares.js';
import { narrativesIn } from './attention-terms.js';
import { INDEXES, indexPlace } from './catalogue/indexes.js';
import { type Conditions, conditionsAt } from './conditions.js';
import { Constituents } from './constituents.js';
import { DailyPath, type PathStep } from './daily-path.js';
import type { Exposures } from './exposures.js';
import {
  coverageOf,
  freshnessOf,
  gaugeReadings,
  indexReading,
  narrativeReadings,
  newestKnownAt,
  regimeReading,
} from './frame-parts.js';
import { marketScore } from './gauges.js';
import { type IndexDetail, indexDetail } from './index-detail.js';
import { IndexTimeline } from './index-timeline.js';
import { seriesOf } from './level-series.js';
import { type MacroFrame, type NarrativeEdge, sealMacroFrame } from './macro-frame.js';
import { narrativeEdges } from './narrative-edges.js';
import { MACRO_VERSION, NARRATIVE } from './parameters.js';
import { type AssetRecord, PriceBook } from './price-book.js';
import { standingAt } from './reading.js';
import { type Release, releasesBetween, type UpcomingRelease, upcomingReleases } from './releases.js';
import { SeriesHistory } from './series-history.js';
import { lastWeekBy, sessionUpTo, weekEndDay, weekStep } from './sessions.js';
import type { Theme } from './themes.js';

const WEEK = 7 * DAY;
/** Days: providers date a week by its end and publish before it. */
const FURTHEST_AHEAD = 31;

/**
 * Facts may come in any order; everything at an instant is a function of those known by then. One state therefore
 * answers for the past as well as for now, and agrees to the byte with a state that was fed only up to that instant.
 */
export class MacroState {
  readonly #histories = new Map<string, SeriesHistory>();
  readonly #timelines: readonly (readonly IndexTimeline[])[];
  readonly #book: PriceBook;
  readonly #constituents: Constituents;
  readonly #attention = new AttentionShares();
  readonly #path: DailyPath;
  readonly #scorer: AssetScorer;
  readonly #edges = new Map<number, readonly NarrativeEdge[]>();
  readonly #conditions = new WeakMap<MacroFrame, Conditions>();
  /** The latest instant that anything has been computed for: a fact known by then is late. */
  #horizon: Instant = Number.NEGATIVE_INFINITY;

  constructor() {
    this.#timelines = INDEXES.map((row) =>
      [row, ...(row.fallback ? [row.fallback] : [])].map((source) => {
        const histories = seriesOf(source.formula).map((id) => this.#history(id));
        return new IndexTimeline(row, source, histories);
      }),
    );
    this.#book = new PriceBook(this.#histories);
    this.#constituents = new Constituents(this.#book, this.#histories);
    this.#path = new DailyPath(this.#timelines, this.#attention);
    this.#scorer = new AssetScorer(this.#book, this.#timelines, this.#path);
  }

  /** Takes facts that are new; kinds that macro does not measure are passed over. */
  take(facts: readonly Fact[]): void {
    let earliest = Number.POSITIVE_INFINITY;
    let earliestPrice = Number.POSITIVE_INFINITY;
    for (const fact of facts) {
      const market = this.#takeMarket(fact);
      if (!market && !this.#takeOther(fact)) continue;
      earliest = Math.min(earliest, fact.knownAt);
      if (market) earliestPrice = Math.min(earliestPrice, fact.knownAt);
    }
    if (earliestPrice <= this.#constituents.measuredTo) this.#constituents.restart();
    this.#expect(earliest);
  }

  /** Takes weekly counts of narrative terms that were made elsewhere. */
  takeTermCounts(counts: readonly TermCounts[]): void {
    for (const count of counts) {
      this.#attention.add(count);
      this.#expect(weekStep(count.week));
    }
  }

  /** Weekly counts of narrative terms, to be stored and taken again. */
  termCounts(): TermCounts[] {
    return this.#attention.weeks();
  }

  frame(at: Instant): MacroFrame {
    this.#extend(at);
    const conditions = conditionsAt(this.#timelines, at);
    const step = this.#path.at(at);
    const gauges = gaugeReadings(conditions, this.#path, step);
    const frame = sealMacroFrame({
      at,
      version: MACRO_VERSION,
      freshness: freshnessOf(conditions),
      marketScore: marketScore(gauges.map(({ value }) => value)),
      regime: regimeReading(conditions, step),
      indexes: conditions.standings.map((standing, i) =>
        indexReading(i, standing, standingAt(this.#timelines[i]!, at - WEEK)),
      ),
      gauges,
      narratives: narrativeReadings(conditions, this.#path, step),
      edges: this.#edgesAt(at),
      coverage: coverageOf(conditions),
      newestKnownAt: newestKnownAt(conditions),
    });
    this.#conditions.set(frame, conditions);
    return frame;
  }

  /** The score of one ticker in a frame; null when nothing was known of the ticker. */
  scoreAsset(frame: MacroFrame, ticker: string): AssetScore | null {
    const record = this.#known(frame, ticker);
    return record && this.#scorer.score(frame, this.#conditionsOf(frame), record);
  }

  /** Scores of all tickers known in a frame, by ticker. */
  scoreAll(frame: MacroFrame): AssetScore[] {
    const conditions = this.#conditionsOf(frame);
    return this.#knownRecords(frame).map((record) => this.#scorer.score(frame, conditions, record));
  }

  /** Tickers known in a frame, in their order. */
  tickers(frame: MacroFrame): string[] {
    return this.#knownRecords(frame).map(({ ticker }) => ticker);
  }

  /** A sector's score, by its fund's prices or by its past alone. */
  scoreSector(frame: MacroFrame, fund: string, sector: string): SectorScore {
    return this.#scorer.sector(this.#conditionsOf(frame), fund, sector);
  }

  /** Every driver of a score, the strongest first: together they give the integer. Null for an unknown ticker. */
  drivers(frame: MacroFrame, ticker: string): Driver[] | null {
    const record = this.#known(frame, ticker);
    return record && this.#scorer.drivers(this.#conditionsOf(frame), record);
  }

  /** Narratives that touch a ticker; null when nothing was known of it. */
  themes(frame: MacroFrame, ticker: string): Theme[] | null {
    const record = this.#known(frame, ticker);
    return record && this.#scorer.themes(frame, record);
  }

  /** New values with `from` < known ≤ `to`. */
  releases(from: Instant, to: Instant): Release[] {
    this.#extend(to);
    return releasesBetween(this.#timelines, from, to);
  }

  /** Values due after `from` and up to `to`, as seen at `from`. */
  calendar(from: Instant, to: Instant): UpcomingRelease[] {
    this.#extend(from);
    return upcomingReleases(this.#timelines, from, to);
  }

  /** One index with its past readings; null for a symbol that is not in the catalogue. */
  detail(symbol: string, at: Instant, points: number): IndexDetail | null {
    const place = indexPlace(symbol);
    if (place < 0) return null;
    this.#extend(at);
    return indexDetail(place, this.#timelines[place]!, at, points);
  }

  /** Exposures as fitted at the last week's end before the instant. */
  exposuresAt(at: Instant): Exposures {
    this.#extend(at);
    return this.#scorer.exposures(lastWeekBy(at));
  }

  /** The daily decisions in force at the instant; null before the first. */
  stepAt(at: Instant): PathStep | null {
    this.#extend(at);
    return this.#path.at(at);
  }

  #takeMarket(fact: Fact): boolean {
    switch (fact.body.kind) {
      case 'price':
        this.#book.takePrice(fact as FactOf<'price'>);
        return true;
      case 'asset':
        this.#book.takeAsset(fact as FactOf<'asset'>);
        return true;
      case 'split':
        this.#book.takeSplit(fact as FactOf<'split'>);
        return true;
      default:
        return false;
    }
  }

  #takeOther({ body, knownAt, sequence, backfilled }: Fact): boolean {
    if (body.kind === 'post') {
      this.#attention.count(knownAt, narrativesIn(body.excerpt));
      return true;
    }
    if (body.kind !== 'series') return false;
    const history = this.#histories.get(body.series);
    const day = readDay(body.date);
    if (!history || day === null || !Number.isFinite(body.value)) return false;
    // A period that lies ahead cannot have been measured; its value would stand as the newest for ever.
    if (day > knownAt / DAY + FURTHEST_AHEAD) return false;
    history.take(day, body.value, knownAt, sequence, !backfilled);
    return true;
  }

  #history(id: string): SeriesHistory {
    let history = this.#histories.get(id);
    if (!history) {
      history = new SeriesHistory();
      this.#histories.set(id, history);
    }
    return history;
  }

  /** New facts may only lie ahead of what has been computed; otherwise what was computed is forgotten. */
  #expect(earliest: Instant): void {
    if (earliest > this.#horizon) return;
    this.#path.restart();
    this.#scorer.restart();
    this.#edges.clear();
    this.#horizon = Number.NEGATIVE_INFINITY;
  }

  /** Asked for every asset of a frame: what reaches as far already is left alone. */
  #extend(at: Instant): void {
    if (at <= this.#horizon) return;
    this.#constituents.extend(at);
    for (const timelines of this.#timelines) for (const timeline of timelines) timeline.extend(at);
    this.#path.extend(at);
    this.#horizon = at;
  }

  #knownRecords(frame: MacroFrame): AssetRecord[] {
    return this.#book.records().filter((record) => record.firstKnownAt <= frame.at);
  }

  #known(frame: MacroFrame, ticker: string): AssetRecord | null {
    const record = this.#book.record(ticker);
    return record && record.firstKnownAt <= frame.at ? record : null;
  }

  /** Frames of another state, and frames read back, have their conditions worked out again. */
  #conditionsOf(frame: MacroFrame): Conditions {
    this.#extend(frame.at);
    return this.#conditions.get(frame) ?? conditionsAt(this.#timelines, frame.at);
  }

  #edgesAt(at: Instant): readonly NarrativeEdge[] {
    const week = lastWeekBy(at);
    return recall(this.#edges, week, () => {
      const first = week - NARRATIVE.edgeWeeks;
      const sessions = Array.from({ length: NARRATIVE.edgeWeeks + 1 }, (_, i) =>
        sessionUpTo(weekEndDay(first + i)),
      );
      return narrativeEdges(this.#path.strengthChanges(sessions));
    });
  }
}
