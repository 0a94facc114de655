// Recomputes stated macro editions from the facts they could see and compares fingerprints.
import type { Stated, StatementKind } from '../domain/facts/statement.js';
import { editionAt, type MacroStatementBody, macroStatement } from '../domain/macro/edition.js';
import {
  readTermStatement,
  spokenIn,
  type TermsBody,
  TermTally,
  termStatement,
} from '../domain/macro/narrative-terms.js';
import { MACRO_KINDS, MacroRecord } from '../domain/macro/recall.js';
import { lastWeekBy, weekStep } from '../domain/macro/sessions.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { sha256Hex } from '../kernel/fingerprint.js';
import { type Instant, LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

export interface VerifySpan {
  readonly from: Instant;
  readonly to: Instant;
  /** An even sample of this many where there are more. */
  readonly most?: number;
}

export interface MacroCheck {
  readonly what: 'edition' | 'terms';
  readonly at: Instant;
  readonly recorded: string;
  /** Fingerprint of the text that the archive gives back. */
  readonly stored: string;
  /** Fingerprint of what was computed anew from the facts. */
  readonly recomputed: string;
  readonly agrees: boolean;
}

const STATED_PER_READ = 1_000;
const ALWAYS = { from: 0, to: LATEST };

/** Checks every edition of the span, or an even sample of them, and then every week of terms. */
export async function* verifyMacro(archive: ArchiveReader, span: VerifySpan): AsyncIterable<MacroCheck> {
  const terms = await statedIn(archive, 'narrative_terms', ALWAYS);
  const editions = new EditionCheck(archive, terms);
  for (const stated of sampled(await statedIn(archive, 'macro_frame', span), span.most))
    yield await editions.check(stated);
  const within = terms.filter(({ at }) => at >= span.from && at <= span.to);
  for (const stated of sampled(within, span.most)) yield await checkTerms(archive, stated);
}

/** One state for all editions in the order of the log: each sees what it could see, and nothing is read twice as new. */
class EditionCheck {
  readonly #archive: ArchiveReader;
  readonly #terms: readonly Stated[];
  readonly #record = new MacroRecord();
  #at = Number.NEGATIVE_INFINITY;
  #highWater = 0;
  #termsTaken = 0;

  constructor(archive: ArchiveReader, terms: readonly Stated[]) {
    this.#archive = archive;
    this.#terms = terms;
  }

  async check({ at, index, body }: Stated): Promise<MacroCheck> {
    const { fingerprint, high_water: highWater } = body as MacroStatementBody;
    await this.#advance(at, highWater);
    const taken = this.#termsTaken;
    while (this.#termsTaken < this.#terms.length && this.#terms[this.#termsTaken]!.index < index)
      this.#termsTaken += 1;
    this.#record.takeTerms(this.#terms.slice(taken, this.#termsTaken).map(readTermStatement));
    const { facts, backfilled, state } = this.#record;
    const again = macroStatement(editionAt(state, at), { highWater, facts, backfilled });
    const attachment = await this.#archive.attachment(index);
    const stored = attachment === null ? 'missing' : `sha256:${sha256Hex(attachment)}`;
    const recomputed = again.body['fingerprint'] as string;
    // What the leaf says of the facts must be true as well.
    const agrees = stored === fingerprint && canonicalJson(again.body) === canonicalJson(body);
    return { what: 'edition', at, recorded: fingerprint, stored, recomputed, agrees };
  }

  async #advance(at: number, highWater: number): Promise<void> {
    // Under the same sequence only later facts are new; under a higher one, also what was backfilled since.
    const after = highWater === this.#highWater && this.#at >= 0 ? { after: this.#at } : {};
    for (const kind of MACRO_KINDS) {
      for await (const facts of this.#archive.facts(kind, {
        knownBy: at,
        upToSequence: highWater,
        ...after,
      })) {
        const isNew = facts.filter((fact) => fact.sequence > this.#highWater || fact.knownAt > this.#at);
        this.#record.take(isNew);
      }
    }
    this.#at = at;
    this.#highWater = highWater;
  }
}

function* sampled<T>(all: readonly T[], most = Number.POSITIVE_INFINITY): Generator<T> {
  const step = Math.max(1, all.length / most);
  for (let i = 0; i < all.length; i += step) yield all[Math.floor(i)]!;
}

/** A week of terms from the posts that had become known in it when it was stated. */
async function checkTerms(archive: ArchiveReader, { at, body }: Stated): Promise<MacroCheck> {
  const { high_water: highWater } = body as TermsBody;
  const tally = new TermTally();
  const known = { knownBy: at, after: weekStep(lastWeekBy(at) - 1), upToSequence: highWater };
  for await (const posts of archive.facts('post', known)) tally.count(spokenIn(posts));
  const [counted] = tally.close(at);
  const recorded = sha256Of(body);
  const recomputed = counted ? sha256Of(termStatement(counted, highWater).body) : 'no posts';
  return { what: 'terms', at, recorded, stored: recorded, recomputed, agrees: recomputed === recorded };
}

const sha256Of = (body: Stated['body']): string => `sha256:${sha256Hex(canonicalJson(body))}`;

async function statedIn(
  archive: ArchiveReader,
  kind: StatementKind,
  { from, to }: Pick<VerifySpan, 'from' | 'to'>,
): Promise<Stated[]> {
  const found: Stated[] = [];
  for (let afterIndex = -1; ; ) {
    const page = await archive.statements({
      kind,
      knownBy: LATEST,
      from,
      to,
      afterIndex,
      limit: STATED_PER_READ,
    });
    found.push(...page);
    if (page.length < STATED_PER_READ) return found;
    afterIndex = page.at(-1)!.index;
  }
}
