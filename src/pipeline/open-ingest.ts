// Makes an archive ready to take facts: with the measures fed along, or, for an import, without them.
import type { AttentionState } from '../domain/attention/attention-state.js';
import { NarrativeIndex } from '../domain/attention/narrative-index.js';
import { ATTENTION } from '../domain/attention/parameters.js';
import { postKey } from '../domain/attention/post-facts.js';
import { recallAttention } from '../domain/attention/recall.js';
import type { Fact } from '../domain/facts/fact.js';
import type { Clock, Instant } from '../kernel/instant.js';
import type { ArchiveWriter } from '../ports/archive.js';
import { IdentityGate } from './identity-gate.js';
import { createIngest, type Ingest } from './ingest.js';

/** The recorder's: every appended fact reaches the state that frames are made from, beginning at `startAt`. */
export async function openMeasuringIngest(
  archive: ArchiveWriter,
  authorSecret: Uint8Array,
  clock: Clock,
  startAt: Instant,
): Promise<{ ingest: Ingest; state: AttentionState }> {
  const narratives = new NarrativeIndex();
  const { lastKnownAt } = await archive.extent();
  const knownBy = Math.max(clock(), lastKnownAt ?? 0);
  const state = await recallAttention(archive, { knownBy, startAt }, (posts) => restore(narratives, posts));
  const take = (facts: readonly Fact[]): void => state.take(facts);
  // Read when the first identity event arrives: most starts bring none.
  let gate: Promise<IdentityGate> | undefined;
  const identities = (): Promise<IdentityGate> => {
    gate ??= IdentityGate.open(archive, clock);
    return gate;
  };
  return {
    ingest: createIngest({
      archive,
      universe: state.book,
      take,
      narratives,
      authorSecret,
      clock,
      identities,
    }),
    state,
  };
}

/**
 * An import's: it makes no frames, so it keeps nothing of a post, and its memory does not grow with the file. Identity
 * events were admitted line by line, so that a refusal can name its line.
 */
export async function openImportIngest(
  archive: ArchiveWriter,
  authorSecret: Uint8Array,
  clock: Clock,
): Promise<Ingest> {
  const narratives = new NarrativeIndex();
  const universe = new Set<string>();
  const take = (facts: readonly Fact[]): void => {
    for (const { body } of facts) if (body.kind === 'asset') universe.add(body.ticker);
  };
  const { lastKnownAt } = await archive.extent();
  if (lastKnownAt !== null) {
    for await (const facts of archive.facts('asset', { knownBy: lastKnownAt })) take(facts);
    const lastDay = { knownBy: lastKnownAt, after: lastKnownAt - ATTENTION.window };
    for await (const posts of archive.facts('post', lastDay)) restore(narratives, posts);
  }
  return createIngest({ archive, universe, take, narratives, authorSecret, clock });
}

function restore(narratives: NarrativeIndex, posts: readonly Fact[]): void {
  for (const { body, knownAt } of posts) {
    if (body.kind === 'post') narratives.restore(postKey(body), body.narrative, body.shingles, knownAt);
  }
}
