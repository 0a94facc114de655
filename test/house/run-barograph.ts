// Runs the command line, and keeps what it said and how it ended.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { main } from '../../src/app/cli.js';

const BIN = fileURLToPath(new URL('../../bin/barograph.js', import.meta.url));

export interface Result {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** As a person does: the built one, in a process of its own. */
export function runBarograph(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [BIN, ...args],
      { env: { PATH: process.env['PATH'], ...environment }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) => resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** In this process, with its environment: spares the start where commands follow one another. */
export async function callBarograph(...args: readonly string[]): Promise<Result> {
  const said: [out: string[], err: string[]] = [[], []];
  const spies = [process.stdout, process.stderr].map((stream, i) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said[i]!.push(String(text));
      return true;
    }),
  );
  try {
    const status = await main(['node', 'barograph', ...args]);
    return { status, out: said[0].join(''), err: said[1].join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
