// Rebuilds the state of the macro measures from the facts known by an instant and the weeks of terms stated by then.
import type { Fact, FactKind } from '../facts/fact.js';
import type { FactReader, Knowledge } from '../facts/knowledge.js';
import { MacroState } from './macro-state.js';
import type { WeekTerms } from './narrative-terms.js';

/** Kinds that the macro measures read, except posts: those are counted by the week. */
export const MACRO_KINDS = ['asset', 'split', 'price', 'series'] as const satisfies readonly FactKind[];

const KINDS: ReadonlySet<FactKind> = new Set(MACRO_KINDS);

export function isMacro({ body }: Fact): boolean {
  return KINDS.has(body.kind);
}

/** A state with the number of facts behind it: what a receipt says of an edition. */
export class MacroRecord {
  readonly state = new MacroState();
  #facts = 0;
  #backfilled = 0;
  #firstKnownAt = Number.POSITIVE_INFINITY;

  get facts(): number {
    return this.#facts;
  }

  get backfilled(): number {
    return this.#backfilled;
  }

  /** The smallest `knownAt` taken; Infinity before the first. */
  get firstKnownAt(): number {
    return this.#firstKnownAt;
  }

  take(facts: readonly Fact[]): void {
    this.state.take(facts);
    this.#facts += facts.length;
    for (const { backfilled, knownAt } of facts) {
      if (backfilled) this.#backfilled += 1;
      this.#firstKnownAt = Math.min(this.#firstKnownAt, knownAt);
    }
  }

  takeTerms(weeks: readonly WeekTerms[]): void {
    this.state.takeTermCounts(weeks);
    for (const { posts, backfilled } of weeks) {
      this.#facts += posts;
      this.#backfilled += backfilled;
    }
  }
}

/** `rest` is awaited between two pages: twenty years of facts are read without holding anybody up. */
export async function recallMacro(
  reader: Pick<FactReader, 'facts'>,
  knowledge: Knowledge,
  terms: readonly WeekTerms[],
  rest: () => Promise<void> = async () => {},
): Promise<MacroRecord> {
  const record = new MacroRecord();
  record.takeTerms(terms);
  for (const kind of MACRO_KINDS) {
    for await (const facts of reader.facts(kind, knowledge)) {
      record.take(facts);
      await rest();
    }
  }
  return record;
}
