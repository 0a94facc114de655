// Puts stamped facts into their tables, within the transaction of their batch.
import type { Fact } from '../../domain/facts/fact.js';
import { tickersIn } from '../stamping.js';
import type { Cell } from './binary-copy.js';
import { copyInto } from './copy.js';
import type { Sql } from './driver.js';
import { columnsOf, FACT_KINDS, rowOf, tableOf } from './fact-tables.js';
import { assertIdentities } from './identity-tables.js';
import type { NameDraft } from './names.js';

export async function writeFacts(sql: Sql, facts: readonly Fact[], names: NameDraft): Promise<void> {
  // Slots follow the order of appearance in the batch, not the order of the tables.
  for (const { body } of facts) for (const ticker of tickersIn(body)) names.slotOf(ticker);
  for (const kind of FACT_KINDS) {
    const rows = facts.filter(({ body }) => body.kind === kind).map((fact) => rowOf(fact, names));
    await copyInto(sql, tableOf(kind).table, columnsOf(kind), rows);
  }
  await copyInto(
    sql,
    'post_keys',
    [
      ['provider', 'int2'],
      ['id', 'text'],
    ],
    postKeys(facts, names),
  );
  await copyInto(
    sql,
    'post_mentions',
    [
      ['known_at', 'int8'],
      ['sequence', 'int8'],
      ['slot', 'int4'],
      ['source', 'int2'],
    ],
    mentions(facts, names),
  );
  await assertIdentities(sql, facts);
  await names.store(sql);
}

function* postKeys(facts: readonly Fact[], names: NameDraft): Generator<readonly Cell[]> {
  for (const { body } of facts) if (body.kind === 'post') yield [names.sourceId(body.provider), body.id];
}

/** A post that names a ticker twice mentions it once. */
function* mentions(facts: readonly Fact[], names: NameDraft): Generator<readonly Cell[]> {
  for (const { body, knownAt, sequence, source } of facts) {
    if (body.kind !== 'post') continue;
    for (const ticker of new Set(tickersIn(body))) {
      yield [knownAt, sequence, names.slotOf(ticker), names.sourceId(source)];
    }
  }
}
