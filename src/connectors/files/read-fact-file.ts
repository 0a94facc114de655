// Reads a file of facts from front to back in constant memory: CSV or one JSON object a line, plain or gzip.
import type { Clock } from '../../kernel/instant.js';
import { type Admit, FactBatches, type Gathered } from './fact-batches.js';
import { type FileBytes, openFileBytes } from './file-bytes.js';
import { type FileFormat, formatOfName } from './file-format.js';
import { IDENTITY_RECORD } from './identity-record.js';
import { ASSET_RECORD, PRICE_RECORD, SHARES_RECORD, SPLIT_RECORD } from './market-records.js';
import { COUNT_RECORD, SERIES_RECORD } from './observation-records.js';
import { POST_RECORD } from './post-record.js';
import type { Intake, ReleaseOf } from './record-kind.js';

export const FILE_KINDS = [
  'assets',
  'posts',
  'counts',
  'prices',
  'shares',
  'splits',
  'series',
  'identities',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const INTAKES: Readonly<Record<FileKind, Intake>> = {
  assets: { into: 'facts', kind: ASSET_RECORD },
  posts: { into: 'posts', kind: POST_RECORD },
  counts: { into: 'facts', kind: COUNT_RECORD },
  prices: { into: 'facts', kind: PRICE_RECORD },
  shares: { into: 'facts', kind: SHARES_RECORD },
  splits: { into: 'facts', kind: SPLIT_RECORD },
  series: { into: 'facts', kind: SERIES_RECORD },
  identities: { into: 'facts', kind: IDENTITY_RECORD },
};

export interface FactBatch extends Gathered {
  /** Bytes taken from the file since it began, and its size; both packed when the file is gzip. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

export interface FactFileOptions {
  /** Records that claim to be known later than this clock are refused. */
  readonly clock: Clock;
  /** The source of facts whose records name no provider. */
  readonly source?: string;
  /** For series without `known_at`; where it is absent all of them are refused. */
  readonly releaseOf?: ReleaseOf;
  /** Called after each line, with its number. */
  readonly onLine?: (line: number) => void;
  /** Looks at every fact that could be read; posts pass without. */
  readonly admit?: Admit;
  readonly signal?: AbortSignal;
}

export const IMPORT_SOURCE = 'import';

/** Throws `FactFileError` when the file cannot be read, or not to its end; all good lines before come first. */
export async function* readFactFile(
  path: string,
  kind: FileKind,
  options: FactFileOptions,
): AsyncGenerator<FactBatch, void, void> {
  options.signal?.throwIfAborted();
  yield* readFactBytes(await openFileBytes(path), kind, options, formatOfName(path));
}

export async function* readFactBytes(
  bytes: FileBytes,
  kind: FileKind,
  { clock, source = IMPORT_SOURCE, releaseOf = () => null, onLine, admit, signal }: FactFileOptions,
  format: FileFormat | null = null,
): AsyncGenerator<FactBatch, void, void> {
  const batches = new FactBatches(INTAKES[kind], { clock, source, format, releaseOf, onLine, admit });
  const measured = (gathered: Gathered): FactBatch => ({
    ...gathered,
    bytesRead: bytes.read(),
    bytesTotal: bytes.total,
  });
  let failure: { readonly error: unknown } | null = null;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failure = { error };
    }
  };
  const chunks = bytes.chunks[Symbol.asyncIterator]();
  try {
    while (failure === null) {
      const next = await chunks.next().catch((error: unknown) => {
        failure = { error };
        return null;
      });
      if (next === null || next.done) break;
      attempt(() => batches.push(next.value));
      for (const gathered of batches.full()) yield measured(gathered);
      attempt(() => signal?.throwIfAborted());
    }
    if (failure === null) attempt(() => batches.end());
    for (const gathered of batches.full()) yield measured(gathered);
    yield measured(batches.rest());
  } finally {
    await chunks.return?.();
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}
