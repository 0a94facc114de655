// Turns what connectors read into appended facts: once each, in batches, together with the connector's cursor.
import { createHmac } from 'node:crypto';
import type { Universe } from '../domain/attention/entities.js';
import type { NarrativeIndex } from '../domain/attention/narrative-index.js';
import { type PostMaking, postFact } from '../domain/attention/post-facts.js';
import type { Fact, Report } from '../domain/facts/fact.js';
import type { Identity } from '../domain/facts/identity.js';
import type { PostReport } from '../domain/facts/post.js';
import type { Clock } from '../kernel/instant.js';
import type { ArchiveWriter, Batch } from '../ports/archive.js';
import type { IdentityGate } from './identity-gate.js';

export interface Incoming {
  readonly posts: readonly PostReport[];
  readonly facts: readonly Report[];
  readonly cursor?: { readonly connector: string; readonly value: string };
}

export interface Ingested {
  readonly appended: number;
  readonly duplicates: number;
  /** Identity events that the register cannot take. */
  readonly refused: number;
}

export interface IngestParts {
  readonly archive: ArchiveWriter;
  /** The assets that texts may name. */
  readonly universe: Universe;
  /** Hands on what was new, before the next post is read. */
  readonly take: (facts: readonly Fact[]) => void;
  readonly narratives: NarrativeIndex;
  readonly authorSecret: Uint8Array;
  readonly clock: Clock;
  /** Looks at identity events; absent where that was done before. */
  readonly identities?: () => Promise<IdentityGate>;
}

/** `appended` is shown every batch of new facts. */
export type Ingest = (incoming: Incoming, appended?: (facts: readonly Fact[]) => void) => Promise<Ingested>;

export function createIngest({
  archive,
  universe,
  take,
  narratives,
  authorSecret,
  clock,
  identities,
}: IngestParts): Ingest {
  const making: PostMaking = {
    universe,
    authorKey: keyedAuthors(authorSecret),
    narrative: (key, shingles, releasedAt) => narratives.assign(key, shingles, releasedAt ?? clock()),
  };

  return async ({ posts, facts: read, cursor }, shown) => {
    const gate = identities !== undefined && read.some(isIdentity) ? await identities() : null;
    const facts = gate === null ? read : read.filter((report) => admits(gate, report));
    let duplicates = 0;
    let appended = 0;
    const append = async (batch: Batch): Promise<void> => {
      const stored = await archive.append(batch);
      take(stored.facts);
      shown?.(stored.facts);
      for (const { body, knownAt, backfilled } of stored.facts)
        if (body.kind === 'identity' && !backfilled) gate?.reach(knownAt);
      appended += stored.facts.length;
      duplicates += stored.duplicates;
    };
    // New assets go first: the posts of the same batch may name them. Both appends can be repeated without harm, so a
    // stop between them loses nothing: the cursor moves with the second one only.
    const assetsFirst = posts.length > 0 && facts.some(({ body }) => body.kind === 'asset');
    if (assetsFirst) await append({ facts });
    const reports = posts.map((report) => postFact(report, making));
    const rest = assetsFirst ? reports : [...facts, ...reports];
    if (rest.length > 0 || cursor) await append({ facts: rest, ...(cursor ? { cursor } : {}) });
    return { appended, duplicates, refused: read.length - facts.length };
  };
}

function isIdentity(report: Report): report is Report<Identity> {
  return report.body.kind === 'identity';
}

function admits(gate: IdentityGate, report: Report): boolean {
  return !isIdentity(report) || typeof gate.admit(report) !== 'string';
}

const REMEMBERED_AUTHORS = 200_000;

/** 52 bits of an HMAC: the same author is the same number, and the number leads back to nobody. */
function keyedAuthors(secret: Uint8Array): (provider: string, authorId: string) => number {
  const known = new Map<string, number>();
  return (provider, authorId) => {
    const name = `${provider} ${authorId}`;
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const digest = createHmac('sha256', secret).update(name).digest();
    const key = digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4);
    if (known.size >= REMEMBERED_AUTHORS) known.clear();
    known.set(name, key);
    return key;
  };
}
