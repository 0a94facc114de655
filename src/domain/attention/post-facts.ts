// Makes the stored fact of a post from what a connector read: resolved, sketched, keyed, cut to an excerpt.
import type { Instant } from '../../kernel/instant.js';
import { textKey } from '../../kernel/text-key.js';
import type { Report } from '../facts/fact.js';
import type { Post, PostReport } from '../facts/post.js';
import { resolveMentions, type Universe } from './entities.js';
import { sketchText } from './text-sketch.js';

/** How much of a post's text may be kept; providers that forbid excerpts get none. */
const EXCERPT_CHARACTERS: Readonly<Record<string, number>> = { stocktwits: 140, reddit: 140, x: 0 };
const DEFAULT_EXCERPT = 200;

export function excerptOf(provider: string, text: string): string {
  const most = EXCERPT_CHARACTERS[provider] ?? DEFAULT_EXCERPT;
  if (most === 0) return '';
  // A long text is cut before its white space is folded: what cannot be shown need not be read.
  const flat = text
    .slice(0, 8 * most)
    .trim()
    .replace(/\s{2,}|[^\S ]/g, ' ');
  if (flat.length <= most && text.length <= 8 * most) return flat;
  const cut = flat.slice(0, most - 1);
  // Half of a surrogate pair is no character.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The key under which a post opens a narrative. */
export function postKey({ provider, id }: { readonly provider: string; readonly id: string }): number {
  return textKey(`${provider} ${id}`);
}

export interface PostMaking {
  readonly universe: Universe;
  /** Keyed hash of `provider` and author id; the key never leaves the recorder. */
  readonly authorKey: (provider: string, authorId: string) => number;
  readonly narrative: (key: number, shingles: Uint32Array, releasedAt: Instant | undefined) => number;
}

const NOTHING: readonly number[] = [];

export function postFact(report: PostReport, making: PostMaking): Report<Post> {
  const { shingles, financeContext } = sketchText(report.text);
  const key = postKey(report);
  const passedOn =
    report.repostOf === null ? report.urls : [`${report.provider} ${report.repostOf}`, ...report.urls];
  return {
    source: report.provider,
    effectiveAt: report.createdAt,
    ...(report.releasedAt === undefined ? {} : { releasedAt: report.releasedAt }),
    body: {
      kind: 'post',
      provider: report.provider,
      id: report.id,
      author: making.authorKey(report.provider, report.authorId),
      mentions: resolveMentions(report.text, report.taggedTickers, making.universe),
      providerTags: report.providerTags,
      financeContext,
      shingles,
      narrative: making.narrative(key, shingles, report.releasedAt),
      objects: passedOn.length === 0 ? NOTHING : passedOn.map((object) => textKey(canonicalLink(object))),
      excerpt: excerptOf(report.provider, report.text),
      lang: report.lang,
      authorCreatedAt: report.authorCreatedAt,
      followers: report.followers,
      likes: report.likes,
      reposts: report.reposts,
      replies: report.replies,
    },
  };
}

/** One link, one spelling: without scheme, `www.`, fragment, campaign parameters and trailing slash. */
function canonicalLink(link: string): string {
  return link
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/#.*$/, '')
    .replace(/([?&])(?:utm_\w+|ref|fbclid|gclid)=[^&]*/gi, '$1')
    .replace(/[?&]+$/, '')
    .replace(/\/$/, '');
}
