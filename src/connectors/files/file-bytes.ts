// The bytes of a file from front to back, unpacked when they are gzip, whatever the file is called.
import { access, constants, type FileHandle, open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { FactFileError } from './fact-file-error.js';

const CHUNK_BYTES = 256 * 1024;
/** Deflate packs at most 1,032 to one, so this bounds what one step of unpacking can put into memory. */
const GZIP_STEP_BYTES = 32 * 1024;

export interface FileBytes {
  /** Size of the file; 0 where it has none, as a pipe. */
  readonly total: number;
  /** Bytes taken from the file so far, packed as they lie there. */
  read(): number;
  /** A chunk is only valid until the next one is asked for. */
  readonly chunks: AsyncIterable<Buffer>;
}

export async function openFileBytes(path: string): Promise<FileBytes> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    const { size } = await file.stat();
    let taken = 0;
    const raw = rawChunks(file, (bytes) => {
      taken += bytes;
    });
    return { total: size, read: () => taken, chunks: unpacked(raw) };
  } catch (error) {
    await file?.close();
    throw unreadable(error);
  }
}

/** Throws as opening would, but opens nothing: a pipe can be opened only once. */
export async function requireReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isDirectory()) throw new FactFileError(PLAIN_WORDS['EISDIR']!);
  } catch (error) {
    throw unreadable(error);
  }
}

async function* rawChunks(file: FileHandle, taken: (bytes: number) => void): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    let held = 0;
    let first = true;
    for (;;) {
      const { bytesRead } = await file.read(buffer, held, CHUNK_BYTES - held);
      taken(bytesRead);
      held += bytesRead;
      // A pipe may hand over a single byte, and gzip is told by two.
      if (first && held === 1 && bytesRead > 0) continue;
      if (held > 0) yield buffer.subarray(0, held);
      if (bytesRead === 0) return;
      held = 0;
      first = false;
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    await file.close();
  }
}

async function* unpacked(raw: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await raw.next();
  if (first.done) return;
  const chunks = startingWith(first.value, raw);
  yield* first.value[0] === 0x1f && first.value[1] === 0x8b ? gunzip(chunks) : chunks;
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Reading the unpacker as a stream would lose what it has ready at the moment it fails.
 * So it is fed by hand and emptied after each step: all that came before a fault is delivered.
 */
async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = createGunzip({ chunkSize: CHUNK_BYTES });
  const ready: Buffer[] = [];
  let fault: Error | null = null;
  let wake = (): void => {};
  unpacker.on('data', (chunk: Buffer) => ready.push(chunk));
  unpacker.on('error', (error) => {
    fault = error;
  });
  // An unpacker that fails forgets the write it failed in; its end always comes.
  unpacker.on('close', () => wake());
  const untilWoken = (start: () => void): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      start();
    });
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += GZIP_STEP_BYTES) {
        const piece = chunk.subarray(at, at + GZIP_STEP_BYTES);
        await untilWoken(() => unpacker.write(piece, () => wake()));
        yield* ready.splice(0);
        if (fault !== null) throw damaged(fault);
      }
    }
    await untilWoken(() => unpacker.end());
    yield* ready.splice(0);
    if (fault !== null) throw damaged(fault);
  } finally {
    unpacker.destroy();
  }
}

function damaged(error: Error): FactFileError {
  const short = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
  return new FactFileError(short ? 'the gzip data end too early' : 'the gzip data are damaged', error);
}

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be read',
  EPERM: 'the file may not be read',
  EISDIR: 'this is a folder',
};

function unreadable(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === undefined
    ? error
    : new FactFileError(PLAIN_WORDS[code] ?? `the file cannot be read (${code})`, error);
}
