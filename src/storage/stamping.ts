// Gives facts their place in the archive (sequence, knownAt) and says which reports repeat what it already holds.
import type { Fact, FactBody, Report, Stamp } from '../domain/facts/fact.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { requireStorable } from './storable.js';

/** The end of the archive: what the next stamp is derived from. Stored in the transaction that moves it. */
export interface Tail {
  /** 0 while the archive is empty. */
  readonly sequence: number;
  /** The `knownAt` of the last fact or frame that arrived live; null before the first. */
  readonly liveAt: Instant | null;
}

export const EMPTY_TAIL: Tail = { sequence: 0, liveAt: null };

/**
 * Stamps for one transaction. Make one from the stored tail, and keep its `tail` only after the commit:
 * a batch that fails then leaves neither a gap in the sequence nor a moved clock.
 */
export class Stamping {
  readonly #clock: Clock;
  #sequence: number;
  #liveAt: Instant | null;

  constructor(clock: Clock, tail: Tail) {
    this.#clock = clock;
    this.#sequence = tail.sequence;
    this.#liveAt = tail.liveAt;
  }

  get tail(): Tail {
    return { sequence: this.#sequence, liveAt: this.#liveAt };
  }

  /** Takes back every stamp since the tail was this one. */
  rewind({ sequence, liveAt }: Tail): void {
    this.#sequence = sequence;
    this.#liveAt = liveAt;
  }

  /** The stamp that the report would get; nothing moves until it is accepted. */
  propose({ effectiveAt, source, releasedAt }: Pick<Report, 'effectiveAt' | 'source' | 'releasedAt'>): Stamp {
    const sequence = this.#sequence + 1;
    if (releasedAt !== undefined)
      return { sequence, knownAt: releasedAt, effectiveAt, source, backfilled: true };
    const now = this.#clock();
    // The machine's clock may stand still or step back; knowledge never does.
    const knownAt = this.#liveAt === null ? now : Math.max(now, this.#liveAt + 1);
    return { sequence, knownAt, effectiveAt, source, backfilled: false };
  }

  accept({ sequence, knownAt, backfilled }: Pick<Stamp, 'sequence' | 'knownAt' | 'backfilled'>): void {
    this.#sequence = sequence;
    if (!backfilled) this.#liveAt = knownAt;
  }

  stamp(report: Report): Stamp {
    const stamp = this.propose(report);
    this.accept(stamp);
    return stamp;
  }

  /** The place of a frame recorded for the boundary: a frame always arrives live. */
  frame(at: Instant): Pick<Stamp, 'sequence' | 'knownAt'> {
    const stamp = this.propose({ effectiveAt: at, source: 'frame' });
    this.accept(stamp);
    return { sequence: stamp.sequence, knownAt: stamp.knownAt };
  }

  /** The next place for what comes with something already stamped, and is known when that is. */
  beside(knownAt: Instant): Pick<Stamp, 'sequence' | 'knownAt'> {
    this.#sequence += 1;
    return { sequence: this.#sequence, knownAt };
  }
}

/** Reports with one natural key are versions of the same thing. */
export function naturalKey(report: Pick<Report, 'source' | 'effectiveAt' | 'body'>): string {
  const { body } = report;
  switch (body.kind) {
    case 'post':
      return join(body.kind, body.provider, body.id);
    case 'post_change':
      return join(body.kind, body.provider, body.id, body.change);
    case 'asset':
      return join(body.kind, body.ticker);
    case 'price':
      return join(body.kind, body.ticker, body.date);
    case 'count':
      return join(body.kind, body.ticker, report.source, body.bucketStart, body.bucketSeconds);
    case 'split':
      return join(body.kind, body.ticker, report.effectiveAt);
    case 'shares':
      return join(body.kind, body.ticker, report.effectiveAt, report.source);
    case 'series':
      return join(body.kind, body.series, body.date);
    case 'identity':
      return join(body.kind, body.id);
  }
}

/** A length before each part keeps `a|b` + `c` and `a` + `b|c` apart whatever the parts hold. */
function join(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `${String(part).length}:${part}`).join('');
}

/** What the duplicate rule needs to know of a stored fact. */
export type Version = Pick<Fact, 'sequence' | 'knownAt' | 'backfilled' | 'body'>;

/**
 * Whether a report adds nothing to the stored versions of its natural key, given in the order of their sequence.
 * - A post is known or not: its later lives are changes, not versions. So is an event of the identity register.
 * - A live report repeats the newest version when the bodies are equal; another value is a revision.
 * - A backfilled report repeats any version that was released at the same instant with an equal body, so that a
 *   file imported again finds its first value as well as its revisions.
 * - Of series and share counts every release is knowledge of its own. For the other kinds a backfilled report also
 *   adds nothing when its value is the newest one, or was the one in force at its release.
 */
export function repeats(report: Report, versions: readonly Version[]): boolean {
  const newest = versions.at(-1);
  if (newest === undefined) return false;
  const { body, releasedAt } = report;
  if (body.kind === 'post' || body.kind === 'identity') return true;
  if (releasedAt === undefined) return sameBody(newest.body, body);
  if (versions.some((v) => v.backfilled && v.knownAt === releasedAt && sameBody(v.body, body))) return true;
  if (body.kind === 'series' || body.kind === 'shares') return false;
  const inForce = latestKnown(versions, releasedAt);
  return sameBody(newest.body, body) || (inForce !== undefined && sameBody(inForce.body, body));
}

function latestKnown(versions: readonly Version[], knownBy: Instant): Version | undefined {
  let latest: Version | undefined;
  for (const version of versions) {
    if (version.knownAt <= knownBy && (latest === undefined || version.knownAt >= latest.knownAt))
      latest = version;
  }
  return latest;
}

/** Equality of bodies other than posts: they are flat. */
function sameBody(a: FactBody, b: FactBody): boolean {
  const left: Partial<Record<string, unknown>> = { ...a };
  const right: Partial<Record<string, unknown>> = { ...b };
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

/** What is stored already, by natural key. */
export interface Stored {
  seenPost(provider: string, id: string): boolean;
  /** All stored versions of the key, in the order of their sequence. Not asked for posts. */
  versions(key: string, report: Report): readonly Version[];
}

export interface StampedBatch {
  readonly facts: readonly Fact[];
  readonly duplicates: number;
}

/** Stamps what is new in a batch, also against the batch's own earlier reports. Refuses what no store could give back. */
export function stampBatch(reports: readonly Report[], stamping: Stamping, stored: Stored): StampedBatch {
  const facts: Fact[] = [];
  const posts = new Set<string>();
  const versions = new Map<string, Version[]>();
  const isNew = (report: Report): boolean => {
    const key = naturalKey(report);
    if (report.body.kind === 'post') {
      if (posts.has(key) || stored.seenPost(report.body.provider, report.body.id)) return false;
      posts.add(key);
      return true;
    }
    const known = versions.get(key) ?? [...stored.versions(key, report)];
    versions.set(key, known);
    return !repeats(report, known);
  };
  for (const report of reports) {
    requireStorable(report);
    if (!isNew(report)) continue;
    const fact: Fact = { ...stamping.stamp(report), body: report.body };
    facts.push(fact);
    if (report.body.kind !== 'post') versions.get(naturalKey(report))?.push(fact);
  }
  return { facts, duplicates: reports.length - facts.length };
}

/** The tickers that a body names, in order: each gets a slot when it first appears. */
export function tickersIn(body: FactBody): readonly string[] {
  if (body.kind === 'post') return body.mentions.map((mention) => mention.ticker);
  return 'ticker' in body ? [body.ticker] : [];
}
