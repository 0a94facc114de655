// Rebuilds the state of the attention measures from the facts known by an instant.
import type { Instant } from '../../kernel/instant.js';
import { DAY, HOUR } from '../../kernel/instant.js';
import type { Fact } from '../facts/fact.js';
import type { FactReader, Knowledge } from '../facts/knowledge.js';
import { AttentionState } from './attention-state.js';
import { HourlyHistory } from './hourly-history.js';
import { MEASURES } from './measure-parameters.js';
import { MentionHistory } from './mention-history.js';
import { ATTENTION } from './parameters.js';
import { SourceLedger } from './source-set.js';

type Bound = Omit<Knowledge, 'after'>;

export interface Recall extends Bound {
  /** Frames can be asked for from here on; the last instant of what is known when absent. */
  readonly startAt?: Instant;
}

/**
 * `seen` is shown every batch of window posts: the recorder restores its narrative index from them.
 * The result gives the same frames as a state that took all facts live.
 */
export async function recallAttention(
  reader: FactReader,
  { knownBy, upToSequence, startAt = knownBy }: Recall,
  seen: (posts: readonly Fact[]) => void = () => {},
): Promise<AttentionState> {
  const state = new AttentionState(startAt);
  const bound: Bound = upToSequence === undefined ? { knownBy } : { knownBy, upToSequence };
  for (const kind of ['asset', 'shares', 'split'] as const) {
    for await (const facts of reader.facts(kind, bound)) state.restore(facts);
  }
  const closes = { ...bound, after: startAt - ATTENTION.denominator.oldestClose - DAY };
  for await (const facts of reader.facts('price', closes)) state.restore(facts);
  await recallSources(state.sources, reader, bound, startAt);
  await recallHistory(state.history, reader, bound, startAt);
  const inWindow = { ...bound, after: startAt - ATTENTION.window };
  for await (const facts of reader.facts('post', inWindow)) {
    state.restore(facts);
    for (const { source, knownAt } of facts) state.sources.heard(source, knownAt);
    seen(facts);
  }
  for await (const facts of reader.facts('count', inWindow)) state.restore(facts);
  return state;
}

/** Weeks of hours, then the last hours in small steps, then the counts of sources that show no posts. */
async function recallHistory(
  history: MentionHistory,
  reader: FactReader,
  bound: Bound,
  startAt: Instant,
): Promise<void> {
  const { hours, steps } = HourlyHistory.spans(startAt);
  for (const [span, bucket] of [
    [hours, HOUR],
    [{ after: steps.after }, MEASURES.history.step],
  ] as const) {
    for (const { source, ticker, bucketStart, posts } of await reader.mentionCounts(
      { ...bound, ...span },
      bucket,
    )) {
      history.add(source, ticker, bucketStart, posts);
    }
  }
  const counts = { ...bound, after: startAt - MentionHistory.countSpan };
  for await (const facts of reader.facts('count', counts)) for (const fact of facts) history.addCount(fact);
}

/** Volumes are needed for the days on which a newcomer warmed up, and for the days just past. */
async function recallSources(
  ledger: SourceLedger,
  reader: FactReader,
  bound: Bound,
  startAt: Instant,
): Promise<void> {
  const starts = await reader.sourceStarts(bound);
  for (const { source, firstKnownAt } of starts) ledger.began(source, firstKnownAt);
  const recent = { after: startAt - ATTENTION.sourceLevelWindow - DAY, knownBy: bound.knownBy };
  const first = Math.min(...starts.map(({ firstKnownAt }) => firstKnownAt));
  const spans = starts
    .filter(({ firstKnownAt }) => firstKnownAt > first + ATTENTION.foundingGrace)
    .map(({ firstKnownAt }) => SourceLedger.levelDays(firstKnownAt))
    .filter(({ after }) => after < bound.knownBy);
  for (const span of merged([recent, ...spans], bound.knownBy)) {
    for (const { source, bucketStart, posts } of await reader.mentionCounts({ ...bound, ...span }, DAY)) {
      ledger.count(source, bucketStart, posts);
    }
    for await (const facts of reader.facts('count', { ...bound, ...span })) {
      for (const { source, knownAt, body } of facts) ledger.countAggregate(source, knownAt, body.posts);
    }
  }
}

interface Span {
  readonly after: Instant;
  readonly knownBy: Instant;
}

/** Whole days, no day twice: each volume is counted once. */
function merged(spans: readonly Span[], knownBy: Instant): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.after - b.after)) {
    const after = Math.floor((span.after + 1) / DAY) * DAY - 1;
    const last = joined.at(-1);
    if (last && after <= last.knownBy) {
      joined[joined.length - 1] = {
        after: last.after,
        knownBy: Math.min(knownBy, Math.max(last.knownBy, span.knownBy)),
      };
    } else {
      joined.push({ after, knownBy: Math.min(knownBy, span.knownBy) });
    }
  }
  return joined;
}
