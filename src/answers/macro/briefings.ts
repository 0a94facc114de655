// Briefings, worked out once per edition and shared by the answers that are made from them.
import type { Briefing } from '../../domain/macro/briefing.js';
import type { Instant } from '../../kernel/instant.js';
import type { Editions } from './editions.js';

const KEPT = 8;

export class Briefings {
  readonly #editions: Editions;
  readonly #kept = new Map<Instant, Promise<Briefing>>();

  constructor(editions: Editions) {
    this.#editions = editions;
  }

  at(instant: Instant): Promise<Briefing> {
    const kept = this.#kept.get(instant);
    if (kept) return kept;
    const made = this.#editions.atDesk((desk) => desk.briefing(instant));
    if (this.#kept.size >= KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(instant, made);
    // A failed one is forgotten, so that the next question tries again.
    made.catch(() => this.#kept.delete(instant));
    return made;
  }
}
