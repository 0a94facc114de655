// Puts what the log has grown by into its tables, within the caller's transaction.
import { keepText } from '../kept-text.js';
import type { Growth, NewLeaf } from '../leaves.js';
import { placeNumber } from '../tree-store.js';
import type { Column } from './binary-copy.js';
import { copyInto } from './copy.js';
import { run, type Sql } from './driver.js';

const ATTACHMENTS: readonly Column[] = [
  ['place', 'int8'],
  ['deflated', 'bool'],
  ['bytes', 'bytea'],
];

/** Leaves and nodes in one statement: a frame has few, and each statement is a way to the server and back. */
const GROW = `WITH nodes AS (
    INSERT INTO barograph.tree_nodes (place, hash)
    SELECT place, decode(hash, 'hex') FROM unnest($1::bigint[], $2::text[]) node (place, hash)
  )
  INSERT INTO barograph.leaves (place, sequence, known_at, at, kind, subject, body, attachment_sha256)
  SELECT * FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[])`;

export async function writeGrowth(sql: Sql, { leaves, nodes }: Growth): Promise<void> {
  if (leaves.length === 0) return;
  const each = <T>(read: (leaf: NewLeaf['stated']) => T): T[] => leaves.map(({ stated }) => read(stated));
  await run(sql, GROW, [
    nodes.map(placeNumber),
    nodes.map(({ hash }) => hash.toString('hex')),
    each(({ index }) => index),
    each(({ sequence }) => sequence),
    each(({ knownAt }) => knownAt),
    each(({ at }) => at),
    each(({ kind }) => kind),
    each(({ subject }) => subject),
    leaves.map(({ body }) => body),
    each(({ attachmentSha256 }) => attachmentSha256),
  ]);
  await copyInto(sql, 'leaf_attachments', ATTACHMENTS, attachmentRows(leaves));
}

function* attachmentRows(leaves: readonly NewLeaf[]): Generator<readonly [number, boolean, Uint8Array]> {
  for (const { stated, attachment } of leaves) {
    if (attachment === null) continue;
    const { bytes, deflated } = keepText(attachment);
    yield [stated.index, deflated, bytes];
  }
}
