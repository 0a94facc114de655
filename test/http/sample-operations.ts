// A small set of operations that has every form a route can take, with answers that tests can steer.
import { z } from 'zod';
import { Failure } from '../../src/contracts/failures.js';
import { type AnswersTo, type Operation, operation, PUBLIC } from '../../src/contracts/operation.js';
import { InstantInput, limitInput, Ticker, TickerInput } from '../../src/contracts/primitives.js';

const Echoed = z.strictObject({ asked: z.int() }).meta({ id: 'Echoed' });
const Grade = z.enum(['low', 'high']).meta({ id: 'Grade', description: 'How much.' });

const common = {
  surface: 'service',
  group: 'samples',
  description: 'Only for tests.',
  access: PUBLIC,
  keeps: 'nothing',
} as const;

export const SAMPLES = {
  board: operation({
    ...common,
    name: 'board',
    method: 'GET',
    path: '/sample/board',
    surface: 'attention',
    summary: 'A kept board',
    input: z.strictObject({ limit: limitInput(100, 25) }),
    output: z.strictObject({ frame: z.int(), limit: z.int() }),
    failures: ['invalid_limit', 'unknown_parameter', 'warming_up'],
    keeps: 'frame',
    example: { limit: 5 },
  }),
  themes: operation({
    ...common,
    name: 'themes',
    method: 'GET',
    path: '/sample/assets/equity:{ticker}',
    summary: 'A literal with a colon before the parameter',
    input: z.strictObject({ ticker: TickerInput, as_of: InstantInput.optional() }),
    output: z.strictObject({ ticker: Ticker, as_of: z.string().nullable() }),
    failures: ['invalid_ticker', 'invalid_as_of', 'unknown_parameter'],
    example: { ticker: 'NVDA' },
  }),
  typed: operation({
    ...common,
    name: 'typed',
    method: 'GET',
    path: '/sample/typed',
    summary: 'Every type that a query can carry',
    input: z.strictObject({
      interval: z.int().min(1).max(300).default(5),
      share: z.number().min(0).max(1).optional(),
      deep: z.boolean().default(false),
      channels: z
        .array(z.enum(['indices', 'conditions']))
        .max(2)
        .optional(),
      sizes: z.array(z.int()).optional(),
      grade: Grade.optional(),
      maybe: z.int().nullable().optional(),
    }),
    output: z.strictObject({ input: z.record(z.string(), z.unknown()) }),
    failures: ['invalid_parameter', 'invalid_interval', 'unknown_parameter'],
    example: { channels: ['indices'] },
  }),
  batch: operation({
    ...common,
    name: 'batch',
    method: 'POST',
    path: '/sample/batch',
    summary: 'A body',
    input: z.strictObject({ tickers: z.array(TickerInput).min(1).max(3), limit: limitInput(10, 5) }),
    output: z.strictObject({ results: z.array(z.string()) }),
    failures: ['invalid_body', 'invalid_ticker', 'invalid_limit', 'unknown_parameter'],
    example: { tickers: ['NVDA'] },
  }),
  note: operation({
    ...common,
    name: 'note',
    method: 'POST',
    path: '/sample/notes/{note_id}',
    summary: 'A body and a parameter in the path',
    input: z.strictObject({ note_id: z.int().min(1), grade: Grade }),
    output: z.strictObject({ note_id: z.int(), grade: Grade }),
    failures: ['invalid_parameter', 'invalid_body', 'unknown_parameter'],
    example: { note_id: 7, grade: 'low' },
  }),
  secret: operation({
    ...common,
    name: 'secret',
    method: 'GET',
    path: '/sample/secret',
    summary: 'Needs a key',
    access: { kind: 'key', scope: 'samples' },
    input: z.strictObject({}),
    output: Echoed,
    failures: ['unknown_parameter'],
    keeps: 'frame',
    example: {},
  }),
  broken: operation({
    ...common,
    name: 'broken',
    method: 'GET',
    path: '/sample/broken/{how}',
    summary: 'Fails in the way that the path says',
    input: z.strictObject({ how: z.enum(['error', 'text', 'failure', 'nothing', 'unready']) }),
    output: z.strictObject({ ready: z.boolean() }),
    failures: ['invalid_parameter', 'archive_unavailable'],
    status: () => 503,
    example: { how: 'failure' },
  }),
  slow: operation({
    ...common,
    name: 'slow',
    method: 'GET',
    path: '/sample/slow',
    summary: 'Waits until the test lets it go',
    input: z.strictObject({}),
    output: Echoed,
    failures: ['unknown_parameter'],
    example: {},
  }),
} as const satisfies Record<string, Operation>;

/** What the answers say, and the brake of the slow one. */
export class Stage {
  frame = 1;
  asked = 0;
  #waiting: (() => void)[] = [];
  #arrived: (() => void)[] = [];

  /** Settles when somebody waits in the slow operation. */
  arrival(): Promise<void> {
    return this.#waiting.length > 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#arrived.push(resolve));
  }

  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      for (const tell of this.#arrived.splice(0)) tell();
    });
  }
}

export const SECRET_TEXT = 'the database password is swordfish';

export function sampleAnswers(stage: Stage): AnswersTo<typeof SAMPLES> {
  return {
    async board({ limit }) {
      stage.asked += 1;
      return { frame: stage.frame, limit };
    },
    async themes({ ticker, as_of }) {
      return { ticker, as_of: as_of ?? null };
    },
    async typed(input) {
      return { input };
    },
    async batch({ tickers }) {
      return { results: tickers };
    },
    async note({ note_id, grade }) {
      return { note_id, grade };
    },
    async secret() {
      stage.asked += 1;
      return { asked: stage.asked };
    },
    async broken({ how }) {
      if (how === 'error') throw new Error(SECRET_TEXT);
      // oxlint-disable-next-line no-throw-literal
      if (how === 'text') throw SECRET_TEXT;
      if (how === 'failure')
        throw new Failure('archive_unavailable', { retryAfterSeconds: 9, cause: new Error(SECRET_TEXT) });
      if (how === 'nothing') return undefined as unknown as { ready: boolean };
      return { ready: false };
    },
    async slow() {
      await stage.wait();
      return { asked: 1 };
    },
  };
}
