// The macro stream as a route: who may listen, where a returning client goes on, and one hub behind it.
import type { IncomingMessage } from 'node:http';
import { Gauge, type Registry } from 'prom-client';
import { type Network, networkOf } from '../../access/address.js';
import type { Audit } from '../../access/audit.js';
import { clientAddress } from '../../access/client-address.js';
import { planNamed } from '../../access/plans.js';
import type { HeldEdition } from '../../answers/macro/held-edition.js';
import type { LiveMacro } from '../../answers/macro/live-macro.js';
import type { StatedEditions } from '../../answers/macro/stated-editions.js';
import { instantOfSeq, seqOf } from '../../answers/macro/stream-shapes.js';
import type { Caller, KeyHolder } from '../../contracts/caller.js';
import { Failure } from '../../contracts/failures.js';
import { type MacroStreamInput, macroStream } from '../../contracts/macro/stream.js';
import type { Operation } from '../../contracts/operation.js';
import { type Clock, DAY } from '../../kernel/instant.js';
import { inputReader } from '../http/operation-input.js';
import type { ServiceAnswer, ServiceRoute } from '../http/service-route.js';
import { type Beginning, MacroHub } from './macro-hub.js';
import { refuseForeignOrigin } from './origin.js';
import { auditedRefusals } from './refused.js';
import { type Rhythm, realRhythm } from './rhythm.js';
import { SseConnection } from './sse-connection.js';
import { type StreamLimits, StreamSlots, USUAL_STREAM_LIMITS } from './stream-slots.js';

/** Who comes back later than this begins anew. */
const RESUMES_WITHIN = 7 * DAY;
const ONE_CALLER = { v4: 32, v6: 64 };

export interface MacroStreamOptions {
  readonly live: Pick<LiveMacro, 'latest' | 'newest' | 'onChange'>;
  readonly stated: Pick<StatedEditions, 'at'>;
  readonly clock: Clock;
  readonly guard: (
    asked: Pick<Operation, 'name' | 'access'>,
    req: IncomingMessage,
    setHeader: (name: string, value: string) => void,
    requestId: string,
  ) => Promise<Caller>;
  /** Whether a key still opens what it opened. */
  readonly isCurrent: (key: KeyHolder) => boolean;
  readonly onKeysChange?: (listener: () => void) => void;
  readonly metrics: Registry;
  readonly audit?: Audit;
  readonly allowedOrigins?: readonly string[];
  readonly trustedProxies?: readonly Network[];
  /** Shared with the other streams of the process. */
  readonly slots?: StreamSlots;
  readonly limits?: Partial<StreamLimits>;
  readonly rhythm?: Rhythm;
}

export interface MacroStream {
  readonly route: ServiceRoute;
  close(): void;
}

export function macroStreamSurface(options: MacroStreamOptions): MacroStream {
  const { live, stated, clock } = options;
  const rhythm = options.rhythm ?? realRhythm;
  const limits = { ...USUAL_STREAM_LIMITS, ...options.limits };
  const slots = options.slots ?? new StreamSlots(limits.perProcess);
  const trustedProxies = options.trustedProxies ?? [];
  const refused = auditedRefusals(options.audit ?? (() => undefined), trustedProxies);
  const readInput = inputReader(macroStream, 0);
  const hub = new MacroHub(rhythm, clock);
  const publish = () => {
    if (live.latest !== null) hub.publish(live.latest);
  };
  publish();
  live.onChange(publish);
  options.onKeysChange?.(() => hub.review());
  new Gauge({
    name: 'macro_streams_open',
    help: 'Open streams of macro editions.',
    registers: [options.metrics],
    collect() {
      this.set(hub.size);
    },
  });

  function slotFor(req: IncomingMessage, caller: Caller): () => void {
    if (caller.kind === 'key')
      return slots.take(`key ${caller.key.id}`, planNamed(caller.key.plan).concurrentStreams);
    const address = clientAddress(req, trustedProxies);
    return slots.take(
      `address ${address === null ? 'unknown' : networkOf(address, ONE_CALLER)}`,
      limits.perAddress,
    );
  }

  /** The edition that the client says it has, where it is one. */
  async function beginningOf(req: IncomingMessage, newest: HeldEdition): Promise<Beginning> {
    const id = req.headers['last-event-id'];
    if (typeof id !== 'string' || id === '') return { has: null, reason: 'first' };
    const seq = /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN;
    if (seq === seqOf(newest)) return { has: newest };
    if (!(seq < seqOf(newest))) return { has: null, reason: 'unknown_id' };
    if (newest.at - instantOfSeq(seq) > RESUMES_WITHIN) return { has: null, reason: 'too_old' };
    const held = await stated.at(instantOfSeq(seq + 1) - 1);
    return held !== null && seqOf(held) === seq ? { has: held } : { has: null, reason: 'unknown_id' };
  }

  async function answer(incoming: IncomingMessage, outgoing: Outgoing, id: string): Promise<ServiceAnswer> {
    refuseForeignOrigin(incoming, options.allowedOrigins ?? []);
    const { channels } = (await readInput(incoming, {})) as MacroStreamInput;
    const newest = live.newest();
    if (incoming.method === 'HEAD') {
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' }).end();
      return 'sent';
    }
    // What was set at the door for pages of other origins stays.
    const setHeader = (name: string, value: string) =>
      void (name === 'Vary' ? outgoing.appendHeader(name, value) : outgoing.setHeader(name, value));
    const caller = await options.guard(macroStream, incoming, setHeader, id);
    const release = slotFor(incoming, caller);
    outgoing.once('close', release);
    const beginning = await beginningOf(incoming, newest).catch((error: unknown) => {
      release();
      throw error;
    });
    // The client may have gone while its wish was looked at.
    if (outgoing.destroyed) {
      release();
      return 'sent';
    }
    const isWelcome = () => caller.kind !== 'key' || options.isCurrent(caller.key);
    const connection = new SseConnection(outgoing, rhythm, isWelcome);
    outgoing.once('close', hub.subscribe(connection, channels, beginning));
    return 'sent';
  }

  return {
    route: {
      methods: ['GET'],
      path: macroStream.path,
      async answer({ incoming, outgoing, requestId }) {
        try {
          return await answer(incoming, outgoing, requestId);
        } catch (error) {
          if (error instanceof Failure) refused('sse', error, incoming, requestId);
          throw error;
        }
      },
    },
    close: () => hub.close(),
  };
}

type Outgoing = Parameters<ServiceRoute['answer']>[0]['outgoing'];
