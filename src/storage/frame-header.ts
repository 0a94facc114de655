// The part of a frame's header that no store searches by: one JSON text beside the columns.
import type { FrameHeader, RecordedHeader } from '../domain/facts/frame.js';

/** What stores keep in columns of their own. */
export type HeaderColumns = Pick<RecordedHeader, 'at' | 'sequence' | 'knownAt' | 'highWater' | 'fingerprint'>;

export function headerText(header: FrameHeader): string {
  const { at: _at, highWater: _highWater, fingerprint: _fingerprint, ...rest } = header;
  return JSON.stringify(rest);
}

export function headerOf(columns: HeaderColumns, text: string): RecordedHeader {
  const rest = JSON.parse(text) as Omit<FrameHeader, keyof HeaderColumns>;
  return { ...rest, ...columns };
}
