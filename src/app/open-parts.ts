// Everything that a process has opened, closed in the other order: what is built on others goes before them.

interface Closable {
  close(): Promise<unknown>;
}

export class OpenParts {
  readonly #parts: Closable[] = [];
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  keep<T extends Closable>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  /** What fails to close does not keep the rest open. */
  async close(): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop())
      await part.close().catch(this.#onFailure);
  }
}
