// Lets only such events into the archive as the identity register can take: what breaks an invariant stays outside.
import type { Report } from '../domain/facts/fact.js';
import type { Identity } from '../domain/facts/identity.js';
import { Register } from '../domain/research/register.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { EARLIEST } from '../kernel/instant.js';
import { textKey } from '../kernel/text-key.js';
import type { ArchiveReader } from '../ports/archive.js';

export class IdentityGate {
  readonly #clock: Clock;
  readonly #register = new Register();
  readonly #seen = new Map<string, number>();
  #reached: Instant = EARLIEST;

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  static async open(archive: ArchiveReader, clock: Clock): Promise<IdentityGate> {
    const gate = new IdentityGate(clock);
    const { lastKnownAt } = await archive.extent();
    if (lastKnownAt === null) return gate;
    for await (const facts of archive.facts('identity', { knownBy: lastKnownAt })) {
      for (const { body, knownAt, backfilled } of facts) {
        gate.#seen.set(body.id, textKey(body.event));
        gate.#register.take(body, knownAt);
        if (!backfilled) gate.reach(knownAt);
      }
    }
    return gate;
  }

  /** The report as it may be stored, with the instant from which the register counts it as known; or why not. */
  admit(report: Report<Identity>): { readonly report: Report<Identity>; readonly knownAt: Instant } | string {
    const { body, releasedAt } = report;
    const key = textKey(body.event);
    const seen = this.#seen.get(body.id);
    const knownAt = releasedAt ?? Math.max(this.#clock(), this.#reached);
    const dated = report.effectiveAt === EARLIEST ? { ...report, effectiveAt: knownAt } : report;
    // What is stored already is dropped by the archive.
    if (seen !== undefined)
      return seen === key ? { report: dated, knownAt } : 'event_id is taken by another event';
    if (knownAt < this.#reached) return 'known_at lies before what the register already knows';
    const fault = this.#register.take(body, knownAt);
    if (fault !== null) return fault;
    this.#seen.set(body.id, key);
    if (releasedAt === undefined) this.reach(knownAt);
    return { report: dated, knownAt };
  }

  /** Something arrived live and was stored as known at the instant, which may lie after the one it was admitted with. */
  reach(knownAt: Instant): void {
    this.#reached = Math.max(this.#reached, knownAt + 1);
  }
}
