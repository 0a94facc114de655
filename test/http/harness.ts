// Starts an HTTP surface on a free port with what a test gives it, and remembers what it logged.
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { ANONYMOUS } from '../../src/contracts/caller.js';
import { ErrorEnvelope, FAILURES, Failure, type FailureCode } from '../../src/contracts/failures.js';
import type { Operation } from '../../src/contracts/operation.js';
import type { RequestEvent } from '../../src/surfaces/http/ledger.js';
import type { Guard } from '../../src/surfaces/http/operation-route.js';
import type { HttpSurfaceOptions } from '../../src/surfaces/http/options.js';
import { createHttpSurface, type HttpSurface } from '../../src/surfaces/http/server.js';
import { SAMPLES, Stage, sampleAnswers } from './sample-operations.js';
import { Wire, type WireResponse } from './wire.js';

export const GOOD_KEY = 'good-key';

export const sampleGuard: Guard = async (_operation, req, setHeader) => {
  setHeader('X-RateLimit-Limit', '60');
  setHeader('cache-control', 'private, no-store, max-age=0');
  setHeader('Vary', 'X-API-Key');
  if (req.headers['x-api-key'] !== GOOD_KEY) throw new Failure('unauthorized');
  return ANONYMOUS;
};

export interface Running {
  readonly surface: HttpSurface;
  readonly port: number;
  readonly url: string;
  readonly events: RequestEvent[];
  wire(): Promise<Wire>;
  /** Sends raw text on a fresh connection and reads the first response. */
  say(text: string | Buffer): Promise<WireResponse | null>;
  stop(): Promise<void>;
}

export async function start<Operations extends Record<string, Operation>>(
  options: Pick<HttpSurfaceOptions<Operations>, 'operations' | 'answers'> &
    Partial<HttpSurfaceOptions<Operations>>,
): Promise<Running> {
  const events: RequestEvent[] = [];
  const surface = createHttpSurface({
    version: '0.0.0',
    publicUrl: 'http://127.0.0.1:8700',
    log: (event) => events.push(event),
    metrics: new Registry(),
    guard: sampleGuard,
    ...options,
  });
  const { port } = await surface.listen(0, '127.0.0.1');
  const wires: Wire[] = [];
  const wire = async () => {
    const opened = await Wire.open(port);
    wires.push(opened);
    return opened;
  };
  return {
    surface,
    port,
    url: `http://127.0.0.1:${port}`,
    events,
    wire,
    say: async (text) => (await wire()).say(text).next(),
    async stop() {
      for (const opened of wires) opened.hangUp();
      await surface.drain();
    },
  };
}

export async function startSamples(
  options: Partial<HttpSurfaceOptions<typeof SAMPLES>> = {},
): Promise<Running & { readonly stage: Stage }> {
  const stage = new Stage();
  const running = await start({ operations: SAMPLES, answers: sampleAnswers(stage), ...options });
  return { ...running, stage };
}

/** The body is the one envelope of this code, and the status line says the same. */
export function expectRefusal(status: number, body: unknown, code: FailureCode): void {
  const envelope = ErrorEnvelope.parse(body);
  expect(envelope.error).toBe(code);
  expect(envelope.status_code).toBe(FAILURES[code].status);
  expect(status).toBe(FAILURES[code].status);
}

export function expectWireRefusal(response: WireResponse | null, code: FailureCode): void {
  if (response === null) throw new Error(`the connection ended where ${code} was expected`);
  expectRefusal(response.status, response.json(), code);
  expect(response.headers.get('x-request-id')).toBe(response.json()['request_id']);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
}
