// The macro stream on a real server: snapshots, changes only, heartbeats, resuming, and who may listen.
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { HeldEdition } from '../../src/answers/macro/held-edition.js';
import { seqOf } from '../../src/answers/macro/stream-shapes.js';
import { ANONYMOUS, type Caller } from '../../src/contracts/caller.js';
import { Failure } from '../../src/contracts/failures.js';
import { MacroChannel, macroStream, STREAM_EVENTS } from '../../src/contracts/macro/stream.js';
import { editionAt, type MacroEdition } from '../../src/domain/macro/edition.js';
import { type MacroFrame, sealMacroFrame } from '../../src/domain/macro/macro-frame.js';
import { MacroState } from '../../src/domain/macro/macro-state.js';
import { DAY, formatInstant, type Instant, MINUTE } from '../../src/kernel/instant.js';
import { HEARTBEAT_MS } from '../../src/surfaces/stream/macro-hub.js';
import {
  type MacroStream,
  type MacroStreamOptions,
  macroStreamSurface,
} from '../../src/surfaces/stream/macro-stream.js';
import { callerOf } from '../answers/desk.js';
import { expectRefusal, type Running, startSamples } from '../http/harness.js';
import { SseReader } from './live-stage.js';
import { TurnedRhythm } from './turned-rhythm.js';

const START: Instant = Date.UTC(2026, 2, 2, 15) * 1_000;
const BLANK = new MacroState().frame(START);

/** An edition of some minute; `change` says what differs from one in which nothing is known. */
function edition(
  minute: number,
  change: (frame: MacroFrame) => Partial<MacroFrame> = () => ({}),
): HeldEdition {
  const { fingerprint: _, ...frame } = BLANK;
  const made: MacroEdition = {
    ...editionAt(new MacroState(), START),
    frame: sealMacroFrame({ ...frame, ...change(BLANK), at: START + minute * MINUTE }),
  };
  return new HeldEdition(made, {
    logIndex: minute,
    highWater: 1,
    knowledge: 'observed',
    modelVersion: '1.0.0',
    modelSha256: BLANK.fingerprint,
    isFixture: false,
  });
}

const vixAt =
  (z: number, value = 20 + z) =>
  ({ indexes }: MacroFrame): Partial<MacroFrame> => ({
    indexes: indexes.map((index) =>
      index.symbol === 'VIX'
        ? {
            ...index,
            status: 'live',
            z,
            value,
            wind: z > 0.5 ? 'headwind' : 'neutral',
            observedOn: `2026-03-0${1 + Math.round(z)}`,
          }
        : index,
    ),
  });

class LiveStage {
  latest: HeldEdition | null = null;
  readonly #past: HeldEdition[] = [];
  readonly #listeners: (() => void)[] = [];

  newest(): HeldEdition {
    if (this.latest === null) throw new Failure('warming_up');
    return this.latest;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  publish(held: HeldEdition): void {
    this.#past.push(held);
    this.latest = held;
    for (const listener of this.#listeners) listener();
  }

  readonly at = async (instant: Instant): Promise<HeldEdition | null> =>
    this.#past.findLast((held) => held.at <= instant) ?? null;
}

interface Stage {
  readonly running: Running;
  readonly live: LiveStage;
  readonly rhythm: TurnedRhythm;
  readonly stream: MacroStream;
  readonly url: string;
}

let stage: Stage | null = null;
const readers: SseReader[] = [];

async function open(
  options: Partial<MacroStreamOptions> = {},
  first: HeldEdition | null = edition(0),
): Promise<Stage> {
  const live = new LiveStage();
  const rhythm = new TurnedRhythm();
  if (first !== null) live.publish(first);
  const stream = macroStreamSurface({
    live,
    stated: live,
    clock: () => live.latest?.at ?? START,
    guard: async () => ANONYMOUS,
    isCurrent: () => true,
    metrics: new Registry(),
    rhythm,
    ...options,
  });
  const running = await startSamples({ extraRoutes: [stream.route] });
  stage = { running, live, rhythm, stream, url: `${running.url}/v1/stream` };
  return stage;
}

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.hangUp();
  const drained = stage?.running.stop();
  stage?.stream.close();
  await drained;
  stage = null;
});

async function listen(query = '', headers: Record<string, string> = {}): Promise<SseReader> {
  const reader = await SseReader.open(stage!.url + query, headers);
  readers.push(reader);
  return reader;
}

/** The next event; held to its contract. */
async function next(reader: SseReader) {
  const frame = await reader.next();
  expect(frame).not.toBeNull();
  const contract = STREAM_EVENTS[frame!.event as keyof typeof STREAM_EVENTS];
  expect(contract.safeParse(frame!.data).error?.issues ?? []).toEqual([]);
  return frame!;
}

describe('the macro stream', () => {
  it('begins with a snapshot of each channel asked for, and the usual two without asking', async () => {
    await open();
    const usual = await listen();
    expect([(await next(usual)).data['channel'], (await next(usual)).data['channel']]).toEqual([
      'indices',
      'conditions',
    ]);
    const all = await listen(`?channels=${MacroChannel.options.join()}`);
    const first = [await next(all), await next(all), await next(all), await next(all)];
    expect(first.map(({ event, data }) => [event, data['channel'], data['reason']])).toEqual(
      MacroChannel.options.map((channel) => ['snapshot', channel, 'first']),
    );
    // Only the last event of an edition names it.
    expect(first.map(({ id }) => id)).toEqual([null, null, null, String(seqOf(stage!.live.newest()))]);
  });

  it('tells only what changed, on the channels that were asked for', async () => {
    const { live } = await open();
    const indices = await listen('?channels=indices');
    const conditions = await listen('?channels=conditions');
    const releases = await listen('?channels=releases');
    for (const reader of [indices, conditions, releases]) await next(reader);
    live.publish(edition(1, vixAt(2)));
    expect(await next(indices)).toMatchObject({
      event: 'index_change',
      id: String(seqOf(live.newest())),
      // Third-party rights: the score stands in for the value.
      data: { symbol: 'VIX', current_value: 2, value_basis: 'z_score', wind: 'headwind', prev_wind: null },
    });
    expect(await next(releases)).toMatchObject({ event: 'release', data: { symbol: 'VIX', z_before: null } });
    live.publish(edition(2, (frame) => ({ ...vixAt(2)(frame), marketScore: 61.5 })));
    expect(await next(conditions)).toMatchObject({
      event: 'market_change',
      data: { market_score: 61.5, prev_market_score: null },
    });
    live.publish(edition(3, (frame) => ({ ...vixAt(3)(frame), marketScore: 61.5 })));
    // The edition in between said nothing about indexes, so nothing was sent for it.
    expect(await next(indices)).toMatchObject({ id: String(seqOf(live.newest())), data: { z_score: 3 } });
  });

  it('tells of regimes, gauges and narratives', async () => {
    const { live } = await open();
    const reader = await listen('?channels=conditions,narratives');
    await next(reader);
    await next(reader);
    live.publish(
      edition(1, ({ regime, gauges, narratives }) => ({
        regime: { ...regime, label: 'Stress', since: '2026-03-02', sessions: 1 },
        gauges: gauges.map((gauge, i) => (i === 1 ? { ...gauge, value: 12.5, signal: 'stress' } : gauge)),
        narratives: narratives.map((one, i) =>
          i === 4 ? { ...one, state: 'Emerging', momentum1w: 0.7 } : one,
        ),
      })),
    );
    const events = [await next(reader), await next(reader), await next(reader)];
    expect(events.map(({ event }) => event)).toEqual(['gauge_change', 'regime_change', 'narrative_change']);
    expect(events[1]!.data).toMatchObject({
      from: 'Warming',
      to: 'Stress',
      since: '2026-03-02',
      probabilities: null,
    });
    const { slug } = live.newest().frame.narratives[4]!;
    expect(events[2]!.data).toMatchObject({ slug, from: 'Warming', to: 'Emerging', momentum_1w: 0.7 });
    expect(events[0]!.data).toMatchObject({ prev_signal: 'unavailable', signal: 'stress' });
  });

  it('beats while nothing changes, and names the edition', async () => {
    const { rhythm, live } = await open();
    const reader = await listen('?channels=indices');
    await next(reader);
    rhythm.turn(HEARTBEAT_MS / 1_000 - 2);
    rhythm.turn(3);
    expect(await next(reader)).toMatchObject({
      event: 'heartbeat',
      id: String(seqOf(live.newest())),
      data: { ts: formatInstant(START), seq: seqOf(live.newest()) },
    });
    // An edition that changes nothing on the channel is only told of by the next heartbeat.
    live.publish(edition(1));
    rhythm.turn(HEARTBEAT_MS / 1_000 + 1);
    expect(await next(reader)).toMatchObject({ event: 'heartbeat', data: { seq: seqOf(live.newest()) } });
  });

  it('goes on from the edition that a client has', async () => {
    const { live } = await open();
    const has = String(seqOf(live.newest()));
    live.publish(edition(1, vixAt(1)));
    live.publish(edition(2, vixAt(2)));
    const back = await listen('?channels=indices', { 'Last-Event-ID': has });
    // One change, from what the client has to what is: the edition in between is history.
    expect(await next(back)).toMatchObject({ event: 'index_change', data: { z_score: 2, prev_wind: null } });
    const upToDate = await listen('?channels=indices', { 'Last-Event-ID': String(seqOf(live.newest())) });
    expect(await next(upToDate)).toMatchObject({ event: 'heartbeat' });
  });

  it('begins anew where an id is unknown or too old, and says so', async () => {
    const { live } = await open();
    const old = String(seqOf(live.newest()));
    live.publish(edition((8 * DAY) / MINUTE));
    for (const [id, reason] of [
      [old, 'too_old'],
      [String(seqOf(live.newest()) - 5), 'unknown_id'],
      [String(seqOf(live.newest()) + 5), 'unknown_id'],
      ['nonsense', 'unknown_id'],
    ] as const) {
      const reader = await listen('?channels=indices', { 'Last-Event-ID': id });
      expect(await next(reader)).toMatchObject({ event: 'snapshot', data: { reason } });
    }
  });

  it('refuses unknown channels, foreign pages, and everybody before the first edition', async () => {
    const { live, url } = await open({}, null);
    const refused = async (query: string, headers = {}) => {
      const response = await fetch(url + query, { headers });
      return [response.status, await response.json()] as const;
    };
    for (const query of ['?channels=rumours', '?channels=', '?channels=indices,rumours'])
      expectRefusal(...(await refused(query)), 'invalid_channel');
    expectRefusal(...(await refused('?since=1')), 'unknown_parameter');
    expectRefusal(...(await refused('', { Origin: 'https://evil.example' })), 'origin_not_allowed');
    expectRefusal(...(await refused('')), 'warming_up');
    live.publish(edition(0));
    expect((await next(await listen())).event).toBe('snapshot');
  });

  it('counts the opening, and holds a key to the streams of its plan', async () => {
    const caller: Caller = callerOf('one');
    let counted = 0;
    let isCurrent = true;
    let review: () => void = () => undefined;
    const guard: MacroStreamOptions['guard'] = async ({ name, access }) => {
      counted += 1;
      expect([name, access]).toEqual([macroStream.name, { kind: 'metered', quota: 'asset_reads' }]);
      return caller;
    };
    const { url } = await open({
      guard,
      isCurrent: () => isCurrent,
      onKeysChange: (listener) => {
        review = listener;
      },
    });
    const [one, two] = [await listen(), await listen()];
    const response = await fetch(url);
    expectRefusal(response.status, await response.json(), 'too_many_streams');
    expect(counted).toBe(3);
    for (const reader of [one!, two!]) {
      await next(reader);
      await next(reader);
    }
    isCurrent = false;
    review();
    expect([await one!.next(), await two!.next()]).toEqual([null, null]);
  });

  it('tells a slow reader the newest only, and what changed since what it has', async () => {
    const metrics = new Registry();
    const { live, rhythm, running } = await open({ metrics });
    const socket = connect(running.port, '127.0.0.1');
    socket.pause();
    socket.write('GET /v1/stream?channels=indices HTTP/1.1\r\nHost: x\r\n\r\n');
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    while (!(await metrics.metrics()).includes('macro_streams_open 1')) await soon();
    // Large steps, until the socket of the sleeper is full and editions are held back.
    const rounds = 40;
    for (let round = 1; round <= rounds; round += 1) {
      const observedOn = 'x'.repeat(9_000) + round;
      live.publish(
        edition(round, ({ indexes }) => ({ indexes: indexes.map((one) => ({ ...one, observedOn })) })),
      );
      await soon();
    }
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.resume();
    const newest = seqOf(live.newest());
    while (!heard.includes(`id: ${newest}\n`)) {
      rhythm.turn(1);
      await soon();
    }
    const ids = [...heard.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    // Far fewer editions than were published.
    expect(ids.length).toBeLessThan(rounds / 2);
    socket.destroy();
  });
});
