// Reads the recorded tape and the prices that followed it, as known by one instant, for the study of its signals.
import type { RecordedHeader, Row } from '../domain/facts/frame.js';
import { frameFingerprint } from '../domain/facts/seal.js';
import { type Closes, PriceTable } from '../domain/validation/forward-returns.js';
import { decisionOf } from '../domain/validation/panel.js';
import { VALIDATION } from '../domain/validation/parameters.js';
import type { Instant } from '../kernel/instant.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Pace } from './paced.js';

export interface GridFrame {
  readonly date: string;
  readonly header: RecordedHeader;
}

export interface ValidationTape {
  /** In alphabetical order; places everywhere are places in it. */
  readonly tickers: readonly string[];
  readonly closes: Closes;
  /** By place; 0 where a name has none. */
  readonly sector: Uint16Array;
  /** One per session that the tape covers, in the order of time. */
  readonly grid: readonly GridFrame[];
  readonly newest: RecordedHeader | null;
}

export async function readValidationTape(
  archive: ArchiveReader,
  asOf: Instant,
  pace: Pace,
): Promise<ValidationTape> {
  const tickers = [...(await archive.slots()).keys()].sort();
  const newest = await newestKnown(archive, asOf);
  const first = newest === null ? null : await firstFrame(archive, asOf);
  const table = new PriceTable(tickers);
  if (first !== null) {
    // A close is known after it is made: of sessions that the tape covers, none is known before its first frame.
    for await (const facts of archive.facts('price', { knownBy: asOf, after: first.at })) {
      table.takePrices(facts);
      await pace.rest();
    }
    for await (const facts of archive.facts('split', { knownBy: asOf })) table.takeSplits(facts);
  }
  const closes = table.settle();
  return {
    tickers,
    closes,
    sector: await sectorsOf(archive, asOf, tickers),
    grid: await gridOf(archive, closes, asOf, pace),
    newest,
  };
}

/** The rows of a grid frame, and whether they still are what was recorded. */
export async function auditedRows(
  archive: ArchiveReader,
  header: RecordedHeader,
): Promise<{ readonly rows: readonly Row[]; readonly agrees: boolean }> {
  const rows = (await archive.boardAt(header.at)) ?? [];
  return { rows, agrees: frameFingerprint(header, rows) === header.fingerprint };
}

async function newestKnown(archive: ArchiveReader, asOf: Instant): Promise<RecordedHeader | null> {
  const header = await archive.frameAt(asOf);
  return header === null || knownBy(header, asOf) ? header : archive.frameAt(header.at - 1);
}

/** A frame that was recorded when it was due is known from then on; one that was replayed counts from its boundary. */
function knownBy(header: RecordedHeader, asOf: Instant): boolean {
  return !decisionOf(header).observed || header.knownAt <= asOf;
}

async function firstFrame(archive: ArchiveReader, asOf: Instant): Promise<RecordedHeader | null> {
  for await (const headers of archive.frames(0, asOf)) if (headers[0] !== undefined) return headers[0];
  return null;
}

async function sectorsOf(
  archive: ArchiveReader,
  asOf: Instant,
  tickers: readonly string[],
): Promise<Uint16Array> {
  const sectors = new Map<string, string>();
  for await (const facts of archive.facts('asset', { knownBy: asOf }))
    for (const { body } of facts) sectors.set(body.ticker, body.sector ?? '');
  const names = [...new Set(['', ...sectors.values()])].sort();
  const number = new Map(names.map((name, i) => [name, i]));
  return Uint16Array.from(tickers, (ticker) => number.get(sectors.get(ticker) ?? '')!);
}

async function gridOf(
  archive: ArchiveReader,
  { sessions }: Closes,
  asOf: Instant,
  pace: Pace,
): Promise<GridFrame[]> {
  const grid: GridFrame[] = [];
  for (const { date, closeAt } of sessions) {
    const header = await archive.frameAt(closeAt - VALIDATION.gridLead);
    await pace.rest();
    if (header === null || closeAt - header.at > VALIDATION.maxFrameAge || !knownBy(header, asOf)) continue;
    if (grid.at(-1)?.header.at !== header.at) grid.push({ date, header });
  }
  return grid;
}
