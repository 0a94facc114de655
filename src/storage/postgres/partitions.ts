// Makes the monthly partitions before the first row of a month arrives.
import type { Fact } from '../../domain/facts/fact.js';
import { run, type Sql } from './driver.js';
import { type Month, monthName, monthOf, monthStart } from './months.js';
import { MONTHLY_TABLES } from './schema.js';

/** How far back a new archive makes partitions; older facts share the default one. */
export const MONTHS_BACK = 36;

export class Partitions {
  readonly #first: Month;
  readonly #made: Set<Month>;

  private constructor(first: Month, made: Set<Month>) {
    this.#first = first;
    this.#made = made;
  }

  static async open(sql: Sql, first: Month): Promise<Partitions> {
    const rows = await run<{ start: string }>(
      sql,
      `SELECT substring(c.relname FROM 7) AS start FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'barograph' AND c.relkind = 'r' AND c.relname ~ '^posts_[0-9]{4}_[0-9]{2}$'`,
    );
    const months = rows.map(({ start }) => Number(start.slice(0, 4)) * 12 + Number(start.slice(5)) - 1);
    return new Partitions(first, new Set(months));
  }

  /** The months of these facts that still lack their partitions. */
  missing(facts: readonly Fact[]): readonly Month[] {
    const months = new Set<Month>();
    for (const fact of facts) {
      if (fact.body.kind === 'post' || fact.body.kind === 'count') months.add(monthOf(fact.knownAt));
    }
    return [...months].filter((month) => this.lacks(month));
  }

  lacks(month: Month): boolean {
    return month >= this.#first && !this.#made.has(month);
  }

  /** Call `keep` after the commit. */
  async make(sql: Sql, months: readonly Month[]): Promise<void> {
    for (const month of months) {
      const bounds = `FROM (${monthStart(month)}) TO (${monthStart(month + 1)})`;
      for (const table of MONTHLY_TABLES) {
        const name = `barograph.${table}_${monthName(month)}`;
        await sql.unsafe(
          `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF barograph.${table} FOR VALUES ${bounds}`,
        );
      }
    }
  }

  keep(months: readonly Month[]): void {
    for (const month of months) this.#made.add(month);
  }
}
