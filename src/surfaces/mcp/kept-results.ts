// Whole results kept until the next frame, by tool and exact arguments, so that a hot call costs almost nothing.
import type { ToolResult } from './tool-result.js';

const MOST_RESULTS = 500;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Also without a new frame: a late one must be called stale in time. */
const KEPT_FOR_MS = 5_000;

interface Kept {
  readonly result: ToolResult;
  readonly staleAt: number;
}

export class KeptResults {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;
  #generation = 0;

  /** Changes with every frame; a result that was begun before the frame must not be kept after it. */
  get generation(): number {
    return this.#generation;
  }

  find(key: string): ToolResult | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && performance.now() < kept.staleAt ? kept.result : undefined;
  }

  keep(key: string, result: ToolResult, generation: number): void {
    if (generation !== this.#generation || result.size > MOST_CHARACTERS) return;
    this.#drop(key);
    this.#characters += result.size;
    this.#kept.set(key, { result, staleAt: performance.now() + KEPT_FOR_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_RESULTS && this.#characters <= MOST_CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  forget(): void {
    this.#generation += 1;
    this.#characters = 0;
    this.#kept.clear();
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#characters -= kept.result.size;
    this.#kept.delete(key);
  }
}
