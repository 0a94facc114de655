// One message in the form of each wire, made when it is first asked for and then shared by everybody.
import type { Wire } from './connection.js';

/** One server-sent event; JSON has no line breaks, so one data line holds it. */
export function sseEvent(event: string, json: string, id: number | string | null): Buffer {
  return Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`);
}

/** A whole text message in one frame. What a server sends is not masked, so the bytes are the same for all. */
export function webSocketText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafeSlow(head + length);
  bytes[0] = 0x81;
  bytes[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) bytes.writeUInt16BE(length, 2);
  if (head === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  bytes.write(text, head);
  return bytes;
}

/** What keeps a connection alive before there is anything to say: a comment, and a ping. */
export const SIGN_OF_LIFE: Readonly<Record<Wire, Buffer>> = {
  sse: Buffer.from(': waiting for the first frame\n\n'),
  websocket: Buffer.from([0x89, 0x00]),
};

export class Message {
  readonly #event: string;
  readonly #id: number | null;
  readonly #body: () => object;
  #json: string | undefined;
  readonly #bytes: { sse?: Buffer; websocket?: Buffer } = {};

  /** A message without an id leaves the client's place in the stream where it is. */
  constructor(event: string, id: number | null, body: () => object) {
    this.#event = event;
    this.#id = id;
    this.#body = body;
  }

  bytes(wire: Wire): Buffer {
    this.#json ??= JSON.stringify(this.#body());
    this.#bytes[wire] ??=
      wire === 'sse' ? sseEvent(this.#event, this.#json, this.#id) : webSocketText(this.#json);
    return this.#bytes[wire];
  }
}
