// Connections for reading: after a failure the whole set is replaced, so that readers recover by themselves.
import type { Address } from './address.js';
import { connect, type Sql } from './driver.js';
import { isUnreachable, NoAnswer, unavailable } from './failures.js';

const CONNECTIONS = 6;
/** What a retired set may still take to finish its last statements. */
const FAREWELL_SECONDS = 5;

/**
 * Pages of facts must come in the order of an index. The planner, who cannot know how far a prepared statement will
 * reach, would rather sort whole months for every page; and compiling such a plan takes longer than running it.
 */
const SETTINGS = { enable_sort: 'off', jit: 'off' };

export class Pool {
  readonly #address: Address;
  readonly #patienceMs: number;
  #sql: Sql | null = null;
  #closed = false;

  constructor(address: Address, patienceMs: number) {
    this.#address = address;
    this.#patienceMs = patienceMs;
  }

  get location(): string {
    return this.#address.location;
  }

  async read<T>(ask: (sql: Sql) => Promise<T>): Promise<T> {
    if (this.#closed) throw unavailable(this.location, null);
    const sql = this.#present();
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoAnswer()), this.#patienceMs);
    });
    try {
      return await Promise.race([ask(sql), silence]);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      this.#retire(sql);
      throw unavailable(this.location, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sql?.end({ timeout: FAREWELL_SECONDS });
  }

  #present(): Sql {
    if (this.#sql !== null) return this.#sql;
    const sql = connect(this.#address.url, CONNECTIONS, () => this.#retire(sql), SETTINGS);
    this.#sql = sql;
    return sql;
  }

  /** A connection that closed may have left the driver's bookkeeping in disorder: none of its siblings is used again. */
  #retire(sql: Sql): void {
    if (this.#sql !== sql || this.#closed) return;
    this.#sql = null;
    void sql.end({ timeout: FAREWELL_SECONDS }).catch(() => {});
  }
}
