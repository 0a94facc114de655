// Who passes on whom: authors as numbered nodes, interactions as decaying edges, in the order in which they became known.
import { DAY, type Instant } from '../../../kernel/instant.js';
import type { WeightedGraph } from '../../../kernel/statistics/sparse-graph.js';
import { textKey } from '../../../kernel/text-key.js';
import type { FactOf } from '../../facts/fact.js';
import { REPUTATION } from '../parameters.js';

/** Node numbers stay below this, so that a pair of them is one safe integer. */
const MOST_AUTHORS = 2 ** 26;

/** The graph as it stood at an instant. Node numbers mean nothing outside of it. */
export interface AuthorSnapshot {
  readonly at: Instant;
  readonly graph: WeightedGraph & { readonly weight: Float64Array };
  /** 1 for the accounts that trust is anchored in, else 0. */
  readonly preTrust: Float64Array;
}

/** Holds keyed hashes of authors in memory only; nothing that leaves it names one. */
export class AuthorGraph {
  readonly #nodes = new Map<number, number>();
  readonly #createdAt: number[] = [];
  readonly #activeDays: number[] = [];
  readonly #lastDay: number[] = [];
  readonly #edges = new Map<number, number>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #weight: number[] = [];
  readonly #weighedAt: number[] = [];
  readonly #edgeDay: number[] = [];
  readonly #edgeCount: number[] = [];
  /** Authors of posts that can still be passed on: two generations, the older one is dropped in turn. */
  #posts = new Map<number, number>();
  #olderPosts = new Map<number, number>();
  #generation = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#createdAt.length;
  }

  /** Takes one post, in the order of knowledge, and returns the node of its author. */
  take({ knownAt, body }: FactOf<'post'>): number {
    const day = Math.floor(knownAt / DAY);
    const generation = Math.floor(knownAt / REPUTATION.repostSpan);
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#olderPosts = this.#posts;
      this.#posts = new Map();
    }
    const author = this.#node(body.author, body.authorCreatedAt);
    if (this.#lastDay[author] !== day) {
      this.#lastDay[author] = day;
      this.#activeDays[author]! += 1;
    }
    for (const object of body.objects) {
      const original = this.#posts.get(object) ?? this.#olderPosts.get(object);
      if (original !== undefined && original !== author) this.#interact(author, original, knownAt, day);
    }
    this.#posts.set(textKey(`${body.provider} ${body.id}`), author);
    return author;
  }

  snapshot(at: Instant): AuthorSnapshot {
    const weight = Float64Array.from(
      this.#weight,
      (value, e) => value * 2 ** (-(at - this.#weighedAt[e]!) / REPUTATION.halfLife),
    );
    const preTrust = Float64Array.from(this.#createdAt, (createdAt, node) =>
      at - createdAt > REPUTATION.preTrustAge && this.#activeDays[node]! >= REPUTATION.preTrustActiveDays
        ? 1
        : 0,
    );
    const graph = {
      nodes: this.size,
      from: Uint32Array.from(this.#from),
      to: Uint32Array.from(this.#to),
      weight,
    };
    return { at, graph, preTrust };
  }

  #node(key: number, createdAt: Instant | null): number {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = this.size;
    if (node >= MOST_AUTHORS) throw new RangeError('too many authors for one graph');
    this.#nodes.set(key, node);
    // An account of unknown age is never taken for an old one.
    this.#createdAt.push(createdAt ?? Number.POSITIVE_INFINITY);
    this.#activeDays.push(0);
    this.#lastDay.push(Number.NEGATIVE_INFINITY);
    return node;
  }

  #interact(from: number, to: number, at: Instant, day: number): void {
    const pair = from * MOST_AUTHORS + to;
    const known = this.#edges.get(pair);
    if (known === undefined) {
      this.#edges.set(pair, this.#from.length);
      this.#from.push(from);
      this.#to.push(to);
      this.#weight.push(1);
      this.#weighedAt.push(at);
      this.#edgeDay.push(day);
      this.#edgeCount.push(1);
      return;
    }
    if (this.#edgeDay[known] !== day) {
      this.#edgeDay[known] = day;
      this.#edgeCount[known] = 0;
    }
    if (this.#edgeCount[known]! >= REPUTATION.capPerPairAndDay) return;
    this.#edgeCount[known]! += 1;
    const age = at - this.#weighedAt[known]!;
    this.#weight[known] = this.#weight[known]! * 2 ** (-age / REPUTATION.halfLife) + 1;
    this.#weighedAt[known] = at;
  }
}
