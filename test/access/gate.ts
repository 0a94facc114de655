// A server with the real guard in front, a turned clock, counters in memory and keys that a test can change.
import { type Network, parseNetwork } from '../../src/access/address.js';
import { audit, auditKeyring } from '../../src/access/audit.js';
import { accessGuard } from '../../src/access/guard.js';
import { keySha256, makeKey } from '../../src/access/key-text.js';
import { Keyring } from '../../src/access/keyring.js';
import { PrepaidCounters } from '../../src/access/prepaid.js';
import { SCOPE_NAMES } from '../../src/access/scopes.js';
import { type Counters, CountersUnavailable } from '../../src/ports/counters.js';
import { memoryCounters } from '../../src/storage/memory/counters.js';
import { retiredRoutes } from '../../src/surfaces/http/retired-routes.js';
import { TurnedClock } from '../house/studio.js';
import { type Running, start } from '../http/harness.js';
import { GUARDED, type GuardedName, guardedAnswers } from './guarded-operations.js';

export const SECRETS = new Map<string, string>();

/** A key that is the same whenever the test names it. */
export function textOf(name: string): string {
  const known = SECRETS.get(name) ?? makeKey('live').text;
  SECRETS.set(name, known);
  return known;
}

export function record(id: string, more: object = {}): object {
  return { id, key_sha256: keySha256(textOf(id)), scopes: SCOPE_NAMES, ...more };
}

export interface Gate {
  readonly running: Running;
  readonly clock: TurnedClock;
  readonly keyring: Keyring;
  readonly lines: string[];
  /** While set, the counters answer nobody. */
  counters: { down: boolean };
  keys(...records: object[]): void;
  ask(name: GuardedName, key?: string, headers?: Record<string, string>): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface GateOptions {
  readonly trusted?: readonly string[];
  /** Instead of those in memory, which turn with the clock of the test. */
  readonly counters?: Counters;
}

export async function openGate(options: GateOptions = {}): Promise<Gate> {
  const clock = new TurnedClock();
  const lines: string[] = [];
  const state = { down: false };
  const memory = options.counters ?? memoryCounters({ clock: clock.now });
  const guarded = <T>(ask: () => Promise<T>): Promise<T> =>
    state.down ? Promise.reject(new CountersUnavailable(new Error('ECONNREFUSED'))) : ask();
  const mortal: Counters = {
    ...memory,
    admit: (charge) => guarded(() => memory.admit(charge)),
    peek: (charge) => guarded(() => memory.peek(charge)),
    giveBack: (...given) => guarded(() => memory.giveBack(...given)),
  };
  const counters = new PrepaidCounters(mortal, clock.now);
  const keyring = new Keyring(clock.now);
  const write = audit((line) => lines.push(line), clock.now);
  auditKeyring(keyring, write);
  const trustedProxies: Network[] = (options.trusted ?? []).map((text) => parseNetwork(text)!);
  const guard = accessGuard({
    keyring,
    counters,
    audit: write,
    clock: clock.now,
    trustedProxies,
    addressSecret: new Uint8Array(32),
  });
  const running = await start({
    operations: GUARDED,
    answers: guardedAnswers(counters),
    guard,
    before: retiredRoutes(),
  });
  return {
    running,
    clock,
    keyring,
    lines,
    counters: state,
    keys: (...records) => keyring.load(JSON.stringify({ keys: records })),
    async ask(name, key, headers = {}) {
      const { method, path } = GUARDED[name];
      const sent = method === 'POST' ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
      const response = await fetch(running.url + path, {
        method,
        ...sent,
        headers: { ...sent.headers, ...(key === undefined ? {} : { 'X-API-Key': key }), ...headers },
      });
      const text = await response.text();
      const body = JSON.parse(text) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, text, body };
    },
  };
}
