// A macro state filled from the archive, and kept up with it.
import type { FactKind } from '../../domain/facts/fact.js';
import type { MacroState } from '../../domain/macro/macro-state.js';
import {
  readTermStatement,
  spokenIn,
  TermTally,
  type WeekTerms,
} from '../../domain/macro/narrative-terms.js';
import { MACRO_KINDS, MacroRecord } from '../../domain/macro/recall.js';
import { weekStep } from '../../domain/macro/sessions.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { HOUR, LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';

/** What was filled in since with an earlier known-at is found only by reading everything again. */
const READ_AGAIN_AFTER = HOUR;
const TERMS_PER_READ = 1_000;

export class RecalledState {
  readonly #archive: ArchiveReader;
  readonly #clock: Clock;
  #record = new MacroRecord();
  #readAt: Instant = Number.NEGATIVE_INFINITY;
  #highWater = 0;
  /** By kind, the largest known-at that was taken; what arrives live later is known later. */
  #taken = new Map<FactKind, Instant>();
  /** The last week of terms that was taken, and the last place in the log that was looked at for them. */
  #week = Number.NEGATIVE_INFINITY;
  #termsIndex = -1;
  #firstBackfilled: Instant = Number.POSITIVE_INFINITY;

  constructor(archive: ArchiveReader, clock: Clock) {
    this.#archive = archive;
    this.#clock = clock;
  }

  get highWater(): number {
    return this.#highWater;
  }

  knowledge(at: Instant): 'observed' | 'simulated' {
    return this.#firstBackfilled <= at ? 'simulated' : 'observed';
  }

  /** A state that has everything that is in the archive now. Not to be called again before it has settled. */
  async current(): Promise<MacroState> {
    const { highWater } = await this.#archive.extent();
    if (highWater === this.#highWater) return this.#record.state;
    const now = this.#clock();
    const isFresh = now - this.#readAt <= READ_AGAIN_AFTER;
    if (!isFresh) this.#begin(now);
    for (const kind of MACRO_KINDS) await this.#take(kind, highWater);
    this.#takeTerms(await this.#statedTerms());
    // Weeks that nobody has stated are counted here; a recorder states every week when it has ended.
    if (!isFresh) this.#takeTerms(await this.#countedTerms(now, highWater));
    this.#highWater = highWater;
    return this.#record.state;
  }

  #begin(now: Instant): void {
    this.#record = new MacroRecord();
    this.#readAt = now;
    this.#taken = new Map();
    this.#week = Number.NEGATIVE_INFINITY;
    this.#termsIndex = -1;
    this.#firstBackfilled = Number.POSITIVE_INFINITY;
  }

  async #take(kind: (typeof MACRO_KINDS)[number], upToSequence: number): Promise<void> {
    const after = this.#taken.get(kind);
    const knowledge = { knownBy: LATEST, upToSequence, ...(after === undefined ? {} : { after }) };
    for await (const facts of this.#archive.facts(kind, knowledge)) {
      this.#record.take(facts);
      for (const { knownAt, backfilled } of facts) {
        if (backfilled) this.#firstBackfilled = Math.min(this.#firstBackfilled, knownAt);
      }
      const last = facts.at(-1);
      if (last) this.#taken.set(kind, last.knownAt);
    }
  }

  #takeTerms(weeks: readonly WeekTerms[]): void {
    const unseen = weeks.filter(({ week }) => week > this.#week);
    this.#record.takeTerms(unseen);
    for (const { week, backfilled } of unseen) {
      this.#week = Math.max(this.#week, week);
      if (backfilled > 0) this.#firstBackfilled = Math.min(this.#firstBackfilled, weekStep(week));
    }
  }

  async #statedTerms(): Promise<WeekTerms[]> {
    const weeks: WeekTerms[] = [];
    for (;;) {
      const page = await this.#archive.statements({
        kind: 'narrative_terms',
        knownBy: LATEST,
        afterIndex: this.#termsIndex,
        limit: TERMS_PER_READ,
      });
      weeks.push(...page.map(readTermStatement));
      this.#termsIndex = page.at(-1)?.index ?? this.#termsIndex;
      if (page.length < TERMS_PER_READ) return weeks;
    }
  }

  async #countedTerms(now: Instant, upToSequence: number): Promise<WeekTerms[]> {
    const tally = new TermTally(this.#week);
    const after = Number.isFinite(this.#week) ? { after: weekStep(this.#week) } : {};
    for await (const posts of this.#archive.facts('post', { knownBy: now, upToSequence, ...after }))
      tally.count(spokenIn(posts));
    return tally.close(now);
  }
}
