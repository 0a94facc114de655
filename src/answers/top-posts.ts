// Picks the posts that a ticker packet shows as evidence, and says of each what may be shown.
import type { z } from 'zod';
import type { TopPost, TopPostsSort } from '../contracts/attention/evidence.js';
import { EVIDENCE, evidenceOf, postSha256, rulesOf } from '../domain/attention/evidence.js';
import { ATTENTION } from '../domain/attention/parameters.js';
import type { FactOf } from '../domain/facts/fact.js';
import type { FrameHeader } from '../domain/facts/frame.js';
import type { Instant } from '../kernel/instant.js';
import { formatInstant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

type Sort = z.infer<typeof TopPostsSort>;
type Post = FactOf<'post'>;

const SHOWN = 5;
/** How far back a choice looks among the posts of the window. */
const CHOSEN_FROM = 2_000;
/** The newest posts are shown as they come, unless some of them may be of sources that do not count yet. */
const PASSED_OVER = 100;

export interface Asked {
  readonly ticker: string;
  readonly header: FrameHeader;
  /** The instant that is replayed; null for the present. */
  readonly replayed: Instant | null;
  readonly now: Instant;
  readonly sort: Sort;
}

export async function topPosts(archive: ArchiveReader, asked: Asked): Promise<TopPost[]> {
  const { ticker, header, replayed, now, sort } = asked;
  const window = { knownBy: header.at, after: header.at - ATTENTION.window, upToSequence: header.highWater };
  const newest = header.sourceSet.warming.length === 0 ? SHOWN : PASSED_OVER;
  const posts = await archive.postsAbout(ticker, window, sort === 'observed_desc' ? newest : CHOSEN_FROM);
  const counted = posts.filter(({ source }) => header.sourceSet.sources.includes(source));
  const voices = sort === 'independence_desc' ? authorsOfNarratives(counted) : null;
  const chosen = sorted(counted, sort, voices).slice(0, SHOWN);
  // As known now, also for the past: who has deleted a post has deleted it everywhere.
  const changes = await archive.changesOf(
    chosen.map(({ body }) => body),
    now,
  );
  return chosen.map((post, i) => {
    const rules = rulesOf(post.body.provider);
    const evidence = evidenceOf(post, { change: changes[i] ?? null, now, replayed, rules });
    return shape(post, evidence, voices?.get(post.body.narrative)?.size ?? null);
  });
}

function authorsOfNarratives(posts: readonly Post[]): ReadonlyMap<number, ReadonlySet<number>> {
  const authors = new Map<number, Set<number>>();
  for (const { body } of posts)
    authors.set(body.narrative, (authors.get(body.narrative) ?? new Set()).add(body.author));
  return authors;
}

/** The posts come newest first, and a stable sort keeps that among equals. */
function sorted(
  posts: readonly Post[],
  sort: Sort,
  voices: ReadonlyMap<number, ReadonlySet<number>> | null,
): readonly Post[] {
  if (sort === 'observed_desc') return posts;
  const engagement = ({ body }: Post): number =>
    (body.likes ?? 0) + (body.reposts ?? 0) + (body.replies ?? 0);
  const sharing = ({ body }: Post): number => voices?.get(body.narrative)?.size ?? 1;
  return sort === 'independence_desc'
    ? posts.toSorted((a, b) => sharing(a) - sharing(b))
    : posts.toSorted((a, b) => engagement(b) - engagement(a));
}

function shape(post: Post, evidence: ReturnType<typeof evidenceOf>, sameText: number | null): TopPost {
  const { body } = post;
  const { state, excerpt, id } = evidence;
  const gone = state === 'withdrawn';
  return {
    post_sha256: postSha256(body),
    state,
    ui_label: EVIDENCE[state].label,
    source_example: EVIDENCE[state].sourceExample,
    provider: gone ? null : body.provider,
    post_id: id,
    observed_at: formatInstant(post.knownAt),
    created_at: gone ? null : formatInstant(post.effectiveAt),
    excerpt,
    lang: gone ? null : body.lang,
    same_text_authors: gone ? null : sameText,
    engagement: gone ? null : { likes: body.likes, reposts: body.reposts, replies: body.replies },
  };
}
