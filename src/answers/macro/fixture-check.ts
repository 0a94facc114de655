// Whether an archive holds synthetic series: what is measured from them never passes for anything else.
import { LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';

export class FixtureCheck {
  readonly #archive: ArchiveReader;
  #answer: Promise<boolean | null> | null = null;

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  async isFixture(): Promise<boolean> {
    this.#answer ??= this.#look();
    const found = await this.#answer.catch((error: unknown) => {
      this.#answer = null;
      throw error;
    });
    // While there is nothing to look at, the next question looks again.
    if (found === null) this.#answer = null;
    return found ?? false;
  }

  /** By the first facts: an archive that began as a fixture stays one. */
  async #look(): Promise<boolean | null> {
    for (const kind of ['series', 'price'] as const) {
      for await (const facts of this.#archive.facts(kind, { knownBy: LATEST })) {
        if (facts.length > 0) return facts.some(({ source }) => source.startsWith('fixture'));
      }
    }
    return null;
  }
}
