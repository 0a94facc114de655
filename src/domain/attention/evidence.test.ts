// The ten states of evidence: what each shows, and that no life of a post takes a way that is not in the table.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE } from '../../kernel/instant.js';
import type { FactOf } from '../facts/fact.js';
import type { Post, PostChange } from '../facts/post.js';
import { EVIDENCE, type EvidenceState, evidenceOf, postSha256, rulesOf } from './evidence.js';

const T0 = 1_772_000_000_000_000;
const stamp = { sequence: 1, knownAt: T0, effectiveAt: T0 - MINUTE, backfilled: false };

const post = (provider: string, source = provider, excerpt = 'said'): FactOf<'post'> => ({
  ...stamp,
  source,
  body: {
    kind: 'post',
    provider,
    id: '17',
    author: 1,
    mentions: [],
    providerTags: true,
    financeContext: true,
    shingles: new Uint32Array(),
    narrative: 1,
    objects: [],
    excerpt: provider === 'x' ? '' : excerpt,
    lang: null,
    authorCreatedAt: null,
    followers: null,
    likes: null,
    reposts: null,
    replies: null,
  } satisfies Post,
});

const changed = (change: PostChange['change'], knownAt: Instant, excerpt: string | null = null) => ({
  ...stamp,
  knownAt,
  source: 'bluesky',
  body: { kind: 'post_change', provider: 'bluesky', id: '17', change, excerpt } as const,
});

const evidence = (
  fact: FactOf<'post'>,
  now: Instant,
  change: FactOf<'post_change'> | null = null,
  replayed: Instant | null = null,
) => evidenceOf(fact, { change, now, replayed, rules: rulesOf(fact.body.provider) });

describe('evidence', () => {
  it.each([
    ['a fresh post', 'reddit', T0 + 15 * MINUTE, 'live', 'said'],
    ['an old one nobody looks after', 'reddit', T0 + 16 * MINUTE, 'stale', 'said'],
    ['one whose provider tells of deletions', 'bluesky', T0 + DAY, 'live', 'said'],
    ['the same after a day', 'bluesky', T0 + DAY + 1, 'stale', 'said'],
    ['one that may not be quoted', 'x', T0, 'redacted', null],
    ['an imported one', 'my-file', T0 + HOUR, 'stale', 'said'],
  ] as const)('of %s', (_what, provider, now, state, excerpt) => {
    expect(evidence(post(provider), now)).toMatchObject({ state, excerpt });
  });

  it('of what is no post', () => {
    const circumstances = { change: null, now: T0, replayed: null, rules: rulesOf('apewisdom') };
    const count = { kind: 'count', ticker: 'A', bucketStart: T0, bucketSeconds: 60, posts: 3, authors: null };
    const fact = { ...stamp, source: 'apewisdom', body: count } as FactOf<'count'>;
    expect(evidenceOf(fact, circumstances).state).toBe('aggregate');
    expect(evidenceOf(null, circumstances).state).toBe('unavailable');
  });

  it('is gone with a deletion, for synthetic posts and replays too', () => {
    const deleted = changed('deleted', T0 + HOUR);
    for (const fact of [post('bluesky'), post('x'), post('fixture_micro')]) {
      for (const replayed of [null, T0]) {
        expect(evidence(fact, T0 + DAY, deleted, replayed)).toEqual({
          state: 'withdrawn',
          excerpt: null,
          id: null,
        });
      }
    }
  });

  it('hides what is suppressed and shows it again when it is restored', () => {
    expect(evidence(post('bluesky'), T0, changed('suppressed', T0))).toEqual({
      state: 'suppressed',
      excerpt: null,
      id: null,
    });
    expect(evidence(post('bluesky'), T0, changed('suppressed', T0), T0).excerpt).toBeNull();
    expect(evidence(post('fixture_forum'), T0, changed('suppressed', T0))).toMatchObject({
      state: 'fixture',
      excerpt: null,
    });
    expect(evidence(post('reddit'), T0 + HOUR, changed('restored', T0 + HOUR))).toMatchObject({
      state: 'live',
      excerpt: 'said',
    });
  });

  it('quotes the replacement within the same bounds, and nothing where it is empty', () => {
    const long = evidence(post('stocktwits'), T0, changed('edited', T0, 'y'.repeat(900)));
    expect(long.state).toBe('edited');
    expect(long.excerpt!.length).toBe(140);
    expect(evidence(post('bluesky'), T0, changed('edited', T0, null)).excerpt).toBeNull();
    expect(evidence(post('x'), T0, changed('edited', T0, 'leaked'))).toMatchObject({
      state: 'redacted',
      excerpt: null,
    });
  });

  it('shows ids only where they do not name the author', () => {
    expect(evidence(post('reddit'), T0).id).toBe('17');
    expect(evidence(post('bluesky'), T0).id).toBeNull();
    expect(evidence(post('my-file'), T0).id).toBeNull();
    expect(postSha256({ provider: 'a', id: 'b' })).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('only ever takes the ways that the table names, and keeps a promised silence', () => {
    const step = fc.record({
      after: fc.integer({ min: 0, max: 2 * DAY }),
      change: fc.option(fc.constantFrom('deleted', 'edited', 'suppressed', 'restored'), { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom('bluesky', 'reddit', 'x', 'fixture_micro'),
        fc.array(step, { maxLength: 8 }),
        (provider, steps) => {
          let now = T0;
          let change: FactOf<'post_change'> | null = null;
          let state: EvidenceState = evidence(post(provider), now).state;
          for (const { after, change: next } of steps) {
            now += after;
            // As the archive answers: a deletion is final.
            if (next !== null && change?.body.change !== 'deleted') change = changed(next, now, 'new');
            const shown = evidence(post(provider), now, change);
            if (shown.state !== state) expect(EVIDENCE[state].next).toContain(shown.state);
            if (shown.state === 'withdrawn' || shown.state === 'suppressed')
              expect([shown.excerpt, shown.id]).toEqual([null, null]);
            state = shown.state;
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
