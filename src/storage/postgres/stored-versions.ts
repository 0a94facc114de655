// Finds, before a batch is stamped, what the archive already holds of it.
import type { FactKind, Report } from '../../domain/facts/fact.js';
import { naturalKey, type Stored, type Version } from '../stamping.js';
import { run, type Sql } from './driver.js';
import type { FactTable, Row } from './fact-table.js';
import { columnsOf, FACT_KINDS, factOf, tableOf } from './fact-tables.js';
import type { NameBook, Numbers } from './names.js';

/** Stands for names that no row can have. */
const NOBODY = -1;
const VERSIONED = FACT_KINDS.filter((kind) => kind !== 'post');

export async function readStored(sql: Sql, reports: readonly Report[], book: NameBook): Promise<Stored> {
  const versions = new Map<string, Version[]>();
  const [seen] = await Promise.all([
    seenPosts(sql, reports, book),
    ...VERSIONED.map((kind) => collectVersions(sql, kind, reports, book, versions)),
  ]);
  return {
    seenPost: (provider, id) => seen.get(provider)?.has(id) ?? false,
    versions: (key) => versions.get(key) ?? [],
  };
}

async function seenPosts(
  sql: Sql,
  reports: readonly Report[],
  book: NameBook,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ids = new Map<string, string[]>();
  for (const { body } of reports) {
    if (body.kind !== 'post') continue;
    const list = ids.get(body.provider);
    if (list === undefined) ids.set(body.provider, [body.id]);
    else list.push(body.id);
  }
  const seen = new Map<string, ReadonlySet<string>>();
  for (const [provider, asked] of ids) {
    // LIMIT and, below, OFFSET keep the planner from turning the join round: one index seek for each key, always.
    const text = `SELECT asked.id FROM unnest($2::text[]) asked (id) CROSS JOIN LATERAL
      (SELECT 1 FROM barograph.post_keys k WHERE k.provider = $1 AND k.id = asked.id LIMIT 1) found`;
    const rows = await run<{ id: string }>(sql, text, [book.sources.get(provider) ?? NOBODY, asked]);
    seen.set(provider, new Set(rows.map(({ id }) => id)));
  }
  return seen;
}

async function collectVersions(
  sql: Sql,
  kind: FactKind,
  reports: readonly Report[],
  book: NameBook,
  versions: Map<string, Version[]>,
): Promise<void> {
  const numbers: Numbers = {
    sourceId: (name) => book.sources.get(name) ?? NOBODY,
    slotOf: (ticker) => book.slots.get(ticker) ?? NOBODY,
  };
  const asked = new Map<string, Report>();
  for (const report of reports) if (report.body.kind === kind) asked.set(naturalKey(report), report);
  if (asked.size === 0) return;

  const stored: FactTable<FactKind> = tableOf(kind);
  const { table, key } = stored;
  const cells = Array.from(asked.values(), (report) => stored.keyCells(report, numbers));
  const arrays = key.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ');
  const names = key.map(([name]) => name);
  const wanted = columnsOf(kind).map(([name]) => name);
  const same = names.map((name) => `t.${name} = asked.${name}`).join(' AND ');
  const text = `SELECT asked.n, ${wanted.map((name) => `f.${name}`).join(', ')}
    FROM unnest(${arrays}) WITH ORDINALITY asked (${names.join(', ')}, n) CROSS JOIN LATERAL
      (SELECT ${wanted.join(', ')} FROM barograph.${table} t WHERE ${same} OFFSET 0) f
    ORDER BY f.sequence`;
  const columns = key.map((_, i) => cells.map((cell) => cell[i]!));
  const keys = [...asked.keys()];
  for (const row of await run<Row & { readonly n: number }>(sql, text, columns)) {
    const name = keys[row.n - 1]!;
    const version = factOf(kind, row, book);
    const list = versions.get(name);
    if (list === undefined) versions.set(name, [version]);
    else list.push(version);
  }
}
