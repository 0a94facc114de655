// The hub by itself: who gets what when, with the same bytes for everybody.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection, Farewell, Wire } from '../../src/surfaces/stream/connection.js';
import type { FeedFrame } from '../../src/surfaces/stream/edition.js';
import { Hub } from '../../src/surfaces/stream/hub.js';
import { type Passage, Valve } from '../../src/surfaces/stream/valve.js';
import { TurnedRhythm } from './turned-rhythm.js';

const rows = (...tickers: string[]) => tickers.map((ticker) => ({ ticker }));

function frame(seq: number, leaderboard: readonly object[], freshness = () => 'live'): FeedFrame {
  return {
    seq,
    freshness,
    snapshot: (limit) => ({
      event: 'snapshot',
      seq,
      freshness: freshness(),
      leaderboard: leaderboard.slice(0, limit),
    }),
    heartbeat: () => ({ event: 'heartbeat', seq }),
  };
}

let rhythm: TurnedRhythm;
let hub: Hub;
beforeEach(() => {
  rhythm = new TurnedRhythm();
  hub = new Hub(rhythm);
});

/** A client that remembers what it was handed and can stop taking it. */
class Client implements Connection {
  readonly wire: Wire;
  readonly written: Buffer[] = [];
  readonly times: number[] = [];
  farewell: Farewell | null = null;
  welcome = true;
  stuck = false;
  /** Its socket, which keeps what a stuck client does not take. */
  readonly outlet = {
    writableLength: 0,
    write: (bytes: Buffer): boolean => {
      this.written.push(bytes);
      this.times.push(rhythm.now());
      if (this.stuck) this.outlet.writableLength += bytes.length;
      return true;
    },
  };
  readonly #valve = new Valve(this.outlet, rhythm.now());

  constructor(wire: Wire = 'websocket') {
    this.wire = wire;
  }

  write(bytes: Buffer): Passage {
    return this.#valve.pass(bytes, rhythm.now());
  }

  mayStay(): boolean {
    return this.welcome;
  }

  close(farewell: Farewell): void {
    this.farewell = farewell;
  }

  /** Events and seqs, as `snapshot 3`. */
  get heard(): string[] {
    return this.written.map((bytes) => {
      const text = bytes.toString('utf8');
      const { event, seq } = JSON.parse(text.slice(text.indexOf('{'))) as { event: string; seq: number };
      return `${event} ${seq}`;
    });
  }
}

function listen(wish: { limit?: number; interval?: number; lastSeq?: number } = {}, wire?: Wire): Client {
  const client = new Client(wire);
  hub.subscribe(client, { limit: 25, interval: 5, ...wish });
  return client;
}

describe('what is sent', () => {
  test('the newest frame comes first, at once, as a snapshot', () => {
    hub.publish(frame(1, rows('A')));
    hub.publish(frame(2, rows('B')));
    expect(listen().heard).toEqual(['snapshot 2']);
  });

  test('who comes before the first frame is kept alive and gets it as soon as it is there', () => {
    const [sse, socket] = [listen({}, 'sse'), listen({}, 'websocket')];
    rhythm.turn(5);
    expect(sse.written.map(String)).toEqual(Array(2).fill(': waiting for the first frame\n\n'));
    expect(socket.written).toEqual(Array(2).fill(Buffer.from([0x89, 0])));
    hub.publish(frame(1, rows('A')));
    expect(String(sse.written[2])).toMatch(/^id: 1\nevent: snapshot\n/);
    expect(socket.written).toHaveLength(3);
  });

  test('a frame with the same rows is not sent; a heartbeat names it', () => {
    hub.publish(frame(1, rows('A', 'B')));
    const client = listen();
    rhythm.turn(2);
    hub.publish(frame(2, rows('A', 'B')));
    rhythm.turn(4);
    expect(client.heard).toEqual(['snapshot 1', 'heartbeat 2']);
    hub.publish(frame(3, rows('B', 'A')));
    expect(client.heard.at(-1)).toBe('snapshot 3');
  });

  test('only the rows within the limit decide', () => {
    hub.publish(frame(1, rows('A', 'B', 'C')));
    const [one, three] = [listen({ limit: 1 }), listen({ limit: 3 })];
    rhythm.turn(5.5);
    hub.publish(frame(2, rows('A', 'C', 'B')));
    expect(one.heard).toEqual(['snapshot 1', 'heartbeat 1']);
    expect(three.heard).toEqual(['snapshot 1', 'heartbeat 1', 'snapshot 2']);
  });

  test('who returns with the newest seq hears a heartbeat, with an older one a snapshot', () => {
    hub.publish(frame(7, rows('A')));
    const [current, old] = [listen({ lastSeq: 7 }), listen({ lastSeq: 6 })];
    expect([current.heard, old.heard]).toEqual([['heartbeat 7'], ['snapshot 7']]);
    hub.publish(frame(8, rows('B')));
    expect(current.heard).toEqual(['heartbeat 7', 'snapshot 8']);
  });

  test('somebody new is told that the frame has become stale', () => {
    let freshness = 'live';
    hub.publish(frame(1, rows('A'), () => freshness));
    const early = listen();
    freshness = 'stale';
    const late = listen();
    expect(String(early.written[0])).toContain('"freshness":"live"');
    expect(String(late.written[0])).toContain('"freshness":"stale"');
  });
});

describe('bytes', () => {
  test('are made once per limit and wire, and shared', () => {
    hub.publish(frame(1, rows('A', 'B')));
    const sockets = [listen({ limit: 2 }), listen({ limit: 2 }), listen({ limit: 1 })];
    const streams = [listen({ limit: 2 }, 'sse'), listen({ limit: 2 }, 'sse')];
    const first = (client: Client) => client.written[0];
    expect(first(sockets[1]!)).toBe(first(sockets[0]!));
    expect(first(sockets[2]!)).not.toBe(first(sockets[0]!));
    expect(first(streams[1]!)).toBe(first(streams[0]!));
    rhythm.turn(6);
    expect(sockets[1]!.written[1]).toBe(sockets[2]!.written[1]);
    hub.publish(frame(2, rows('C')));
    expect(sockets[1]!.written[2]).toBe(sockets[0]!.written[2]);
  });

  test('of an event are an id for snapshots only, a name and one line of JSON', () => {
    hub.publish(frame(4, rows('A')));
    const client = listen({}, 'sse');
    rhythm.turn(6);
    expect(String(client.written[0])).toMatch(/^id: 4\nevent: snapshot\ndata: \{.*\}\n\n$/);
    expect(String(client.written[1])).toBe('event: heartbeat\ndata: {"event":"heartbeat","seq":4}\n\n');
  });

  test.each([10, 125, 126, 65_535, 65_536])(
    'of a WebSocket message of about %i bytes are well framed',
    (size) => {
      hub.publish(frame(1, [{ ticker: 'é'.repeat(Math.max(1, (size - 60) >> 1)) }]));
      const bytes = listen({ limit: 1 }).written[0]!;
      const short = bytes[1]!;
      const [head, length] =
        short < 126
          ? [2, short]
          : short === 126
            ? [4, bytes.readUInt16BE(2)]
            : [10, Number(bytes.readBigUInt64BE(2))];
      expect(bytes[0]).toBe(0x81);
      expect(length).toBe(bytes.length - head);
      expect(JSON.parse(bytes.subarray(head).toString('utf8'))).toMatchObject({ event: 'snapshot' });
    },
  );
});

describe('pace', () => {
  test('one snapshot per interval at the most, and always the newest', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 5 });
    for (let seq = 2; seq <= 50; seq++) {
      rhythm.turn(0.3);
      hub.publish(frame(seq, rows(`T${seq}`)));
    }
    const gaps = client.times.slice(1).map((at, i) => at - client.times[i]!);
    expect(client.heard.every((one) => one.startsWith('snapshot'))).toBe(true);
    // A tick late, then a tick early.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_800);
    expect(client.heard).toHaveLength(3);
    // The one at 5 s is the newest that was there at 5 s.
    expect(client.heard[1]).toBe(`snapshot ${1 + Math.floor((client.times[1]! - client.times[0]!) / 300)}`);
  });

  test('a frame that comes after the interval has passed goes out in the same moment', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 5 });
    rhythm.turn(7.3);
    const at = rhythm.now();
    hub.publish(frame(2, rows('B')));
    expect(client.times.at(-1)).toBe(at);
  });

  test('frames every second at an interval of one second arrive without heartbeats between and without drift', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 1 });
    for (let seq = 2; seq <= 100; seq++) {
      // A little early and a little late in turn.
      rhythm.turn(seq % 2 === 0 ? 0.95 : 1.05);
      hub.publish(frame(seq, rows(`T${seq}`)));
    }
    rhythm.turn(0.1);
    expect(client.heard).toEqual(Array.from({ length: 100 }, (_, i) => `snapshot ${i + 1}`));
  });

  test('who comes between two frames is in step with them soon, and then gets each one fresh', () => {
    hub.publish(frame(1, rows('A')));
    rhythm.turn(1);
    hub.publish(frame(2, rows('B')));
    rhythm.turn(0.7);
    const client = listen({ interval: 1 });
    for (let seq = 3; seq <= 40; seq++) {
      rhythm.turn(seq === 3 ? 0.3 : 1);
      hub.publish(frame(seq, rows(`T${seq}`)));
      if (seq > 4)
        expect([client.heard.at(-1), client.times.at(-1)]).toEqual([`snapshot ${seq}`, rhythm.now()]);
    }
    const shown = client.times.filter((_at, i) => client.heard[i]!.startsWith('snapshot'));
    expect(Math.min(...shown.slice(1).map((at, i) => at - shown[i]!))).toBeGreaterThanOrEqual(800);
  });

  test('a frame that is waited for in vain does not keep the last one back', () => {
    hub.publish(frame(1, rows('A')));
    rhythm.turn(10);
    hub.publish(frame(2, rows('B')));
    rhythm.turn(8);
    const client = listen({ interval: 4 });
    rhythm.turn(1.9);
    hub.publish(frame(3, rows('C')));
    rhythm.turn(30);
    expect(client.heard).toContain('snapshot 3');
    const slow = listen({ interval: 10 });
    rhythm.turn(7);
    hub.publish(frame(4, rows('D')));
    rhythm.turn(60);
    expect(slow.heard.filter((one) => one.startsWith('snapshot'))).toEqual(['snapshot 3', 'snapshot 4']);
  });

  test.each([
    [1, 60, 1_000],
    [5, 60, 5_000],
    [20, 100, 20_000],
    [300, 100, 20_000],
  ])('heartbeats at interval %i keep their rhythm over %i seconds', (interval, seconds, most) => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval });
    rhythm.turn(seconds);
    const gaps = client.times.slice(1).map((at, i) => at - client.times[i]!);
    expect(client.heard.slice(1).every((one) => one === 'heartbeat 1')).toBe(true);
    expect(Math.max(...gaps.slice(1))).toBeLessThanOrEqual(most);
    expect(gaps[0]).toBeLessThanOrEqual(Math.min(most + 200, 20_000));
    expect(client.heard.length - 1).toBeGreaterThanOrEqual(Math.floor((seconds * 1_000 - 200) / most));
    expect(client.heard.length - 1).toBeLessThanOrEqual(Math.ceil((seconds * 1_000) / (most - 200)));
  });

  test('a long interval waits for its snapshot and has heartbeats meanwhile', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 60 });
    rhythm.turn(1);
    hub.publish(frame(2, rows('B')));
    rhythm.turn(58.5);
    expect(client.heard).toEqual(['snapshot 1', 'heartbeat 2', 'heartbeat 2']);
    rhythm.turn(1);
    expect(client.heard.slice(3, 5)).toContain('snapshot 2');
  });

  test('after the process was held up everybody is served once', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 1 });
    rhythm.jump(120);
    expect(client.heard).toEqual(['snapshot 1', 'heartbeat 1']);
    rhythm.turn(3);
    expect(client.heard.length).toBeGreaterThanOrEqual(4);
  });
});

describe('slow readers', () => {
  test('are never handed more than one frame, and are closed after 30 seconds', () => {
    hub.publish(frame(1, rows('A')));
    const [slow, quick] = [listen({ interval: 1 }), listen({ interval: 1 })];
    slow.stuck = true;
    for (let seq = 2; seq <= 29; seq++) {
      rhythm.turn(1);
      hub.publish(frame(seq, rows(`T${seq}`)));
    }
    expect(slow.written).toHaveLength(2);
    expect(slow.farewell).toBeNull();
    rhythm.turn(4);
    expect(slow.farewell).toBe('stalled');
    expect(hub.size).toBe(1);
    expect(quick.farewell).toBeNull();
    expect(quick.heard.filter((one) => one.startsWith('snapshot')).length).toBe(29);
  });

  test('who catches up gets the newest within a second or so', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 20 });
    client.stuck = true;
    rhythm.turn(20);
    hub.publish(frame(2, rows('B')));
    hub.publish(frame(3, rows('C')));
    rhythm.turn(3);
    hub.publish(frame(4, rows('D')));
    client.stuck = false;
    client.outlet.writableLength = 0;
    rhythm.turn(1.1);
    expect(client.heard.at(-1)).toBe('snapshot 4');
    expect(client.heard).not.toContain('snapshot 3');
  });

  test('are found also when nothing is published', () => {
    hub.publish(frame(1, rows('A')));
    const client = listen({ interval: 300 });
    client.outlet.writableLength = 1;
    rhythm.turn(50);
    expect(client.farewell).toBe('stalled');
  });
});

describe('ends', () => {
  test('a key that has ended ends its stream at the next message, or at once on review', () => {
    hub.publish(frame(1, rows('A')));
    const [beating, reviewed] = [listen({ interval: 2 }), listen({ interval: 300 })];
    beating.welcome = false;
    reviewed.welcome = false;
    rhythm.turn(2.5);
    expect([beating.farewell, reviewed.farewell]).toEqual(['key_ended', null]);
    hub.review();
    expect(reviewed.farewell).toBe('key_ended');
    expect(hub.size).toBe(0);
  });

  test('who has left hears nothing more', () => {
    hub.publish(frame(1, rows('A')));
    const client = new Client();
    const leave = hub.subscribe(client, { limit: 1, interval: 1 });
    leave();
    leave();
    hub.publish(frame(2, rows('B')));
    rhythm.turn(30);
    expect(client.heard).toEqual(['snapshot 1']);
    expect(hub.size).toBe(0);
  });

  test('closing says farewell to everybody and stops the clockwork', () => {
    const clients = [listen(), listen()];
    hub.close();
    expect(clients.map(({ farewell }) => farewell)).toEqual(['stopping', 'stopping']);
    expect(listen().farewell).toBe('stopping');
    expect(hub.size).toBe(0);
  });

  test('a newer frame overtakes the delivery of an older one to many', () => {
    const later: (() => void)[] = [];
    const patient = new Hub({
      now: () => rhythm.now(),
      every: () => () => undefined,
      soon: (task) => later.push(task),
    });
    patient.publish(frame(1, rows('A')));
    const clients = Array.from({ length: 2_000 }, () => new Client());
    for (const client of clients) patient.subscribe(client, { limit: 1, interval: 1 });
    rhythm.turn(2);
    patient.publish(frame(2, rows('B')));
    patient.publish(frame(3, rows('C')));
    while (later.length > 0) later.shift()!();
    expect(clients.at(-1)!.heard).toEqual(['snapshot 1', 'snapshot 3']);
    expect(clients.every(({ written }) => written.length === 2)).toBe(true);
  });
});
