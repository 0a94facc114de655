// Reads published cases and compares numbers the way their sources state tolerances.

import { expect } from 'vitest';

interface GoldenFile {
  readonly cases: readonly { readonly id: string }[];
}

/** The case with the given id, in the shape the test says it has. */
export function goldenCase<T>(file: GoldenFile, id: string): T {
  const found = file.cases.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found as unknown as T;
}

/** A table whose columns stand in an order of their own, as objects by column name. */
export function tableRows(file: GoldenFile, id: string): Record<string, number>[] {
  const { columns, rows } = goldenCase<{ columns: string[]; rows: number[][] }>(file, id);
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]!])));
}

/** Published numbers with null for NaN. */
export function numbers(values: readonly (number | string | null)[]): number[] {
  return values.map((value) => (value === null ? Number.NaN : Number(value)));
}

/** How far a result may be from the published digits. */
export interface Tolerance {
  readonly abs?: number;
  readonly rel?: number;
}

/** NaN expects NaN, an infinity itself, anything else a distance within the tolerance. */
export function expectClose(
  actual: number | undefined,
  expected: number,
  { abs = 0, rel = 0 }: Tolerance,
): void {
  if (Object.is(actual, expected)) return;
  if (actual === undefined || !Number.isFinite(expected)) expect.fail(`${actual} is not ${expected}`);
  const allowed = abs + rel * Math.abs(expected);
  const distance = Math.abs(actual - expected);
  // Spelt out only on failure: property tests come through here millions of times.
  if (!(distance <= allowed)) expect.fail(`${actual} is ${distance} from ${expected}, more than ${allowed}`);
}

/** expectClose over two lists of one length. */
export function expectAllClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: Tolerance,
): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i += 1) expectClose(actual[i], expected[i]!, tolerance);
}
