// Answers the hub identity cohort at any point of the plane, from a register that follows the archive.

import { Failure } from '../../contracts/failures.js';
import type { InputOf } from '../../contracts/operation.js';
import { HubPitIdentityCohort, type hubPitIdentityCohort } from '../../contracts/research/cohort.js';
import { cohortBytes } from '../../domain/research/cohort.js';
import type { Holdings } from '../../domain/research/holdings.js';
import { Register } from '../../domain/research/register.js';
import type { Clock, Instant } from '../../kernel/instant.js';
import { EARLIEST, LATEST, parseInstant } from '../../kernel/instant.js';
import { readLater } from '../../kernel/json-body.js';
import { Turnstile } from '../../kernel/turnstile.js';
import type { ArchiveReader } from '../../ports/archive.js';

/** The register in memory. It is read at the first question, and then only what the archive has got since. */
class FollowedRegister {
  readonly #archive: ArchiveReader;
  readonly #register = new Register();
  readonly #turnstile = new Turnstile();
  #highWater = 0;

  constructor(archive: ArchiveReader) {
    this.#archive = archive;
  }

  async read(): Promise<Holdings> {
    const { highWater } = await this.#archive.extent();
    if (highWater > this.#highWater) await this.#turnstile.pass(() => this.#follow(highWater));
    return this.#register.holdings;
  }

  async #follow(highWater: number): Promise<void> {
    if (highWater <= this.#highWater) return;
    // Nothing is stored as known before what the register knows already; at that very instant there may be more.
    const after = Math.max(this.#register.newestKnownAt, EARLIEST) - 1;
    for await (const facts of this.#archive.facts('identity', {
      // All of it: what a packet may show is cut at its own instant of knowledge.
      knownBy: LATEST,
      after,
      upToSequence: highWater,
    })) {
      for (const { body, knownAt, sequence } of facts) {
        // What the register refuses was let in by somebody else's program: it stays out of every packet.
        if (sequence > this.#highWater) this.#register.take(body, knownAt);
      }
    }
    this.#highWater = highWater;
  }
}

const MEMBERS = Object.keys(HubPitIdentityCohort.shape) as (keyof HubPitIdentityCohort)[];

export function cohortAnswer({ archive, clock }: { readonly archive: ArchiveReader; readonly clock: Clock }) {
  const register = new FollowedRegister(archive);
  return async ({
    as_of,
    as_known_at,
  }: InputOf<typeof hubPitIdentityCohort>): Promise<HubPitIdentityCohort> => {
    const now = clock();
    const read = (text: string | undefined): Instant => {
      const at = text === undefined ? now : parseInstant(text);
      if (at === null || at > now) throw new Failure('as_of_out_of_range');
      return at;
    };
    const point = { asOf: read(as_of), knownAt: read(as_known_at) };
    return readLater<HubPitIdentityCohort>(cohortBytes(await register.read(), point), MEMBERS);
  };
}
