// Reads recorded frames: a header, one row, or the whole board, each with index seeks only.
import {
  DENOMINATOR_STATES,
  type Denominator,
  type RecordedHeader,
  type Row,
} from '../../domain/facts/frame.js';
import { type CodedRow, PAGE_SLOTS } from '../../domain/facts/row-codec.js';
import type { Instant } from '../../kernel/instant.js';
import type { SlotRange } from '../../ports/archive.js';
import { wholeRow } from '../coded-row.js';
import { type HeaderColumns, headerOf } from '../frame-header.js';
import { viewPage } from '../tape-pages.js';
import { run, type Sql } from './driver.js';

const HEADER =
  'SELECT at, sequence, known_at AS "knownAt", high_water AS "highWater", fingerprint, header FROM barograph.frames';
/** The version of a page that holds at $1, with its key page where it is a differential one. */
const PAGE = `SELECT v.bytes, CASE WHEN v.key_frame <> v.frame THEN
    (SELECT k.bytes FROM barograph.tape_pages k WHERE k.page = v.page AND k.frame = v.key_frame) END AS key
  FROM barograph.tape_pages v`;

const MOST_SLOTS = 2 ** 31;

type HeaderRow = HeaderColumns & { readonly header: string };

interface PageRow {
  readonly bytes: Buffer;
  readonly key: Buffer | null;
}

interface DenominatorRow extends Omit<Denominator, 'state'> {
  readonly ref: number;
  readonly state: number;
}

export interface BoardEntry {
  readonly row: CodedRow;
  readonly denominator: Denominator;
}

const recorded = ({ header, ...columns }: HeaderRow): RecordedHeader => headerOf(columns, header);

export async function readFrameAt(sql: Sql, at: Instant): Promise<RecordedHeader | null> {
  const [row] = await run<HeaderRow>(sql, `${HEADER} WHERE at <= $1 ORDER BY at DESC LIMIT 1`, [at]);
  return row === undefined ? null : recorded(row);
}

export async function readFrames(
  sql: Sql,
  from: Instant,
  to: Instant,
  limit: number,
): Promise<readonly RecordedHeader[]> {
  const text = `${HEADER} WHERE at >= $1 AND at <= $2 ORDER BY at LIMIT $3`;
  return (await run<HeaderRow>(sql, text, [from, to, limit])).map(recorded);
}

export async function readRow(sql: Sql, at: Instant, ticker: string): Promise<Row | null> {
  const [found] = await run<PageRow & { slot: number }>(
    sql,
    `SELECT s.slot, p.bytes, p.key FROM barograph.slots s
     JOIN barograph.frames f ON f.at = $1
     JOIN LATERAL (${PAGE} WHERE v.page = s.slot / ${PAGE_SLOTS} AND v.frame <= $1 ORDER BY v.frame DESC LIMIT 1) p
       ON true
     WHERE s.ticker = $2`,
    [at, ticker],
  );
  if (found === undefined) return null;
  const page = Math.floor(found.slot / PAGE_SLOTS);
  const coded = viewPage(page, found.bytes, found.key).row(found.slot);
  if (coded === null) return null;
  const denominators = await readDenominators(sql, [coded.denominatorRef]);
  return wholeRow(coded, ticker, denominatorFor(denominators, coded.denominatorRef));
}

/** In slot order; null where no frame was recorded for exactly this boundary. */
export async function readBoard(
  sql: Sql,
  at: Instant,
  [from, to]: SlotRange = [0, MOST_SLOTS],
): Promise<readonly BoardEntry[] | null> {
  const [frame] = await run(sql, 'SELECT 1 FROM barograph.frames WHERE at = $1', [at]);
  if (frame === undefined) return null;
  const pages = await run<PageRow & { page: number }>(
    sql,
    `SELECT n.page, p.bytes, p.key
     FROM generate_series($2::int, least($3::int, (SELECT coalesce(max(slot), 0) / ${PAGE_SLOTS} FROM barograph.slots)))
       n (page)
     JOIN LATERAL (${PAGE} WHERE v.page = n.page AND v.frame <= $1 ORDER BY v.frame DESC LIMIT 1) p ON true
     ORDER BY n.page`,
    [at, Math.floor(from / PAGE_SLOTS), Math.ceil(to / PAGE_SLOTS) - 1],
  );
  const rows = pages
    .flatMap(({ page, bytes, key }) => viewPage(page, bytes, key).rows())
    .filter(({ slot }) => slot >= from && slot < to);
  const denominators = await readDenominators(sql, [...new Set(rows.map((row) => row.denominatorRef))]);
  return rows.map((row) => ({ row, denominator: denominatorFor(denominators, row.denominatorRef) }));
}

async function readDenominators(
  sql: Sql,
  refs: readonly number[],
): Promise<ReadonlyMap<number, Denominator>> {
  const rows = await run<DenominatorRow>(
    sql,
    `SELECT ref, state, usd_billions AS "usdBillions", shares, shares_known_at AS "sharesKnownAt",
       shares_source AS "sharesSource", close, close_date AS "closeDate"
     FROM barograph.denominators WHERE ref = ANY($1::bigint[])`,
    [refs],
  );
  return new Map(
    rows.map(({ ref, state, ...rest }) => [ref, { state: DENOMINATOR_STATES[state]!, ...rest }]),
  );
}

function denominatorFor(denominators: ReadonlyMap<number, Denominator>, ref: number): Denominator {
  const found = denominators.get(ref);
  if (found === undefined) throw new Error(`denominator ${ref} is missing from the tape`);
  return found;
}
