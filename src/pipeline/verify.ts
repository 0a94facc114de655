// Recomputes recorded frames from the facts they could see and compares fingerprints.
import { recallAttention } from '../domain/attention/recall.js';
import type { RecordedHeader } from '../domain/facts/frame.js';
import { frameFingerprint } from '../domain/facts/seal.js';
import type { Instant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';

export interface FrameCheck {
  readonly at: Instant;
  readonly recorded: string;
  /** Fingerprint of the rows that the archive gives back. */
  readonly stored: string;
  /** Fingerprint of the frame computed anew from the facts. */
  readonly recomputed: string;
  readonly agrees: boolean;
}

export async function verifyFrame(archive: ArchiveReader, header: RecordedHeader): Promise<FrameCheck> {
  const { at, cycleSeconds, highWater, rowCount, fingerprint } = header;
  const rows = (await archive.boardAt(at)) ?? [];
  const stored = frameFingerprint(header, rows);
  const state = await recallAttention(archive, { knownBy: at, upToSequence: highWater });
  const tickers = [...(await archive.slots()).keys()].slice(0, rowCount);
  const recomputed = state.frame({ at, cycleSeconds, highWater, tickers }).header.fingerprint;
  return {
    at,
    recorded: fingerprint,
    stored,
    recomputed,
    agrees: stored === fingerprint && recomputed === fingerprint,
  };
}

/** Checks every frame between two instants, or an even sample of them when there are more than `most`. */
export async function* verifyFrames(
  archive: ArchiveReader,
  { from, to, most = Number.POSITIVE_INFINITY }: { from: Instant; to: Instant; most?: number },
): AsyncIterable<FrameCheck> {
  const headers: RecordedHeader[] = [];
  for await (const batch of archive.frames(from, to)) headers.push(...batch);
  const step = Math.max(1, headers.length / most);
  for (let i = 0; i < headers.length; i += step) yield await verifyFrame(archive, headers[Math.floor(i)]!);
}
