// Writes the lines that an import refused beside the imported file, so that they can be mended and tried again.
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type RejectedLine, SHOWN_CHARACTERS } from './fact-batches.js';

export interface RejectFile {
  readonly path: string;
  add(rejected: RejectedLine): Promise<void>;
  /** Returns how many lines were written; when none, there is no file. */
  close(): Promise<number>;
}

const SUFFIX = '.rejected';
const BLOCK_CHARACTERS = 64 * 1024;

/** One line a reject: `line <n>: <reason>`, a tab, and the record with its line breaks written as `\n` and `\r`. */
export function createRejectFile(importedPath: string): RejectFile {
  const path = `${importedPath}${SUFFIX}`;
  let file: FileHandle | null = null;
  let waiting = '';
  let count = 0;
  const flush = async (): Promise<void> => {
    const block = waiting;
    waiting = '';
    if (file !== null) await file.writeFile(block);
  };
  return {
    path,
    async add(rejected) {
      if (file === null) {
        // Removed and made anew: what an earlier import left must not be mixed in, and a link is not followed.
        await rm(path, { force: true });
        file = await open(path, 'wx');
      }
      waiting += rejectLine(rejected);
      count += 1;
      if (waiting.length >= BLOCK_CHARACTERS) await flush();
    },
    async close() {
      try {
        // Nothing was refused this time: the rejects of an earlier import no longer hold.
        if (file === null && count === 0) await rm(path, { force: true });
        await flush();
      } finally {
        await file?.close();
        file = null;
      }
      return count;
    },
  };
}

function rejectLine({ line, reason, text }: RejectedLine): string {
  const flat = text
    .slice(0, SHOWN_CHARACTERS)
    .replace(/\r$/, '')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `line ${line}: ${reason}\t${flat}\n`;
}
