// One connection that does one thing at a time and, once lost, is never silently replaced by another.

import type { Address } from './address.js';
import { connect, type Sql } from './driver.js';
import { isUnreachable, NoAnswer, unavailable } from './failures.js';

/**
 * The driver's own `begin` and `reserve` are avoided: when the server dies under them, 3.4 writes to a socket that is
 * gone and throws where nobody can catch it, or goes on in a new connection outside the transaction.
 */
export class Session {
  readonly #address: Address;
  readonly #patienceMs: number;
  readonly #sql: Sql;
  readonly #loss: Promise<never>;
  #lost = false;
  #tellLoss: (reason: unknown) => void = () => {};
  #turn: Promise<unknown> = Promise.resolve();

  constructor(address: Address, patienceMs: number) {
    this.#address = address;
    this.#patienceMs = patienceMs;
    this.#loss = new Promise((_, reject) => {
      this.#tellLoss = reject;
    });
    this.#loss.catch(() => {});
    this.#sql = connect(address.url, 1, () => this.#lose(null));
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Statements without a transaction, for example session locks. */
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTurn(() => work(this.#sql));
  }

  /** All or nothing. `committed` runs after the commit and before the next turn. */
  transaction<T>(work: (sql: Sql) => Promise<T>, committed: (result: T) => void = () => {}): Promise<T> {
    return this.#inTurn(async () => {
      try {
        await this.#sql.unsafe('BEGIN');
        const result = await work(this.#sql);
        await this.#sql.unsafe('COMMIT');
        committed(result);
        return result;
      } catch (error) {
        if (!this.#lost && !isUnreachable(error)) await this.#sql.unsafe('ROLLBACK');
        throw error;
      }
    });
  }

  async end(): Promise<void> {
    this.#lost = true;
    await this.#sql.end({ timeout: 1 });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.#attempt(work));
    this.#turn = result.catch(() => {});
    return result;
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost) throw unavailable(this.#address.location, null);
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NoAnswer()), this.#patienceMs);
    });
    try {
      return await Promise.race([work(), this.#loss, silence]);
    } catch (error) {
      if (!this.#lost && !isUnreachable(error)) throw error;
      this.#lose(error);
      throw unavailable(this.#address.location, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #lose(reason: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#tellLoss(reason);
    void this.#sql.end({ timeout: 0 }).catch(() => {});
  }
}
