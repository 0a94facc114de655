// A raw connection that says exactly what a test wants and reads one response after the other.
import { connect, type Socket } from 'node:net';

export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The whole message as it came. */
  readonly text: string;
  json(): Record<string, unknown>;
}

function headersOf(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

export class Wire {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    const wake = () => this.#wake();
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      wake();
    });
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Wire(socket)));
    });
  }

  say(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** The next response, or null when the connection ends without one. */
  async next(options: { readonly head?: boolean } = {}): Promise<WireResponse | null> {
    for (;;) {
      const response = this.#take(options.head ?? false);
      if (response !== null) return response;
      if (this.#closed || this.socket.readableEnded) return null;
      await this.#news();
    }
  }

  /** Settles when the other side has closed; true when nothing more was said. */
  async closed(): Promise<boolean> {
    while (!this.#closed && !this.socket.readableEnded) await this.#news();
    return this.#received.length === 0;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.socket.once('end', resolve);
    });
  }

  #take(head: boolean): WireResponse | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = headersOf(lines);
    const length = head || status === 100 ? 0 : Number(headers.get('content-length') ?? 0);
    const whole = end + 4 + length;
    if (this.#received.length < whole) return null;
    const text = this.#received.subarray(0, whole).toString('utf8');
    const body = this.#received.subarray(end + 4, whole).toString('utf8');
    this.#received = this.#received.subarray(whole);
    return { status, headers, body, text, json: () => JSON.parse(body) as Record<string, unknown> };
  }
}
