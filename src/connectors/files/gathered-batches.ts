// Joins small batches of a file into ones that store well: every append waits once for the disk.
import type { FactBatch } from './read-fact-file.js';

const WORTH_STORING = 4_000;

/** A fault comes after everything that was read before it. */
export async function* gathered(batches: AsyncIterable<FactBatch>): AsyncGenerator<FactBatch> {
  let held: FactBatch | null = null;
  try {
    for await (const batch of batches) {
      held = held ? joined(held, batch) : batch;
      if (held.posts.length + held.facts.length + held.rejected.length < WORTH_STORING) continue;
      const ready = held;
      held = null;
      yield ready;
    }
  } catch (error) {
    if (held) yield held;
    throw error;
  }
  if (held) yield held;
}

/** Counts of lines and bytes run from the beginning of the file, so the later ones hold. */
function joined(first: FactBatch, then: FactBatch): FactBatch {
  return {
    ...then,
    posts: [...first.posts, ...then.posts],
    facts: [...first.facts, ...then.facts],
    rejected: [...first.rejected, ...then.rejected],
  };
}
