// What changed from one stated edition to the next, worked out once per pair.
import type { Stated } from '../../domain/facts/statement.js';
import { changesBetween } from '../../domain/macro/changes.js';
import { readMacroEdition } from '../../domain/macro/edition.js';
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import type { Instant } from '../../kernel/instant.js';
import { LATEST } from '../../kernel/instant.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { ChangesAt } from './macro-desk.js';

const PAGE = 500;

export class StatedChanges {
  readonly #archive: ArchiveReader;
  /** By the place of the later edition in the log. */
  readonly #known = new Map<number, ChangesAt>();
  #last: { readonly index: number; readonly frame: MacroFrame } | null = null;

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  /** Changes with `from` < at ≤ `to`, and the instant of the first edition that they are told from. */
  async between(
    from: Instant,
    to: Instant,
  ): Promise<{ beginsAt: Instant | null; changes: readonly ChangesAt[] }> {
    const editions = await this.#editions(from, to);
    const changes: ChangesAt[] = [];
    for (let i = 1; i < editions.length; i += 1) {
      changes.push(await this.#against(editions[i - 1]!, editions[i]!));
    }
    return { beginsAt: editions[0]?.at ?? null, changes };
  }

  /** Those of the span, after the one that stood when it began. */
  async #editions(from: Instant, to: Instant): Promise<Stated[]> {
    const every = { kind: 'macro_frame', knownBy: LATEST } as const;
    const found = [...(await this.#archive.statements({ ...every, to: from, newest: true, limit: 1 }))];
    for (let afterIndex = found[0]?.index ?? -1; ; ) {
      const page = await this.#archive.statements({ ...every, from: from + 1, to, afterIndex, limit: PAGE });
      found.push(...page);
      if (page.length < PAGE) return found.sort((a, b) => a.at - b.at);
      afterIndex = page.at(-1)!.index;
    }
  }

  async #against(before: Stated, after: Stated): Promise<ChangesAt> {
    const known = this.#known.get(after.index);
    if (known) return known;
    const earlier = this.#last?.index === before.index ? this.#last.frame : await this.#frame(before);
    const frame = await this.#frame(after);
    this.#last = { index: after.index, frame };
    const made = { at: after.at, changes: changesBetween(earlier, frame) };
    this.#known.set(after.index, made);
    return made;
  }

  async #frame(stated: Stated): Promise<MacroFrame> {
    const text = await this.#archive.attachment(stated.index);
    return readMacroEdition(stated, text ?? '').frame;
  }
}
