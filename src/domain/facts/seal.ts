// Seals a frame: one fingerprint over its header and every row, the same for a live and a recomputed frame.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Denominator, Frame, FrameHeader, Row } from './frame.js';
import { ENCODED_ROW_BYTES, encodeRow } from './row-codec.js';

const DENOMINATOR_TEXT = new WeakMap<Denominator, Buffer>();

/** Denominators change rarely and are shared between frames, so their bytes are made once. */
function denominatorBytes(denominator: Denominator): Buffer {
  const made = DENOMINATOR_TEXT.get(denominator);
  if (made) return made;
  const bytes = Buffer.from(canonicalJson(denominator));
  DENOMINATOR_TEXT.set(denominator, bytes);
  return bytes;
}

export function sealFrame(header: Omit<FrameHeader, 'fingerprint'>, rows: readonly Row[]): Frame {
  return { header: { ...header, fingerprint: frameFingerprint(header, rows) }, rows };
}

export function frameFingerprint(header: Omit<FrameHeader, 'fingerprint'>, rows: readonly Row[]): string {
  const { at, cycleSeconds, highWater, newestKnownAt, postsUsed, postsBackfilled, rowCount, sourceSet } =
    header;
  const hash = createHash('sha256').update(
    canonicalJson({
      schema: 'barograph.attention.frame.v1',
      at,
      cycleSeconds,
      highWater,
      newestKnownAt,
      postsUsed,
      postsBackfilled,
      rowCount,
      sourceSet,
    }),
  );
  const fixed = Buffer.alloc(ENCODED_ROW_BYTES * rows.length);
  const texts: Buffer[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    encodeRow(row, fixed, i * ENCODED_ROW_BYTES);
    texts.push(Buffer.from(`${row.slot} ${row.ticker} `), denominatorBytes(row.denominator));
  }
  return `sha256:${hash.update(fixed).update(Buffer.concat(texts)).digest('hex')}`;
}
