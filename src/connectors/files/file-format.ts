// How a file writes its records: its name says it, and where the name is silent its first line does.
import { FactFileError } from './fact-file-error.js';

export type FileFormat = 'ndjson' | 'csv';

const ENDINGS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(?:ndjson|jsonl)(?:\.gz)?$/i, 'ndjson'],
  [/\.csv(?:\.gz)?$/i, 'csv'],
];

/** Null for names that say nothing. A first line that is broken must not decide about all the others. */
export function formatOfName(path: string): FileFormat | null {
  return ENDINGS.find(([ending]) => ending.test(path))?.[1] ?? null;
}

export function formatOfLine(text: string): FileFormat {
  const first = text.trimStart()[0];
  if (first === '[') throw new FactFileError('the file is a JSON array; write one object a line');
  return first === '{' ? 'ndjson' : 'csv';
}
