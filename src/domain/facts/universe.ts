// The tickers that have a slot, under one fingerprint. Slots are given once and never reused, so a universe only grows.
import { canonicalJson } from '../../kernel/canonical-json.js';
import { leafHash, MerkleFrontier } from '../../kernel/merkle.js';
import type { Statement } from './statement.js';

/** What the leaf of a universe says; the tickers that are new stand in its attachment, in slot order. */
export interface UniverseBody extends Readonly<Record<string, unknown>> {
  readonly tickers: number;
  readonly added: number;
  /** `sha256:` and the RFC 6962 root over the tickers in slot order. */
  readonly universe_sha256: string;
}

export class Universe {
  readonly #tree = new MerkleFrontier();

  get size(): number {
    return this.#tree.size;
  }

  get sha256(): string {
    return `sha256:${this.#tree.root().toString('hex')}`;
  }

  /** Takes the tickers in slot order, from the first; returns those that are new. */
  grow(tickers: readonly string[]): readonly string[] {
    const added = tickers.slice(this.#tree.size);
    for (const ticker of added) this.#tree.append(leafHash(ticker));
    return added;
  }
}

export function universeStatement(universe: Universe, added: readonly string[], at: number): Statement {
  const body: UniverseBody = {
    tickers: universe.size,
    added: added.length,
    universe_sha256: universe.sha256,
  };
  return { kind: 'universe', subject: null, at, body, attachment: canonicalJson(added) };
}
