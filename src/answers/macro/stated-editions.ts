// Reads editions back from the log: the newest, or the one that stood at an instant.
import type { Stated } from '../../domain/facts/statement.js';
import { type MacroStatementBody, readMacroEdition } from '../../domain/macro/edition.js';
import { MACRO_KINDS } from '../../domain/macro/recall.js';
import type { Instant } from '../../kernel/instant.js';
import { LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { FixtureCheck } from './fixture-check.js';
import { HeldEdition } from './held-edition.js';

const KEPT = 8;

export class StatedEditions {
  readonly #archive: ArchiveReader;
  readonly #fixture: FixtureCheck;
  readonly #kept = new Map<number, HeldEdition>();

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
    this.#fixture = new FixtureCheck(archive);
  }

  isFixture(): Promise<boolean> {
    return this.#fixture.isFixture();
  }

  /** The newest edition about the instant or an earlier one. */
  async at(instant: Instant): Promise<HeldEdition | null> {
    // By its own instant, not by when it was stated: an edition answers for its boundary from the boundary on.
    const [stated] = await this.#archive.statements({
      kind: 'macro_frame',
      knownBy: LATEST,
      to: instant,
      newest: true,
      limit: 1,
    });
    return stated === undefined ? null : this.#hold(stated);
  }

  newest(): Promise<HeldEdition | null> {
    return this.at(LATEST);
  }

  /** Whether a fact that editions are made from became known with `after` < known ≤ `by`. */
  async isNewsBetween(after: Instant, by: Instant): Promise<boolean> {
    if (after >= by) return false;
    for (const kind of MACRO_KINDS) {
      for await (const facts of this.#archive.facts(kind, { after, knownBy: by }))
        if (facts.length > 0) return true;
    }
    return false;
  }

  async #hold(stated: Stated): Promise<HeldEdition | null> {
    const kept = this.#kept.get(stated.index);
    if (kept) return kept;
    const [text, isFixture] = await Promise.all([
      this.#archive.attachment(stated.index),
      this.#fixture.isFixture(),
    ]);
    if (text === null) return null;
    const body = stated.body as MacroStatementBody;
    const held = new HeldEdition(readMacroEdition(stated, text), {
      logIndex: stated.index,
      highWater: body.high_water,
      knowledge: body.knowledge,
      modelVersion: body.version,
      modelSha256: body.model_sha256,
      isFixture,
    });
    if (this.#kept.size >= KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(stated.index, held);
    return held;
  }
}
