// An edition as answers hold it: its scores by ticker, how it came about, and whether its data are synthetic.
import type { AssetScore } from '../../domain/macro/asset-scorer.js';
import type { MacroEdition } from '../../domain/macro/edition.js';
import type { MacroFrame } from '../../domain/macro/macro-frame.js';
import type { Theme } from '../../domain/macro/themes.js';
import type { Instant } from '../../kernel/instant.js';

/** What an edition was made from. */
export interface EditionOrigin {
  /** Place in the log; null where it was computed on demand. */
  readonly logIndex: number | null;
  readonly highWater: number | null;
  readonly knowledge: 'observed' | 'simulated';
  readonly modelVersion: string;
  readonly modelSha256: string;
  readonly isFixture: boolean;
}

export class HeldEdition {
  readonly frame: MacroFrame;
  readonly origin: EditionOrigin;
  readonly #scores: ReadonlyMap<string, AssetScore>;
  readonly #themes: ReadonlyMap<string, readonly Theme[]>;

  constructor({ frame, scores, themes }: MacroEdition, origin: EditionOrigin) {
    this.frame = frame;
    this.origin = origin;
    this.#scores = new Map(scores.map((score) => [score.ticker, score]));
    this.#themes = themes;
  }

  get at(): Instant {
    return this.frame.at;
  }

  score(ticker: string): AssetScore | undefined {
    return this.#scores.get(ticker);
  }

  /** Undefined for a ticker of which nothing was known. */
  themes(ticker: string): readonly Theme[] | undefined {
    return this.#scores.has(ticker) ? (this.#themes.get(ticker) ?? []) : undefined;
  }
}
