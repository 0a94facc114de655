// Keeps one connector running: pull, read, ingest, and start again from the stored cursor when it fails.
import type { SourceStatus } from '../domain/facts/recorder-status.js';
import { deferred } from '../kernel/deferred.js';
import type { Clock, Instant } from '../kernel/instant.js';
import { MILLISECOND, SECOND } from '../kernel/instant.js';
import type { Connector, PullContext, Reading } from '../ports/connector.js';
import type { Incoming, Ingested } from './ingest.js';

export interface SourceRunParts {
  readonly connector: Connector;
  readonly cursor: () => Promise<string | null>;
  readonly ingest: (incoming: Incoming) => Promise<Ingested>;
  readonly context: PullContext;
  readonly onChange: () => void;
  readonly onFailure: (connector: string, error: unknown) => void;
}

const FIRST_PAUSE = 2 * SECOND;
const LONGEST_PAUSE = 300 * SECOND;

export class SourceRun {
  readonly #parts: SourceRunParts;
  #state: SourceStatus['state'] = 'waiting';
  #progress: number | undefined;
  #lastFactAt: Instant | null = null;
  #facts = 0;
  #faults = 0;
  readonly #settled = deferred();
  /** Resolves when the source has left its backfill, ended or failed for the first time. */
  readonly settled = this.#settled.promise;

  constructor(parts: SourceRunParts) {
    this.#parts = parts;
  }

  status(): SourceStatus {
    return {
      source: this.#parts.connector.name,
      state: this.#state,
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      lastFactAt: this.#lastFactAt,
      facts: this.#facts,
      faults: this.#faults,
    };
  }

  /** Ends when the provider has no more, or the context's signal aborts. */
  async run(): Promise<void> {
    const { context, connector, onFailure } = this.#parts;
    let pause = FIRST_PAUSE;
    while (!context.signal.aborted) {
      const factsBefore = this.#facts;
      try {
        await this.#pullOnce();
        this.#settled.resolve();
        return;
      } catch (error) {
        if (context.signal.aborted) return;
        this.#enter('failed');
        this.#settled.resolve();
        onFailure(connector.name, error);
        pause = this.#facts > factsBefore ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, pause * 2);
        await context.until(context.clock() + pause);
      }
    }
  }

  async #pullOnce(): Promise<void> {
    const { connector, context, cursor, ingest } = this.#parts;
    for await (const pulled of connector.pull(connector.ask(await cursor()), context)) {
      const reading = readAll(connector, pulled.items);
      const { appended, refused } = await ingest({
        posts: reading.posts,
        facts: reading.facts,
        cursor: { connector: connector.name, value: pulled.cursor },
      });
      this.#facts += appended;
      this.#faults += reading.faults.length + refused;
      if (appended > 0) this.#lastFactAt = context.clock();
      this.#progress = pulled.progress;
      this.#enter(pulled.progress === undefined ? 'live' : 'backfilling');
      if (pulled.progress === undefined) this.#settled.resolve();
      // A backfill into an embedded archive never waits for anything: without this, no timer would come to its turn.
      else await new Promise((resolve) => setImmediate(resolve));
      if (context.signal.aborted) return;
    }
  }

  #enter(state: SourceStatus['state']): void {
    this.#state = state;
    this.#parts.onChange();
  }
}

function readAll(connector: Connector, items: readonly unknown[]): Reading {
  const posts: Reading['posts'][number][] = [];
  const facts: Reading['facts'][number][] = [];
  const faults: string[] = [];
  for (const item of items) {
    const reading = connector.read(item);
    posts.push(...reading.posts);
    facts.push(...reading.facts);
    faults.push(...reading.faults);
  }
  return { posts, facts, faults };
}

/** Waits on the real clock, never less than asked: timers run ahead of it. Wakes early when the signal aborts. */
export function waitUntil(clock: Clock, signal: AbortSignal): (at: Instant) => Promise<void> {
  return (at) =>
    new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const look = (): void => {
        const left = at - clock();
        if (left <= 0 || signal.aborted) end();
        else timer = setTimeout(look, Math.ceil(left / MILLISECOND));
      };
      signal.addEventListener('abort', end);
      look();
    });
}
