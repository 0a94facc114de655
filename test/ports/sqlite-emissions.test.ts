// Questions about events are answered by seeks in the order of the answer, never by sorting or by reading the whole table.
import { expect, it } from 'vitest';
import type { EmissionQuery } from '../../src/domain/facts/emission.js';
import { LATEST } from '../../src/kernel/instant.js';
import { Connection } from '../../src/storage/sqlite/connection.js';
import { readEmissions } from '../../src/storage/sqlite/emissions.js';
import { prepareFile } from '../../src/storage/sqlite/schema.js';

const connection = new Connection(':memory:');
prepareFile(connection, ':memory:');

function planOf(query: Partial<EmissionQuery>): string {
  const texts: string[] = [];
  const listening = {
    prepare(sql: string) {
      texts.push(sql);
      return connection.prepare(sql);
    },
  } as unknown as Connection;
  readEmissions(listening, { kind: 'signal', knownBy: LATEST, newest: true, limit: 1, ...query });
  const [text] = texts;
  return connection
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map((cells) => cells.at(-1))
    .join('; ');
}

const before = { types: ['attention.band_changed'], beforeSequence: 9 };

it.each<[string, Partial<EmissionQuery>, string]>([
  [
    'the last of a kind for a ticker',
    { ...before, ticker: 'NVDA' },
    'emission_type (kind=? AND type=? AND ticker=? AND sequence<?)',
  ],
  [
    'the last of a kind for no ticker',
    { ...before, ticker: null },
    'emission_type (kind=? AND type=? AND ticker=? AND sequence<?)',
  ],
  [
    'several kinds for a ticker',
    { types: ['a', 'b'], ticker: 'NVDA' },
    'emission_ticker (kind=? AND ticker=?)',
  ],
  ['one kind for everybody', { types: ['a'] }, 'emission_kind (kind=?)'],
  ['between two instants', { from: 1, to: 2 }, 'emission_kind (kind=? AND sequence>? AND sequence<?)'],
  ['behind a cursor', { afterSequence: 7, newest: false }, 'emission_kind (kind=? AND sequence>?)'],
])('%s', (_, query, index) => {
  const plan = planOf(query);
  expect(plan).toContain(`SEARCH emission USING INDEX ${index}`);
  expect(plan).not.toMatch(/SCAN (emission|frame)|TEMP B-TREE/);
});
