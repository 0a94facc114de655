// Posts as the first files kept them, a column a member: read once more, to be packed.
import type { FactOf } from '../../domain/facts/fact.js';
import type { Mention, MentionForm } from '../../domain/facts/post.js';
import { bytesIn, type Cells, type Connection, numberIn, textIn } from './connection.js';
import { type Dictionaries, Dictionary } from './dictionary.js';
import { POST_SCHEMA, PostInserts } from './post-table.js';

const FORMS: readonly MentionForm[] = ['tagged', 'cashtag', 'bare'];
const PROVIDER_TAGS = 1;
const FINANCE_CONTEXT = 2;
const ROWS_PER_READ = 2_000;

export const FIRST_POST_TABLE = `
CREATE TABLE post(sequence INTEGER PRIMARY KEY, known_at INTEGER NOT NULL, effective_at INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES name, backfilled INTEGER NOT NULL, provider INTEGER NOT NULL, id TEXT NOT NULL,
  author INTEGER NOT NULL, narrative INTEGER NOT NULL, flags INTEGER NOT NULL, mentions BLOB NOT NULL,
  shingles BLOB NOT NULL, objects BLOB, excerpt TEXT NOT NULL, lang INTEGER, author_created_at INTEGER,
  followers INTEGER, likes INTEGER, reposts INTEGER, replies INTEGER) STRICT;
CREATE UNIQUE INDEX post_identity ON post(provider, id);
CREATE INDEX post_known ON post(known_at);`;

/** Every post keeps its sequence number and its stamps; only the form of the row changes. */
export function packStoredPosts(connection: Connection): void {
  connection.exec(`DROP INDEX post_identity; DROP INDEX post_known; ALTER TABLE post RENAME TO post_columns;
${POST_SCHEMA}`);
  const dictionaries = {
    names: new Dictionary(connection, 'name'),
    tickers: new Dictionary(connection, 'ticker'),
  };
  const read = connection.prepare('SELECT * FROM post_columns WHERE sequence > ? ORDER BY sequence LIMIT ?');
  const inserts = new PostInserts(connection, dictionaries);
  for (let last = 0; ; ) {
    const rows = read.all(last, ROWS_PER_READ);
    for (const cells of rows) {
      const fact = postIn(cells, dictionaries);
      const slots = fact.body.mentions.map(({ ticker }) => dictionaries.tickers.find(ticker)!);
      if (!inserts.put(fact, slots))
        throw new Error(`the post with sequence ${fact.sequence} is stored twice`);
    }
    if (rows.length < ROWS_PER_READ) break;
    last = numberIn(rows.at(-1)![0]);
  }
  connection.exec('DROP TABLE post_columns');
}

function postIn(cells: Cells, { names, tickers }: Dictionaries): FactOf<'post'> {
  const flags = numberIn(cells[9]);
  return {
    sequence: numberIn(cells[0]),
    knownAt: numberIn(cells[1]),
    effectiveAt: numberIn(cells[2]),
    source: names.text(numberIn(cells[3])),
    backfilled: cells[4] === 1,
    body: {
      kind: 'post',
      provider: names.text(numberIn(cells[5])),
      id: textIn(cells[6]),
      author: numberIn(cells[7]),
      narrative: numberIn(cells[8]),
      providerTags: (flags & PROVIDER_TAGS) !== 0,
      financeContext: (flags & FINANCE_CONTEXT) !== 0,
      mentions: mentionsIn(bytesIn(cells[10]), tickers),
      shingles: new Uint32Array(bytesIn(cells[11]).slice().buffer),
      objects: cells[12] === null ? [] : Array.from(new Float64Array(bytesIn(cells[12]).slice().buffer)),
      excerpt: textIn(cells[13]),
      lang: cells[14] === null ? null : names.text(numberIn(cells[14])),
      authorCreatedAt: cells[15] as number | null,
      followers: cells[16] as number | null,
      likes: cells[17] as number | null,
      reposts: cells[18] as number | null,
      replies: cells[19] as number | null,
    },
  };
}

/** Slot and form in one number, seven bits a byte, the last byte without the high bit. */
function mentionsIn(bytes: Uint8Array, tickers: Dictionary): Mention[] {
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
