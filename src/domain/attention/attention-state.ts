// Holds what the attention measures need between cycles, and turns it into the frame of a boundary.
import type { Instant } from '../../kernel/instant.js';
import { SECOND } from '../../kernel/instant.js';
import type { Count, Fact } from '../facts/fact.js';
import type { AnomalyBand, Frame, Row, RowState, SourceSet } from '../facts/frame.js';
import type { Mention, Post } from '../facts/post.js';
import { sixDigits } from '../facts/row-codec.js';
import { sealFrame } from '../facts/seal.js';
import { bandOf } from './anomaly-bands.js';
import { densityDivisor } from './denominator.js';
import { MentionHistory, type Unusualness } from './mention-history.js';
import { ATTENTION } from './parameters.js';
import { ReferenceBook } from './reference-book.js';
import { SourceLedger } from './source-set.js';
import { activityAt, type Entry, type Reading, TickerWindow } from './ticker-window.js';

export interface Boundary {
  readonly at: Instant;
  readonly cycleSeconds: number;
  readonly highWater: number;
  /** Tickers in slot order, as many as the frame has rows. */
  readonly tickers: readonly string[];
}

/**
 * Facts may come in any order; a frame is a function of those known by its boundary. The live recorder feeds it as it
 * appends, verification and replay feed it from the archive, and both must get the same bytes.
 */
export class AttentionState {
  readonly book = new ReferenceBook();
  readonly sources = new SourceLedger();
  readonly history: MentionHistory;
  readonly #windows = new Map<string, TickerWindow>();
  #sourceSet: SourceSet | null = null;

  /** Frames can be asked for from `startAt` on, and only forwards. */
  constructor(startAt: Instant) {
    this.history = new MentionHistory(startAt);
  }

  /** Takes facts that are new to the archive. */
  take(facts: readonly Fact[]): void {
    for (const fact of facts) {
      const { source, knownAt, body } = fact;
      if (body.kind === 'post') {
        this.sources.began(source, knownAt);
        this.sources.count(source, knownAt, body.mentions.length);
        for (const { ticker } of body.mentions) this.history.add(source, ticker, knownAt, 1);
      } else if (body.kind === 'count') {
        this.sources.began(source, knownAt);
        this.sources.countAggregate(source, knownAt, body.posts);
        this.history.addCount(fact as Fact<Count>);
      }
    }
    this.restore(facts);
  }

  /** Takes facts whose part in the sources' volumes and in the history is known already. */
  restore(facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.body.kind === 'post') this.#takePost(fact as Fact<Post>);
      else if (fact.body.kind === 'count') this.#takeCount(fact);
      else this.book.take(fact);
    }
  }

  /** Posts about a ticker in the window, from the sources that count. */
  postsAbout(ticker: string, at: Instant): readonly Entry[] {
    return this.#window(ticker).postsAt(at, new Set(this.#sourceSetAt(at).sources));
  }

  /** Whether a ticker was silent for as long as the history reaches, up to the window. */
  isFirst(ticker: string, at: Instant): boolean {
    return this.history.silentBefore(ticker, at - ATTENTION.window);
  }

  frame({ at, cycleSeconds, highWater, tickers }: Boundary): Frame {
    const sourceSet = this.#sourceSetAt(at);
    const counted = new Set(sourceSet.sources);
    const draft = tickers.map((ticker, slot) => this.#draft(ticker, slot, at, counted, sourceSet.level));
    const unusual = this.history.at(at, sourceSet.sources, this.sources.observedSince());
    const rows = ranked(draft, (ticker) => this.#unusual(unusual, ticker));
    return sealFrame(
      {
        at,
        cycleSeconds,
        highWater,
        newestKnownAt: draft.reduce<Instant | null>(
          (newest, { reading }) => later(newest, reading.newestKnownAt),
          null,
        ),
        postsUsed: draft.reduce((sum, { reading }) => sum + reading.posts, 0),
        postsBackfilled: draft.reduce((sum, { reading }) => sum + reading.backfilled, 0),
        rowCount: rows.length,
        sourceSet,
      },
      rows,
    );
  }

  #takePost(fact: Fact<Post>): void {
    const { sequence, knownAt, effectiveAt, source, backfilled, body } = fact;
    const { author, narrative, providerTags, financeContext, objects, authorCreatedAt } = body;
    const tickers = body.mentions.length;
    for (const { ticker, form } of body.mentions as readonly Mention[]) {
      this.#window(ticker).add({
        sequence,
        knownAt,
        source,
        author,
        narrative,
        tickers,
        form,
        providerTags,
        financeContext,
        backfilled,
        createdAt: effectiveAt,
        objects,
        authorCreatedAt,
      });
    }
  }

  #takeCount({ sequence, knownAt, source, backfilled, body }: Fact): void {
    if (body.kind !== 'count') return;
    const { ticker, bucketStart, bucketSeconds, posts, authors } = body;
    this.#window(ticker).addCount({
      sequence,
      knownAt,
      source,
      backfilled,
      bucketStart,
      bucketSeconds,
      posts,
      authors,
    });
  }

  #sourceSetAt(at: Instant): SourceSet {
    const set = this.sources.at(at);
    const was = this.#sourceSet;
    if (was?.version !== set.version || was.sources.join() !== set.sources.join()) {
      for (const window of this.#windows.values()) window.invalidate();
    }
    this.#sourceSet = set;
    return set;
  }

  #unusual({ anomaly, velocities }: Unusualness, ticker: string): Unusual {
    const index = this.history.index(ticker);
    return {
      surprise: measured(anomaly.surprise[index]),
      velocity: measured(velocities[index]),
      band: (eligible) => bandOf(anomaly.level[index] ?? 0, anomaly.hoursObserved, eligible),
    };
  }

  #draft(ticker: string, slot: number, at: Instant, counted: ReadonlySet<string>, level: number): Draft {
    const reading = this.#window(ticker).readAt(at, counted);
    const activity = sixDigits(activityAt(reading, at) / level);
    const denominator = this.book.denominator(ticker, at);
    const divisor = densityDivisor(denominator);
    return {
      ticker,
      slot,
      reading,
      activity,
      denominator,
      density: divisor === null || reading.posts === 0 ? null : sixDigits(activity / divisor),
      state: stateOf(reading, activity, denominator),
    };
  }

  #window(ticker: string): TickerWindow {
    let window = this.#windows.get(ticker);
    if (!window) {
      window = new TickerWindow(ticker);
      this.#windows.set(ticker, window);
    }
    return window;
  }
}

interface Draft {
  readonly ticker: string;
  readonly slot: number;
  readonly reading: Reading;
  readonly activity: number;
  readonly density: number | null;
  readonly denominator: Row['denominator'];
  readonly state: RowState;
}

interface Unusual {
  readonly surprise: number | null;
  readonly velocity: number | null;
  readonly band: (eligible: boolean) => AnomalyBand;
}

const measured = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : sixDigits(value);

function stateOf(reading: Reading, activity: number, { usdBillions }: Row['denominator']): RowState {
  const { effectivePosts, narratives, authors } = ATTENTION.eligibility;
  // A source that shows no posts shows no narratives either: there the count alone must do.
  const voices = reading.aggregateOnly || (reading.narratives >= narratives && reading.authors >= authors);
  if (activity < effectivePosts || !voices) return 'insufficient';
  if (usdBillions === null) return 'unavailable';
  return usdBillions < ATTENTION.denominator.floorUsdBillions ? 'nano' : 'ranked';
}

/** Density down, then surprise down, then ticker up; shares are of the activity of all eligible tickers. */
function ranked(draft: readonly Draft[], unusualOf: (ticker: string) => Unusual): Row[] {
  const eligible = draft.filter(({ state }) => state !== 'insufficient');
  const total = eligible.reduce((sum, { activity }) => sum + activity, 0);
  const unusual = new Map(eligible.map(({ slot, ticker }) => [slot, unusualOf(ticker)]));
  const surprise = ({ slot }: Draft): number => unusual.get(slot)?.surprise ?? 0;
  const order = eligible
    .filter(({ state }) => state === 'ranked')
    .sort((a, b) => b.density! - a.density! || surprise(b) - surprise(a) || (a.ticker < b.ticker ? -1 : 1));
  const rankOf = new Map(order.map(({ slot }, index) => [slot, index + 1]));
  return draft.map(({ ticker, slot, reading, activity, density, denominator, state }) => {
    const { surprise: surprised = null, velocity = null, band } = unusual.get(slot) ?? {};
    return {
      slot,
      ticker,
      rank: rankOf.get(slot) ?? null,
      state,
      band: band?.(true) ?? 'insufficient',
      activity: reading.posts === 0 ? null : activity,
      density,
      share: state === 'insufficient' ? null : sixDigits((100 * activity) / total),
      velocity,
      surprise: surprised,
      independence: reading.independence === null ? null : sixDigits(reading.independence),
      entityPrecision: reading.entityPrecision === null ? null : sixDigits(reading.entityPrecision),
      ambiguous: reading.ambiguous,
      posts: reading.posts,
      authors: reading.authors,
      narratives: reading.narratives,
      denominator,
    };
  });
}

function later(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

/** The newest boundary at or before an instant. */
export function boundaryBefore(instant: Instant, cycleSeconds: number): Instant {
  return Math.floor(instant / (cycleSeconds * SECOND)) * cycleSeconds * SECOND;
}
