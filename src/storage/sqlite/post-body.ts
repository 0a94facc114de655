// What the archive never searches for in a post, as one run of bytes: a single cell is stored several times faster.
import type { Stamp } from '../../domain/facts/fact.js';
import type { Mention, MentionForm, Post } from '../../domain/facts/post.js';
import type { Dictionaries } from './dictionary.js';

/** A post without what has a column of its own. */
export type PackedPost = Omit<Post, 'kind' | 'provider' | 'id'>;
export type PackedStamp = Pick<Stamp, 'effectiveAt' | 'backfilled'>;

const FORMS: readonly MentionForm[] = ['tagged', 'cashtag', 'bare'];
const PROVIDER_TAGS = 1;
const FINANCE_CONTEXT = 2;
const BACKFILLED = 4;

/** Flags, four doubles, and the numbers that stand once. */
const FIXED_BYTES = 1 + 4 * 8 + 8 * 8;
const LONGEST_NUMBER = 8;
/** Of UTF-8 for one unit of UTF-16. */
const LONGEST_UNIT = 3;

/** Writes bodies behind one another into memory that is used again once the rows are stored. */
export class PostPacker {
  #bytes = Buffer.allocUnsafeSlow(1 << 16);
  #end = 0;

  /** Forgets what was packed; the views that were given out are void from here on. */
  clear(): void {
    this.#end = 0;
  }

  /** `slots` holds the slot of each mention, in order. */
  pack(stamp: PackedStamp, post: PackedPost, slots: readonly number[], { names }: Dictionaries): Uint8Array {
    this.#makeRoom(post);
    const begin = this.#end;
    this.#bytes[this.#end++] =
      (post.providerTags ? PROVIDER_TAGS : 0) +
      (post.financeContext ? FINANCE_CONTEXT : 0) +
      (stamp.backfilled ? BACKFILLED : 0);
    this.#double(stamp.effectiveAt);
    this.#double(post.author);
    this.#double(post.narrative);
    // Not-a-number stands for what is not known: no instant and no count is one.
    this.#double(post.authorCreatedAt ?? Number.NaN);
    this.#orNull(post.lang === null ? null : names.give(post.lang));
    this.#orNull(post.followers);
    this.#orNull(post.likes);
    this.#orNull(post.reposts);
    this.#orNull(post.replies);
    this.#number(slots.length);
    for (let i = 0; i < slots.length; i++)
      this.#number(slots[i]! * 4 + FORMS.indexOf(post.mentions[i]!.form));
    this.#number(post.objects.length);
    for (const object of post.objects) this.#double(object);
    this.#number(post.shingles.length);
    for (let i = 0; i < post.shingles.length; i++) {
      this.#bytes.writeUInt32LE(post.shingles[i]!, this.#end);
      this.#end += 4;
    }
    this.#end += this.#bytes.write(post.excerpt, this.#end, 'utf8');
    return this.#bytes.subarray(begin, this.#end);
  }

  #double(value: number): void {
    this.#end = this.#bytes.writeDoubleLE(value, this.#end);
  }

  /** Seven bits a byte, the last byte without the high bit. */
  #number(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#end++] = (rest % 128) + 128;
    this.#bytes[this.#end++] = rest;
  }

  #orNull(value: number | null): void {
    this.#number(value === null ? 0 : value + 1);
  }

  /** Older views keep the memory they were cut from. */
  #makeRoom({ mentions, objects, shingles, excerpt }: PackedPost): void {
    const most =
      FIXED_BYTES +
      LONGEST_NUMBER * (mentions.length + objects.length) +
      4 * shingles.length +
      LONGEST_UNIT * excerpt.length;
    if (this.#end + most <= this.#bytes.length) return;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length, 2 * most));
    this.#end = 0;
  }
}

export function unpackPost(
  bytes: Uint8Array,
  { names, tickers }: Dictionaries,
): { readonly stamp: PackedStamp; readonly post: PackedPost } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const double = (): number => {
    at += 8;
    return buffer.readDoubleLE(at - 8);
  };
  const number = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = buffer[at++]!;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  const orNull = (): number | null => {
    const value = number();
    return value === 0 ? null : value - 1;
  };

  const flags = buffer[at++]!;
  const effectiveAt = double();
  const author = double();
  const narrative = double();
  const authorCreatedAt = double();
  const lang = orNull();
  const [followers, likes, reposts, replies] = [orNull(), orNull(), orNull(), orNull()];
  const mentions: Mention[] = [];
  for (let left = number(); left > 0; left--) {
    const value = number();
    mentions.push({ ticker: tickers.text(Math.floor(value / 4)), form: FORMS[value % 4]! });
  }
  const objects: number[] = [];
  for (let left = number(); left > 0; left--) objects.push(double());
  const shingles = new Uint32Array(number());
  for (let i = 0; i < shingles.length; i++, at += 4) shingles[i] = buffer.readUInt32LE(at);
  return {
    stamp: { effectiveAt, backfilled: (flags & BACKFILLED) !== 0 },
    post: {
      author,
      mentions,
      providerTags: (flags & PROVIDER_TAGS) !== 0,
      financeContext: (flags & FINANCE_CONTEXT) !== 0,
      shingles,
      narrative,
      objects,
      excerpt: buffer.toString('utf8', at),
      lang: lang === null ? null : names.text(lang),
      authorCreatedAt: Number.isNaN(authorCreatedAt) ? null : authorCreatedAt,
      followers,
      likes,
      reposts,
      replies,
    },
  };
}
