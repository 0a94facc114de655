// What may be shown of a post now: ten states of evidence, as a function of the post and of what became of it.
import { sha256Hex } from '../../kernel/fingerprint.js';
import type { Instant } from '../../kernel/instant.js';
import { DAY, MINUTE } from '../../kernel/instant.js';
import type { FactOf } from '../facts/fact.js';
import { withoutNames } from './masked-names.js';
import { excerptOf } from './post-facts.js';

export type EvidenceState =
  | 'fixture'
  | 'live'
  | 'stale'
  | 'edited'
  | 'redacted'
  | 'suppressed'
  | 'withdrawn'
  | 'replayed'
  | 'aggregate'
  | 'unavailable';

interface StateMeaning {
  readonly sourceExample: string | null;
  readonly label: string;
  readonly meaning: string;
  /** States that the same post can come to; `replayed` is a way of asking and no stage of a life. */
  readonly next: readonly EvidenceState[];
}

export const EVIDENCE: Readonly<Record<EvidenceState, StateMeaning>> = {
  fixture: {
    sourceExample: 'privacy_safe_fixture',
    label: 'fixture evidence',
    meaning: 'synthetic dev/test evidence shape; not live social text',
    next: ['withdrawn'],
  },
  live: {
    sourceExample: 'bluesky_jetstream',
    label: 'live evidence',
    meaning: 'seen within 15 minutes, or within a day from a provider that tells of deletions',
    next: ['stale', 'edited', 'redacted', 'suppressed', 'withdrawn'],
  },
  stale: {
    sourceExample: 'reddit_listing',
    label: 'cached evidence',
    meaning: 'not seen again since',
    next: ['live', 'edited', 'suppressed', 'withdrawn'],
  },
  edited: {
    sourceExample: 'mastodon_status_update',
    label: 'edited evidence',
    meaning: 'the text differs from the one that was counted; the new one is shown',
    next: ['live', 'stale', 'suppressed', 'withdrawn'],
  },
  redacted: {
    sourceExample: 'x_filtered_stream',
    label: 'id-only evidence',
    meaning: 'the provider forbids excerpts',
    next: ['suppressed', 'withdrawn'],
  },
  suppressed: {
    sourceExample: 'x_compliance_drop',
    label: 'temporarily hidden',
    meaning: 'hidden by the provider, reversibly',
    next: ['live', 'stale', 'edited', 'redacted', 'withdrawn'],
  },
  withdrawn: {
    sourceExample: 'stocktwits_deletion',
    label: 'withdrawn',
    meaning: 'deleted; only the hash of the id and the time remain',
    next: [],
  },
  replayed: {
    sourceExample: 'archive_replay',
    label: 'archived evidence',
    meaning: 'served for a past instant; what was deleted since stays withheld',
    next: [],
  },
  aggregate: {
    sourceExample: 'apewisdom_counts',
    label: 'count only',
    meaning: 'a count without posts behind it',
    next: [],
  },
  unavailable: {
    sourceExample: null,
    label: 'unavailable',
    meaning: 'the post is not in the archive',
    next: ['live'],
  },
};

/** What a provider allows and promises; those that are not listed promise nothing. */
export interface ProviderRules {
  /** Deletions and edits are pushed, so that silence means that the post still stands. */
  readonly tellsChanges: boolean;
  /** The id of a post does not contain that of its author, so it may be shown. */
  readonly bareIds: boolean;
}

const RULES: Readonly<Record<string, ProviderRules>> = {
  bluesky: { tellsChanges: true, bareIds: false },
  mastodon: { tellsChanges: true, bareIds: false },
  x: { tellsChanges: true, bareIds: true },
  stocktwits: { tellsChanges: true, bareIds: true },
  reddit: { tellsChanges: false, bareIds: true },
  hackernews: { tellsChanges: false, bareIds: true },
};
const UNLISTED: ProviderRules = { tellsChanges: false, bareIds: false };

export const rulesOf = (provider: string): ProviderRules => RULES[provider] ?? UNLISTED;

const FRESH = 15 * MINUTE;
const CHECKED = DAY;

export interface Circumstances {
  /** The newest change known now, also for a replay: a deletion counts everywhere at once. */
  readonly change: FactOf<'post_change'> | null;
  readonly now: Instant;
  /** The instant that is replayed; null for the present. */
  readonly replayed: Instant | null;
  readonly rules: ProviderRules;
}

export interface Evidence {
  readonly state: EvidenceState;
  /** Null where nothing may be quoted. */
  readonly excerpt: string | null;
  /** Null where the provider's id may not be shown. */
  readonly id: string | null;
}

const NOTHING = { excerpt: null, id: null } as const;

export function evidenceOf(
  fact: FactOf<'post'> | FactOf<'count'> | null,
  { change, now, replayed, rules }: Circumstances,
): Evidence {
  if (fact === null) return { state: 'unavailable', ...NOTHING };
  if (fact.body.kind === 'count') return { state: 'aggregate', ...NOTHING };
  const { provider, id, excerpt } = fact.body;
  const changed = change?.body.change;
  if (changed === 'deleted') return { state: 'withdrawn', ...NOTHING };
  const synthetic = fact.source.startsWith('fixture');
  if (changed === 'suppressed') return { state: synthetic ? 'fixture' : 'suppressed', ...NOTHING };
  const shownId = rules.bareIds ? id : null;
  const state = standing();
  return { state, excerpt: state === 'redacted' ? null : text(), id: shownId };

  function standing(): EvidenceState {
    if (synthetic) return 'fixture';
    if (replayed !== null) return 'replayed';
    if (excerptOf(provider, 'text') === '') return 'redacted';
    const age = now - Math.max(fact!.knownAt, change?.knownAt ?? fact!.knownAt);
    if (changed === 'edited') return age <= CHECKED ? 'edited' : 'stale';
    return age <= FRESH || (rules.tellsChanges && age <= CHECKED) ? 'live' : 'stale';
  }

  function text(): string | null {
    // What an author has replaced is not quoted any more, and its replacement was not known at an earlier instant.
    if (changed !== 'edited') return excerpt === '' ? null : withoutNames(excerpt);
    if (replayed !== null && change!.knownAt > replayed) return null;
    const replacement = excerptOf(provider, change!.body.excerpt ?? '');
    return replacement === '' ? null : withoutNames(replacement);
  }
}

/** Names a post without saying which it is: whoever has the post can check it, nobody can read it. */
export function postSha256({ provider, id }: { readonly provider: string; readonly id: string }): string {
  return `sha256:${sha256Hex(`${provider}\0${id}`)}`;
}
