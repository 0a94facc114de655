// Complete answers kept until the next frame, by exact raw URL, so that a hot question costs almost nothing.
import type { IncomingMessage } from 'node:http';
import type { Access } from '../../contracts/operation.js';
import type { Observe } from './duration-histogram.js';
import type { HttpLimits } from './limits.js';
import type { Reply } from './reply.js';

/** How its use is recorded. */
export interface Recording {
  readonly route: string;
  /** Who may have it: a metered answer is the same for all, but each is counted. */
  readonly access: Access;
  readonly observeGet: Observe;
  readonly observeHead: Observe;
}

export interface KeptAnswer extends Recording {
  readonly status: number;
  readonly body: Buffer;
  /** Its last element is the request id, overwritten for every response: Node copies the list while it writes. */
  readonly headers: string[];
  readonly staleAt: number;
}

export class KeptAnswers {
  readonly #limits: HttpLimits;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;
  #generation = 0;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** Changes with every frame; an answer that was begun before the frame must not be kept after it. */
  get generation(): number {
    return this.#generation;
  }

  find(req: IncomingMessage, now: number): KeptAnswer | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const kept = this.#answers.get(req.url!);
    return kept !== undefined && now < kept.staleAt && req.headers.host !== undefined ? kept : undefined;
  }

  keep(url: string, reply: Reply, recording: Recording, generation: number): void {
    if (generation !== this.#generation || reply.body.length > this.#limits.keptBytes) return;
    this.#drop(url);
    this.#bytes += reply.body.length;
    this.#answers.set(url, {
      ...recording,
      status: reply.status,
      body: reply.body,
      headers: [...reply.headers, 'X-Request-Id', ''],
      staleAt: performance.now() + this.#limits.keptForMs,
    });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limits.keptAnswers && this.#bytes <= this.#limits.keptBytes) break;
      this.#drop(oldest);
    }
  }

  forget(): void {
    this.#generation += 1;
    this.#bytes = 0;
    this.#answers.clear();
  }

  #drop(url: string): void {
    const kept = this.#answers.get(url);
    if (kept === undefined) return;
    this.#bytes -= kept.body.length;
    this.#answers.delete(url);
  }
}
