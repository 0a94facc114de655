// The macro side of the recorder: an edition at every boundary, composed in slices between the turns of the tape.
import type { Fact } from '../domain/facts/fact.js';
import type { Stated } from '../domain/facts/statement.js';
import type { SpokenPost } from '../domain/macro/narrative-terms.js';
import { MACRO_KINDS } from '../domain/macro/recall.js';
import { floorTo, type Instant, LATEST, SECOND } from '../kernel/instant.js';
import type { ArchiveWriter } from '../ports/archive.js';
import { type MacroNews, MacroTeller, newestEdition, newsIn } from './macro-teller.js';
import { pacedBy } from './paced.js';

export interface MacroCycleParts {
  readonly archive: ArchiveWriter;
  readonly everySeconds: number;
  /** Runs what must not overlap with an append. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly onEdition?: (stated: Stated, milliseconds: number) => Promise<void>;
  readonly onFailure?: (error: unknown) => void;
}

/**
 * It shares the recorder's thread: a second one would hold a second connection and a second copy of the facts. Instead
 * no slice is long, and a run begins when the tape has just turned, so the next boundary is a whole cycle away.
 */
export class MacroCycle {
  readonly #parts: MacroCycleParts;
  #teller: MacroTeller | null = null;
  /** What was appended and not taken yet; null until the archive is read. */
  #waiting: { facts: Fact[]; posts: SpokenPost[] } | null = null;
  #lastAt: Instant | null = null;
  #work: Promise<void> | null = null;

  constructor(parts: MacroCycleParts) {
    this.#parts = parts;
  }

  /** Keeps what was appended for the next run: a composition must not see facts come. */
  take(facts: readonly Fact[]): void {
    if (!this.#waiting) return;
    const news = newsIn(facts);
    this.#waiting.facts.push(...news.facts);
    this.#waiting.posts.push(...news.posts);
  }

  /** Begins an edition where one is due and none is being made; does not wait for it. */
  turn(at: Instant): void {
    const boundary = this.#due(at);
    if (this.#work || boundary === null) return;
    const { signal, onEdition, onFailure } = this.#parts;
    const startedAt = performance.now();
    this.#work = this.run(boundary)
      .then((stated) => stated && onEdition?.(stated, performance.now() - startedAt))
      .then(() => {})
      .catch((error: unknown) => {
        if (!signal.aborted) onFailure?.(error);
      })
      .finally(() => {
        this.#work = null;
      });
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  /** States what is new at the boundary; returns the edition, or null where the one in force stays. */
  async run(at: Instant): Promise<Stated | null> {
    const { archive, alone } = this.#parts;
    try {
      const { teller, highWater } = await this.#prepare(at);
      // Statements are about ever later instants: after a restart within one boundary there is nothing to add.
      const standing = await newestEdition(archive);
      if (standing && standing.at >= at) return null;
      const said = await teller.tell(at, highWater);
      const stated = said.length === 0 ? [] : await alone(() => archive.state(said));
      return stated.find(({ kind }) => kind === 'macro_frame') ?? null;
    } catch (error) {
      // What is half told cannot be gone on from: the next run reads the archive again.
      this.#teller = null;
      this.#waiting = null;
      throw error;
    } finally {
      this.#lastAt = at;
    }
  }

  /** The first run waits for no boundary. */
  #due(at: Instant): Instant | null {
    if (this.#lastAt === null) return at;
    const boundary = floorTo(at, this.#parts.everySeconds * SECOND);
    return boundary > this.#lastAt ? boundary : null;
  }

  async #prepare(at: Instant): Promise<{ teller: MacroTeller; highWater: number }> {
    const { archive, alone, signal } = this.#parts;
    // Inside, nothing is appended: the sequence and what was handed on belong together.
    const { highWater, news } = await alone(async () => {
      const extent = await archive.extent();
      return { highWater: extent.highWater, news: this.#takeWaiting(at) };
    });
    if (this.#teller) {
      this.#teller.take(news);
      return { teller: this.#teller, highWater };
    }
    const known = { knownBy: at, upToSequence: highWater };
    this.#teller = await MacroTeller.open(archive, known, pacedBy(signal));
    // What became known between the boundary and now is for the next one.
    for (const kind of [...MACRO_KINDS, 'post'] as const) {
      const since = { knownBy: LATEST, after: at, upToSequence: highWater };
      for await (const facts of archive.facts(kind, since)) this.take(facts);
    }
    return { teller: this.#teller, highWater };
  }

  /** What waits and was known by the instant; the rest goes on waiting. */
  #takeWaiting(at: Instant): MacroNews {
    const { facts, posts } = this.#waiting ?? { facts: [], posts: [] };
    const isDue = ({ knownAt }: { readonly knownAt: Instant }): boolean => knownAt <= at;
    this.#waiting = {
      facts: facts.filter((fact) => !isDue(fact)),
      posts: posts.filter((post) => !isDue(post)),
    };
    return { facts: facts.filter(isDue), posts: posts.filter(isDue) };
  }
}
