// Turns what is known into what is said: the weeks of terms that have ended, and the edition where it says something new.
import type { Fact } from '../domain/facts/fact.js';
import type { Stated, Statement } from '../domain/facts/statement.js';
import { composeEdition, type MacroEdition, macroStatement } from '../domain/macro/edition.js';
import {
  readTermStatement,
  type SpokenPost,
  spokenIn,
  TermTally,
  termStatement,
  type WeekTerms,
} from '../domain/macro/narrative-terms.js';
import { isMacro, type MacroRecord, recallMacro } from '../domain/macro/recall.js';
import { weekStep } from '../domain/macro/sessions.js';
import { DAY, type Instant, LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import { type Pace, pacedBy } from './paced.js';

/** Facts as far as the macro measures need them. */
export interface MacroNews {
  readonly facts: readonly Fact[];
  readonly posts: readonly SpokenPost[];
}

export function newsIn(facts: readonly Fact[]): MacroNews {
  return { facts: facts.filter(isMacro), posts: spokenIn(facts) };
}

/** Days of decisions taken in one slice. */
const STRIDE = 20 * DAY;
const TERMS_PER_READ = 1_000;

export class MacroTeller {
  readonly #record: MacroRecord;
  readonly #tally: TermTally;
  readonly #pace: Pace;
  /** Content of the edition in force; null before the first. */
  #content: string | null;
  /** The daily decisions are taken up to here. */
  #reached = Number.NEGATIVE_INFINITY;

  private constructor(record: MacroRecord, tally: TermTally, content: string | null, pace: Pace) {
    this.#record = record;
    this.#tally = tally;
    this.#content = content;
    this.#pace = pace;
  }

  /** Takes up where the last statement ended, knowing what was known by the instant up to the sequence. */
  static async open(
    archive: ArchiveReader,
    known: { readonly knownBy: Instant; readonly upToSequence: number },
    pace: Pace = pacedBy(),
  ): Promise<MacroTeller> {
    const terms = await statedTerms(archive);
    const record = await recallMacro(archive, known, terms, () => pace.rest());
    const lastWeek = terms.at(-1)?.week;
    const tally = new TermTally(lastWeek);
    const unstated = lastWeek === undefined ? known : { ...known, after: weekStep(lastWeek) };
    for await (const posts of archive.facts('post', unstated)) {
      tally.count(spokenIn(posts));
      await pace.rest();
    }
    const standing = await newestEdition(archive);
    const content = standing?.body['content_sha256'];
    return new MacroTeller(record, tally, typeof content === 'string' ? content : null, pace);
  }

  /** Takes what is new and known by the instant that is told next. */
  take({ facts, posts }: MacroNews): void {
    this.#tally.count(posts);
    this.#record.take(facts);
    for (const { knownAt } of facts) if (knownAt <= this.#reached) this.#reached = Number.NEGATIVE_INFINITY;
  }

  /** What is to be stated for the instant: ended weeks first, then the edition unless it repeats the one in force. */
  async tell(at: Instant, highWater: number): Promise<Statement[]> {
    const weeks = this.#tally.close(at);
    this.#record.takeTerms(weeks);
    if (weeks.some(({ week }) => weekStep(week) <= this.#reached)) this.#reached = Number.NEGATIVE_INFINITY;
    const { facts, backfilled } = this.#record;
    const statement = macroStatement(await this.#compose(at), { highWater, facts, backfilled });
    const said = weeks.map((week) => termStatement(week, highWater));
    const content = statement.body['content_sha256'] as string;
    if (content !== this.#content) said.push(statement);
    this.#content = content;
    return said;
  }

  async #compose(at: Instant): Promise<MacroEdition> {
    const { state, firstKnownAt } = this.#record;
    // After a late fact the decisions of twenty years are taken anew: a stride at a time.
    for (let to = Math.max(this.#reached, firstKnownAt); to < at; to += STRIDE) {
      state.stepAt(to);
      await this.#pace.rest();
    }
    this.#reached = at;
    return this.#pace.run(composeEdition(state, at));
  }
}

async function statedTerms(archive: ArchiveReader): Promise<WeekTerms[]> {
  const weeks: WeekTerms[] = [];
  for (let afterIndex = -1; ; ) {
    const query = { kind: 'narrative_terms', knownBy: LATEST, afterIndex, limit: TERMS_PER_READ } as const;
    const page = await archive.statements(query);
    weeks.push(...page.map(readTermStatement));
    if (page.length < TERMS_PER_READ) return weeks;
    afterIndex = page.at(-1)!.index;
  }
}

export async function newestEdition(archive: ArchiveReader): Promise<Stated | null> {
  const [newest] = await archive.statements({ kind: 'macro_frame', knownBy: LATEST, newest: true, limit: 1 });
  return newest ?? null;
}
