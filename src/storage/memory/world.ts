// The facts and frames of one archive in memory, kept in the order of knowledge.
import type { Emitted } from '../../domain/facts/emission.js';
import type { Fact, FactKind, FactOf } from '../../domain/facts/fact.js';
import type { RecordedHeader, Row } from '../../domain/facts/frame.js';
import type { Knowledge } from '../../domain/facts/knowledge.js';
import type { Instant } from '../../kernel/instant.js';
import { EMPTY_TAIL, naturalKey, type Stored, type Tail, tickersIn, type Version } from '../stamping.js';
import { MemoryLog } from './log.js';
import { firstAfter } from './ordered.js';

export interface RecordedFrame {
  readonly header: RecordedHeader;
  readonly rows: readonly Row[];
}

export class World implements Stored {
  readonly frames: RecordedFrame[] = [];
  readonly emitted: Emitted[] = [];
  readonly log = new MemoryLog();
  readonly slots = new Map<string, number>();
  readonly cursors = new Map<string, string>();
  tail: Tail = EMPTY_TAIL;
  firstKnownAt: Instant | null = null;
  lastKnownAt: Instant | null = null;

  readonly #facts = new Map<FactKind, Fact[]>();
  readonly #postsAbout = new Map<string, FactOf<'post'>[]>();
  readonly #versions = new Map<string, Version[]>();
  readonly #posts = new Map<string, Set<string>>();

  seenPost(provider: string, id: string): boolean {
    return this.#posts.get(provider)?.has(id) ?? false;
  }

  versions(key: string): readonly Version[] {
    return this.#versions.get(key) ?? [];
  }

  /** Takes what was stamped; nothing here can fail half-way. */
  take(facts: readonly Fact[], tail: Tail): void {
    this.tail = tail;
    for (const fact of facts) {
      this.#index(fact);
      for (const ticker of tickersIn(fact.body)) this.giveSlot(ticker);
      insert(entry(this.#facts, fact.body.kind), fact);
      if (this.firstKnownAt === null || fact.knownAt < this.firstKnownAt) this.firstKnownAt = fact.knownAt;
      if (this.lastKnownAt === null || fact.knownAt > this.lastKnownAt) this.lastKnownAt = fact.knownAt;
    }
  }

  giveSlot(ticker: string): void {
    if (!this.slots.has(ticker)) this.slots.set(ticker, this.slots.size);
  }

  known<K extends FactKind>(kind: K, knowledge: Knowledge): FactOf<K>[] {
    return within((this.#facts.get(kind) ?? []) as FactOf<K>[], knowledge);
  }

  knownAbout(ticker: string, knowledge: Knowledge): FactOf<'post'>[] {
    return within(this.#postsAbout.get(ticker) ?? [], knowledge);
  }

  /** The last frame at or before the instant. */
  frameAt(at: Instant): RecordedFrame | undefined {
    return this.frames[firstAfter(this.frames, (frame) => frame.header.at > at) - 1];
  }

  #index(fact: Fact): void {
    if (!isPost(fact)) {
      entry(this.#versions, naturalKey(fact)).push(fact);
      return;
    }
    const { provider, id } = fact.body;
    this.#posts.set(provider, (this.#posts.get(provider) ?? new Set()).add(id));
    for (const ticker of new Set(tickersIn(fact.body))) insert(entry(this.#postsAbout, ticker), fact);
  }
}

const isPost = (fact: Fact): fact is FactOf<'post'> => fact.body.kind === 'post';

function entry<K, V>(map: Map<K, V[]>, key: K): V[] {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made: V[] = [];
  map.set(key, made);
  return made;
}

/** Live facts go to the end; only what is dated back has to move its followers. */
function insert<F extends Fact>(facts: F[], fact: F): void {
  const place = firstAfter(facts, (other) => other.knownAt > fact.knownAt);
  if (place === facts.length) facts.push(fact);
  else facts.splice(place, 0, fact);
}

/** A copy: what is appended while a reader walks it stays out of its sight. */
function within<F extends Fact>(facts: readonly F[], { knownBy, after, upToSequence }: Knowledge): F[] {
  const from = after === undefined ? 0 : firstAfter(facts, (fact) => fact.knownAt > after);
  const to = firstAfter(facts, (fact) => fact.knownAt > knownBy);
  const cut = facts.slice(from, Math.max(from, to));
  return upToSequence === undefined ? cut : cut.filter((fact) => fact.sequence <= upToSequence);
}
