// Packs rows into columns of byte planes: small on disk, exact at six significant digits, cheap to hash.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { roundSignificant } from '../../kernel/fingerprint.js';
import type { AnomalyBand, Row, RowState } from './frame.js';
import { ANOMALY_BANDS, ROW_STATES } from './frame.js';

/** Rows of one page share the upper bits of their slot. */
export const PAGE_SLOTS = 256;

/** A row whose ticker and denominator are kept elsewhere, under its slot and a reference. */
export type CodedRow = Omit<Row, 'ticker' | 'denominator'> & { readonly denominatorRef: number };

const FLOAT_COLUMNS = [
  'activity',
  'density',
  'share',
  'velocity',
  'surprise',
  'independence',
  'entityPrecision',
] as const;
const COUNT_COLUMNS = ['posts', 'authors', 'narratives', 'denominatorRef'] as const;

const VERSION = 1;
const HEADER_BYTES = 3;
/** slot, state and band, flags; then rank, the counts and the floats as four planes each. */
const BYTES_PER_ROW = 3 + 4 * (1 + COUNT_COLUMNS.length + FLOAT_COLUMNS.length);

/** The same four bytes as an integer and as a float. */
const INTEGER = new Uint32Array(1);
const FLOAT = new Float32Array(INTEGER.buffer);

export function encodePage(rows: readonly CodedRow[]): Uint8Array {
  const count = rows.length;
  const planes = new Uint8Array(count * BYTES_PER_ROW);
  const words = new DataView(new ArrayBuffer(4));
  const putWord = (plane: number, i: number): void => {
    for (let byte = 0; byte < 4; byte++) planes[(plane + byte) * count + i] = words.getUint8(byte);
  };
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    planes[i] = row.slot % PAGE_SLOTS;
    planes[count + i] = ROW_STATES.indexOf(row.state) * 16 + ANOMALY_BANDS.indexOf(row.band);
    planes[2 * count + i] = row.ambiguous ? 1 : 0;
    let plane = 3;
    words.setUint32(0, row.rank ?? 0);
    putWord(plane, i);
    for (const column of COUNT_COLUMNS) {
      plane += 4;
      words.setUint32(0, row[column]);
      putWord(plane, i);
    }
    for (const column of FLOAT_COLUMNS) {
      plane += 4;
      words.setFloat32(0, row[column] ?? Number.NaN);
      putWord(plane, i);
    }
  }
  const body = deflateRawSync(planes, { level: 1 });
  const page = new Uint8Array(HEADER_BYTES + body.length);
  page[0] = VERSION;
  page[1] = count >> 8;
  page[2] = count & 255;
  page.set(body, HEADER_BYTES);
  return page;
}

/** A decoded page; rows are built only when asked for. */
export interface RowPage {
  readonly count: number;
  /** Position of the slot in this page, or -1. */
  position(slot: number): number;
  row(position: number): CodedRow;
}

export function decodePage(page: Uint8Array, pageNumber: number): RowPage {
  if (page[0] !== VERSION) throw new Error(`row page of unknown version ${page[0]}`);
  const count = page[1]! * 256 + page[2]!;
  const planes = inflateRawSync(page.subarray(HEADER_BYTES));
  if (planes.length !== count * BYTES_PER_ROW) throw new Error('row page is cut short');
  const count32 = (plane: number, i: number): number => {
    const at = plane * count + i;
    const upper = (planes[at]! << 24) | (planes[at + count]! << 16);
    return (upper | (planes[at + 2 * count]! << 8) | planes[at + 3 * count]!) >>> 0;
  };
  const float = (plane: number, i: number): number | null => {
    INTEGER[0] = count32(plane, i);
    const value = FLOAT[0]!;
    return Number.isNaN(value) ? null : sixDigits(value);
  };
  return {
    count,
    position(slot) {
      const low = slot % PAGE_SLOTS;
      return Math.floor(slot / PAGE_SLOTS) === pageNumber ? planes.subarray(0, count).indexOf(low) : -1;
    },
    row(i) {
      const stateAndBand = planes[count + i]!;
      const rank = count32(3, i);
      return {
        slot: pageNumber * PAGE_SLOTS + planes[i]!,
        rank: rank === 0 ? null : rank,
        state: ROW_STATES[stateAndBand >> 4] as RowState,
        band: ANOMALY_BANDS[stateAndBand & 15] as AnomalyBand,
        ambiguous: planes[2 * count + i] === 1,
        posts: count32(7, i),
        authors: count32(11, i),
        narratives: count32(15, i),
        denominatorRef: count32(19, i),
        activity: float(23, i),
        density: float(27, i),
        share: float(31, i),
        velocity: float(35, i),
        surprise: float(39, i),
        independence: float(43, i),
        entityPrecision: float(47, i),
      };
    },
  };
}

/** The one rounding of served values. A 32-bit float holds six significant digits exactly, so it survives the tape. */
export function sixDigits(value: number): number {
  return roundSignificant(value, 6);
}

/** Bytes that `encodeRow` writes: state and band, flags, rank, three counts, the floats. */
export const ENCODED_ROW_BYTES = 2 + 4 * (4 + FLOAT_COLUMNS.length);

/** Writes the values of one row at a fixed width, for hashing. */
export function encodeRow(row: Omit<CodedRow, 'denominatorRef'>, into: Buffer, offset: number): void {
  let at = into.writeUInt8(ROW_STATES.indexOf(row.state) * 16 + ANOMALY_BANDS.indexOf(row.band), offset);
  at = into.writeUInt8(row.ambiguous ? 1 : 0, at);
  at = into.writeUInt32BE(row.rank ?? 0, at);
  at = into.writeUInt32BE(row.posts, at);
  at = into.writeUInt32BE(row.authors, at);
  at = into.writeUInt32BE(row.narratives, at);
  for (const column of FLOAT_COLUMNS) at = into.writeFloatBE(row[column] ?? Number.NaN, at);
}

/** Equal to the byte, as far as the tape can tell. */
export function sameRow(a: CodedRow, b: CodedRow): boolean {
  return (
    a.rank === b.rank &&
    a.state === b.state &&
    a.band === b.band &&
    a.ambiguous === b.ambiguous &&
    COUNT_COLUMNS.every((column) => a[column] === b[column]) &&
    FLOAT_COLUMNS.every((column) => a[column] === b[column])
  );
}
