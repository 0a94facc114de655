// Where an export goes: a file or standard output, and with `--json` a summary where it cannot get among the data.
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CommandFault, FaultAfterOutput } from '../exit.js';

export interface OutputOptions {
  readonly out?: string;
  readonly json?: boolean;
}

export const OUT_OPTION = ['--out <file>', 'where to write it; standard output when absent'] as const;
export const JSON_OPTION = [
  '--json',
  'print a summary as JSON; on standard error when the table itself is on standard output',
] as const;

/** `write` returns how many rows it wrote. */
export async function writeOut(
  exported: { readonly table: string; readonly format: string },
  { out, json }: OutputOptions,
  write: (to: Writable) => Promise<number>,
): Promise<void> {
  const rows = out === undefined ? await ontoOutput(write) : await intoFile(out, write);
  if (!json) return;
  const summary = JSON.stringify({ ...exported, rows, file: out ?? null });
  (out === undefined ? process.stderr : process.stdout).write(`${summary}\n`);
}

/** A reader that has seen enough, such as `head`, closes the pipe: that ends the export, and nobody counts the rows. */
function ontoOutput(write: (to: Writable) => Promise<number>): Promise<number | null> {
  return write(process.stdout).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return null;
    throw new FaultAfterOutput(error);
  });
}

/** The archive is open before the file is touched: a mistyped folder must not empty an earlier export. */
async function intoFile(path: string, write: (to: Writable) => Promise<number>): Promise<number> {
  const file = await open(path, 'w').catch((error: Error) => {
    throw new CommandFault(`${path} cannot be written: ${error.message}`);
  });
  const to = file.createWriteStream();
  try {
    const rows = await write(to);
    to.end();
    await finished(to);
    return rows;
  } catch (error) {
    to.destroy();
    throw error;
  }
}
