// Runs the built command line as a person does, and keeps what it said and how it ended.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/barograph.js', import.meta.url));

export interface Result {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

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
