// The two streams on a real server, with frames, keys and time in the hands of the test.
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { Registry } from 'prom-client';
import { WebSocket } from 'ws';
import { audit } from '../../src/access/audit.js';
import { keySha256, makeKey } from '../../src/access/key-text.js';
import { Keyring } from '../../src/access/keyring.js';
import type { PlanName } from '../../src/access/plans.js';
import { keyProtocol, SNAPSHOT_PROTOCOL } from '../../src/access/websocket-key.js';
import type { LiveBoard } from '../../src/answers/live-board.js';
import { STREAM_SCOPE } from '../../src/contracts/attention/stream.js';
import { publishedFrame } from '../../src/domain/facts/published.js';
import { SECOND } from '../../src/kernel/instant.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { handshakeKey } from '../../src/surfaces/stream/handshake-key.js';
import {
  type LeaderboardStreams,
  type LeaderboardStreamsOptions,
  leaderboardStreams,
} from '../../src/surfaces/stream/leaderboard-streams.js';
import { type Running, startSamples } from '../http/harness.js';
import { frameOf, randomRow, seeded, T0 } from '../ports/samples.js';
import { TurnedRhythm } from './turned-rhythm.js';

type Published = NonNullable<LiveBoard['latest']>;

const ROWS = 40;

/** The frame of cycle `n`; its rows are those of `rowsOf`. */
export function published(n: number, rowsOf = n): Published {
  const random = seeded(rowsOf);
  const rows = Array.from({ length: ROWS }, (_, slot) => ({
    ...randomRow(random, slot, `T${slot}X${rowsOf}`),
    rank: slot + 1,
    state: 'ranked' as const,
    density: 100 - slot,
  }));
  const at = T0 + n * 15 * SECOND;
  const { header } = frameOf(at, rows);
  return publishedFrame({ ...header, sequence: n, knownAt: at + 1 }, rows, null);
}

export class LiveStage implements Pick<LiveBoard, 'latest' | 'onChange'> {
  latest: Published | null = null;
  readonly #listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  publish(frame: Published): void {
    this.latest = frame;
    for (const listener of this.#listeners) listener();
  }
}

export interface Streaming {
  readonly running: Running;
  readonly live: LiveStage;
  readonly rhythm: TurnedRhythm;
  readonly keyring: Keyring;
  readonly streams: LeaderboardStreams;
  readonly metrics: Registry;
  /** Lines of the audit. */
  readonly audited: readonly string[];
  readonly key: string;
  readonly poorKey: string;
  /** Takes all keys away. */
  revoke(): void;
  stop(): Promise<void>;
}

export async function startStreaming(
  options: Partial<LeaderboardStreamsOptions> & {
    readonly routes?: LeaderboardStreams['routes'];
    readonly plan?: PlanName;
  } = {},
): Promise<Streaming> {
  const rhythm = new TurnedRhythm();
  const live = new LiveStage();
  live.publish(published(1));
  const clock = () => live.latest?.header.at ?? T0;
  const keyring = new Keyring(clock);
  const [rich, poor, other] = [makeKey('test'), makeKey('test'), makeKey('live')];
  const record = ({ id, text }: { id: string; text: string }, scopes: string[]) => ({
    id,
    key_sha256: keySha256(text),
    customer_id: 'c-1',
    plan: options.plan ?? 'free',
    scopes,
    created_at: '2026-01-01T00:00:00Z',
  });
  const records = [record(rich, [STREAM_SCOPE]), record(poor, ['usage:read'])];
  keyring.load(JSON.stringify({ keys: records }));
  const metrics = new Registry();
  const audited: string[] = [];
  const write = audit((line) => audited.push(line), clock);
  const streams = leaderboardStreams({
    live,
    clock,
    rhythm,
    metrics,
    audit: write,
    authenticate: handshakeKey({
      keyring,
      counters: memoryCounters({ clock }),
      scope: STREAM_SCOPE,
      audit: write,
      trustedProxies: [],
    }),
    record: () => undefined,
    ...options,
  });
  const running = await startSamples({
    extraRoutes: [...streams.routes, ...(options.routes ?? [])],
    upgrade: streams.upgrade,
    metrics,
    ...(options.allowedOrigins === undefined ? {} : { allowedOrigins: options.allowedOrigins }),
  });
  return {
    running,
    live,
    rhythm,
    keyring,
    streams,
    metrics,
    audited,
    key: rich.text,
    poorKey: poor.text,
    revoke: () => keyring.load(JSON.stringify({ keys: [record(other, [STREAM_SCOPE])] })),
    async stop() {
      const drained = running.stop();
      streams.close();
      await drained;
    },
  };
}

export interface SseFrame {
  readonly id: string | null;
  readonly event: string;
  readonly data: { seq: number; leaderboard?: { ticker: string }[] } & Record<string, unknown>;
}

/** An event-stream client with headers of its own, which EventSource would not send. */
export class SseReader {
  readonly response: IncomingMessage;
  #text = '';
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.#text += chunk;
      this.#wake();
    });
    const ended = () => {
      this.#ended = true;
      this.#wake();
    };
    response.on('close', ended).on('error', ended);
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
    return new Promise((resolve, reject) => {
      get(url, { headers, agent: false }, (response) => resolve(new SseReader(response))).on('error', reject);
    });
  }

  /** The next block between blank lines; null at the end. */
  async block(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The next event; null at the end. */
  async next(): Promise<SseFrame | null> {
    for (;;) {
      const block = await this.block();
      if (block === null) return null;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data === undefined) continue;
      return { id: field('id') ?? null, event: field('event') ?? '', data: JSON.parse(data) };
    }
  }

  hangUp(): void {
    this.response.destroy();
  }
}

/** A WebSocket client that keeps what it hears. */
export class SocketReader {
  readonly ws: WebSocket;
  readonly #heard: string[] = [];
  #wake: () => void = () => undefined;
  closed: { readonly code: number; readonly reason: string } | null = null;
  pings = 0;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data: Buffer) => {
      this.#heard.push(data.toString('utf8'));
      this.#wake();
    });
    ws.on('ping', () => {
      this.pings += 1;
      this.#wake();
    });
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    ws.on('error', () => undefined);
  }

  static open(
    url: string,
    protocols: readonly string[],
    options: { readonly headers?: Record<string, string>; readonly autoPong?: boolean } = {},
  ): Promise<SocketReader> {
    const reader = new SocketReader(new WebSocket(url, [...protocols], options));
    return new Promise((resolve, reject) => {
      reader.ws.once('open', () => resolve(reader));
      reader.ws.once('error', reject);
    });
  }

  /** The next message as JSON; null at the end. */
  async next(): Promise<SseFrame['data'] | null> {
    await this.until(() => this.#heard.length > 0 || this.closed !== null);
    const text = this.#heard.shift();
    return text === undefined ? null : JSON.parse(text);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async end(): Promise<{ readonly code: number; readonly reason: string }> {
    await this.until(() => this.closed !== null);
    return this.closed!;
  }
}

export const protocolsOf = (key: string): string[] => [SNAPSHOT_PROTOCOL, keyProtocol(key)];
