// The file of key records: watched by servers, rewritten whole by the keys command, one writer at a time.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeySource } from '../access/key-watch.js';
import { CommandFault } from './exit.js';

/** A record as it stands in the file; what is not understood is carried along unchanged. */
export type RawRecord = Readonly<Record<string, unknown>>;
interface KeyFile {
  readonly keys: readonly RawRecord[];
}

const PATIENCE_MS = 5_000;
/** No rewriting takes this long, so a lock of this age was left by a process that died. */
const STALE_MS = 30_000;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export function keyFileSource(file: string): KeySource {
  return {
    async stamp() {
      try {
        const { mtimeNs, size, ino } = await stat(file, { bigint: true });
        return `${mtimeNs} ${size} ${ino}`;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    read: () => readFile(file, 'utf8'),
  };
}

export async function readKeyFile(file: string): Promise<KeyFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return { keys: [] };
    throw error;
  }
  const fault = new CommandFault(`${file} is not a file of key records: mend or move it first`);
  try {
    const parsed = JSON.parse(text) as Partial<KeyFile> | null;
    if (!Array.isArray(parsed?.keys)) throw fault;
    return { ...parsed, keys: parsed.keys };
  } catch {
    throw fault;
  }
}

/** Reads, changes and replaces the records; nobody ever sees a half-written file, and two writers take turns. */
export async function changeKeyFile(
  file: string,
  change: (records: readonly RawRecord[]) => readonly RawRecord[],
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unlock = await lock(`${file}.lock`);
  try {
    const before = await readKeyFile(file);
    await replace(file, `${JSON.stringify({ ...before, keys: change(before.keys) }, null, 2)}\n`);
  } finally {
    await unlock();
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(draft, file);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return () => unlink(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await unlink(file).catch(() => {});
    else if (performance.now() > until) {
      throw new CommandFault(`another process is changing the keys; if none is, remove ${file}`);
    } else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
