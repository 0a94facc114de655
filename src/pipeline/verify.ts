// Recomputes recorded frames from the facts they could see and compares them with the tape and with the log.
import { recallAttention } from '../domain/attention/recall.js';
import type { RecordedHeader, Row } from '../domain/facts/frame.js';
import { RowLeaves } from '../domain/facts/row-leaves.js';
import { frameFingerprint } from '../domain/facts/seal.js';
import { type Instant, LATEST } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

export interface VerifySpan {
  readonly from: Instant;
  readonly to: Instant;
  /** An even sample of this many where there are more. */
  readonly most?: number;
}

export interface FrameCheck {
  readonly what: 'frame' | 'edition' | 'terms';
  readonly at: Instant;
  readonly recorded: string;
  /** Fingerprint of the rows that the archive gives back. */
  readonly stored: string;
  /** Fingerprint of the frame computed anew from the facts. */
  readonly recomputed: string;
  /** Whether the log says the same of it; frames from before the log began have nothing to contradict. */
  readonly stated?: boolean;
  readonly agrees: boolean;
}

export async function verifyFrame(archive: ArchiveReader, header: RecordedHeader): Promise<FrameCheck> {
  const { at, cycleSeconds, highWater, rowCount, fingerprint } = header;
  const rows = (await archive.boardAt(at)) ?? [];
  const stored = frameFingerprint(header, rows);
  const state = await recallAttention(archive, { knownBy: at, upToSequence: highWater });
  const tickers = [...(await archive.slots()).keys()].slice(0, rowCount);
  const recomputed = state.frame({ at, cycleSeconds, highWater, tickers }).header.fingerprint;
  const stated = await isStated(archive, header, rows);
  return {
    what: 'frame',
    at,
    recorded: fingerprint,
    stored,
    recomputed,
    stated,
    agrees: stored === fingerprint && recomputed === fingerprint && stated,
  };
}

/** The leaf of the frame names its fingerprint and the root over its rows. */
async function isStated(
  archive: ArchiveReader,
  { at, fingerprint }: RecordedHeader,
  rows: readonly Row[],
): Promise<boolean> {
  const frame = { kind: 'attention_frame', knownBy: LATEST, from: at, to: at, limit: 1 } as const;
  const [leaf] = await archive.statements(frame);
  if (leaf === undefined) return true;
  const root = new RowLeaves().tree(rows).root().toString('hex');
  return leaf.body['fingerprint'] === fingerprint && leaf.body['rows_root'] === root;
}

/** Checks every frame between two instants, or an even sample of them when there are more than `most`. */
export async function* verifyFrames(
  archive: ArchiveReader,
  { from, to, most }: VerifySpan,
): AsyncIterable<FrameCheck> {
  const headers: RecordedHeader[] = [];
  for await (const batch of archive.frames(from, to)) headers.push(...batch);
  for (const header of sampled(headers, most)) yield await verifyFrame(archive, header);
}

/** All, or an even sample of `most`. */
export function* sampled<T>(all: readonly T[], most = Number.POSITIVE_INFINITY): Generator<T> {
  const step = Math.max(1, all.length / most);
  for (let i = 0; i < all.length; i += step) yield all[Math.floor(i)]!;
}
