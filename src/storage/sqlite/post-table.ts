// How a post lies in its table: one row, its lists as small blobs.
import type { Stamp } from '../../domain/facts/fact.js';
import type { Mention, MentionForm, Post } from '../../domain/facts/post.js';
import { bytesIn, type Cells, numberIn, type Statement, textIn } from './connection.js';
import type { Dictionaries } from './dictionary.js';
import { type Column, STAMP_COLUMNS } from './kind-tables.js';

const FIRST = STAMP_COLUMNS.length;
const FORMS: readonly MentionForm[] = ['tagged', 'cashtag', 'bare'];
const PROVIDER_TAGS = 1;
const FINANCE_CONTEXT = 2;
/** At most: enough for 35 bits. */
const BYTES_PER_MENTION = 5;

const columns: readonly Column[] = [
  { name: 'provider', type: 'INTEGER NOT NULL' },
  { name: 'id', type: 'TEXT NOT NULL' },
  { name: 'author', type: 'INTEGER NOT NULL' },
  { name: 'narrative', type: 'INTEGER NOT NULL' },
  { name: 'flags', type: 'INTEGER NOT NULL' },
  { name: 'mentions', type: 'BLOB NOT NULL' },
  { name: 'shingles', type: 'BLOB NOT NULL' },
  { name: 'objects', type: 'BLOB' },
  { name: 'excerpt', type: 'TEXT NOT NULL' },
  { name: 'lang', type: 'INTEGER' },
  { name: 'author_created_at', type: 'INTEGER' },
  { name: 'followers', type: 'INTEGER' },
  { name: 'likes', type: 'INTEGER' },
  { name: 'reposts', type: 'INTEGER' },
  { name: 'replies', type: 'INTEGER' },
];

export const POST_TABLE = {
  columns,

  /**
   * Inserts a post unless its provider and id are known; `slots` holds the slot of each mention, in order.
   * Written out because this is the busiest line of the archive: arrays of cells would cost a fifth of its time.
   */
  insert(
    statement: Statement,
    stamp: Stamp,
    post: Post,
    slots: readonly number[],
    { names }: Dictionaries,
  ): boolean {
    const { changes } = statement.run(
      stamp.sequence,
      stamp.knownAt,
      stamp.effectiveAt,
      names.give(stamp.source),
      stamp.backfilled ? 1 : 0,
      names.give(post.provider),
      post.id,
      post.author,
      post.narrative,
      (post.providerTags ? PROVIDER_TAGS : 0) + (post.financeContext ? FINANCE_CONTEXT : 0),
      packMentions(post.mentions, slots),
      // Every supported machine is little-endian, as the stored form is.
      post.shingles,
      post.objects.length === 0 ? null : Float64Array.from(post.objects),
      post.excerpt,
      post.lang === null ? null : names.give(post.lang),
      post.authorCreatedAt,
      post.followers,
      post.likes,
      post.reposts,
      post.replies,
    );
    return changes > 0;
  },

  /** The cells are those of the stamp and then those of `columns`: cutting them apart would cost a copy each. */
  read(cells: Cells, { names, tickers }: Dictionaries): Post {
    const flags = numberIn(cells[FIRST + 4]);
    return {
      kind: 'post',
      provider: names.text(numberIn(cells[FIRST])),
      id: textIn(cells[FIRST + 1]),
      author: numberIn(cells[FIRST + 2]),
      mentions: unpackMentions(bytesIn(cells[FIRST + 5]), tickers),
      providerTags: (flags & PROVIDER_TAGS) !== 0,
      financeContext: (flags & FINANCE_CONTEXT) !== 0,
      shingles: new Uint32Array(ownBuffer(bytesIn(cells[FIRST + 6]))),
      narrative: numberIn(cells[FIRST + 3]),
      objects:
        cells[FIRST + 7] === null ? [] : Array.from(new Float64Array(ownBuffer(bytesIn(cells[FIRST + 7])))),
      excerpt: textIn(cells[FIRST + 8]),
      lang: cells[FIRST + 9] === null ? null : names.text(numberIn(cells[FIRST + 9])),
      authorCreatedAt: cells[FIRST + 10] as number | null,
      followers: cells[FIRST + 11] as number | null,
      likes: cells[FIRST + 12] as number | null,
      reposts: cells[FIRST + 13] as number | null,
      replies: cells[FIRST + 14] as number | null,
    };
  },
};

/** Slot and form in one number, seven bits a byte, the last byte without the high bit. */
function packMentions(mentions: readonly Mention[], slots: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(mentions.length * BYTES_PER_MENTION);
  let length = 0;
  for (let i = 0; i < mentions.length; i++) {
    let rest = slots[i]! * 4 + FORMS.indexOf(mentions[i]!.form);
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) + 128;
    bytes[length++] = rest;
  }
  return bytes.subarray(0, length);
}

function unpackMentions(bytes: Uint8Array, tickers: Dictionaries['tickers']): Mention[] {
  const mentions: Mention[] = [];
  let value = 0;
  let weight = 1;
  for (const byte of bytes) {
    value += (byte & 127) * weight;
    weight *= 128;
    if (byte > 127) continue;
    mentions.push({ ticker: tickers.text(Math.floor(value / 4)), form: FORMS[value % 4]! });
    value = 0;
    weight = 1;
  }
  return mentions;
}

/** Wide elements need an aligned buffer; the driver's blobs have one of their own, others are copied. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  const own = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength;
  return own ? buffer : (bytes.slice().buffer as ArrayBuffer);
}
