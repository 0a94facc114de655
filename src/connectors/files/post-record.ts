// Reads one record of a posts file.
import { normaliseTicker } from '../../contracts/ticker.js';
import type { PostReport } from '../../domain/facts/post.js';
import {
  optionalCount,
  optionalId,
  optionalList,
  optionalText,
  providerOf,
  type RawRecord,
  refuse,
  required,
  soundText,
} from './fields.js';
import { notAhead, optionalInstantOrEpoch, requiredInstantOrEpoch } from './moments.js';
import type { ReadingAt, RecordKind } from './record-kind.js';

const LONGEST_TEXT = 100_000;
const LONGEST_LINK = 8_192;
const LONGEST_LANGUAGE = 35;

const NONE: readonly string[] = [];

export const POST_RECORD: RecordKind<PostReport> = {
  required: ['id', 'provider', 'author_id', 'created_at', 'text'],
  optional: [
    'observed_at',
    'tickers',
    'author_created_at',
    'followers',
    'repost_of',
    'urls',
    'lang',
    'likes',
    'reposts',
    'replies',
  ],
  read: readPost,
};

function readPost(record: RawRecord, { now }: ReadingAt): PostReport {
  const createdAt = requiredInstantOrEpoch(record, 'created_at');
  const observedAt = optionalInstantOrEpoch(record, 'observed_at');
  const tickers = optionalList(record, 'tickers', 32);
  return {
    provider: providerOf(record),
    id: required(optionalId(record, 'id'), 'id'),
    authorId: required(optionalId(record, 'author_id'), 'author_id'),
    createdAt,
    releasedAt: notAhead(observedAt ?? createdAt, now, observedAt === null ? 'created_at' : 'observed_at'),
    text: postText(record['text']),
    taggedTickers: tickers === null ? NONE : tickers.map(tagged),
    // A record that names tickers, be it none of them, comes from a provider that tags.
    providerTags: tickers !== null,
    repostOf: optionalId(record, 'repost_of'),
    urls: optionalList(record, 'urls', LONGEST_LINK) ?? NONE,
    lang: optionalText(record, 'lang', LONGEST_LANGUAGE),
    authorCreatedAt: optionalInstantOrEpoch(record, 'author_created_at'),
    followers: optionalCount(record, 'followers'),
    likes: optionalCount(record, 'likes'),
    reposts: optionalCount(record, 'reposts'),
    replies: optionalCount(record, 'replies'),
  };
}

/** Kept to the letter, and it may be empty: a post may be a picture. */
function postText(value: unknown): string {
  if (value === undefined || value === null) return refuse('text is missing');
  if (typeof value !== 'string') return refuse('text is not text');
  return soundText(value, 'text', LONGEST_TEXT);
}

function tagged(text: string): string {
  return normaliseTicker(text) ?? refuse('tickers holds what is not a ticker');
}
