// Puts one frame onto the tape, within its transaction.
import { DENOMINATOR_STATES, type RecordedHeader } from '../../domain/facts/frame.js';
import { headerText } from '../frame-header.js';
import type { TapePlan } from '../tape-pages.js';
import type { Column } from './binary-copy.js';
import { copyInto } from './copy.js';
import { run, type Sql } from './driver.js';

const PAGES: readonly Column[] = [
  ['frame', 'int8'],
  ['key_frame', 'int8'],
  ['page', 'int4'],
  ['bytes', 'bytea'],
];
const DENOMINATORS: readonly Column[] = [
  ['ref', 'int8'],
  ['state', 'int2'],
  ['usd_billions', 'float8'],
  ['shares', 'float8'],
  ['shares_known_at', 'int8'],
  ['shares_source', 'text'],
  ['close', 'float8'],
  ['close_date', 'text'],
];

export async function writeFrame(
  sql: Sql,
  header: RecordedHeader,
  { pages, denominators }: TapePlan,
): Promise<void> {
  const { sequence, knownAt, ...rest } = header;
  await run(
    sql,
    `INSERT INTO barograph.frames (at, sequence, known_at, high_water, fingerprint, header)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [header.at, sequence, knownAt, header.highWater, header.fingerprint, headerText(rest)],
  );
  await copyInto(
    sql,
    'tape_pages',
    PAGES,
    pages.map(({ page, keyFrame, bytes }) => [header.at, keyFrame, page, bytes]),
  );
  await copyInto(
    sql,
    'denominators',
    DENOMINATORS,
    denominators.map(({ ref, denominator: d }) => [
      ref,
      DENOMINATOR_STATES.indexOf(d.state),
      d.usdBillions,
      d.shares,
      d.sharesKnownAt,
      d.sharesSource,
      d.close,
      d.closeDate,
    ]),
  );
}
