// The one way in which this adapter sets up the driver.
import { connect as connectSocket, type Socket } from 'node:net';
import postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number }>;

const CONNECT_SECONDS = 5;

export function connect(
  url: string,
  connections: number,
  onLost: () => void,
  settings: Readonly<Record<string, string>> = {},
): Sql {
  // The driver knows this option, its types do not.
  const untyped = { socket: openSocket };
  return postgres(url, {
    ...untyped,
    max: connections,
    connect_timeout: CONNECT_SECONDS,
    // Connections are never given up on purpose, so a close always means a loss.
    idle_timeout: 0,
    max_lifetime: null,
    onclose: onLost,
    onnotice: () => {},
    connection: { application_name: 'barograph', ...settings },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
}

/**
 * The driver's own socket waits for acknowledgements before it sends a small packet behind another, which costs 40 ms
 * at every COPY. Writing may begin before the connection stands; its time is up with the driver's connect timeout.
 */
function openSocket({ host, port, path }: SocketOptions): Socket {
  if (path) return connectSocket({ path });
  const socket = connectSocket({ host: host[0]!, port: port[0]!, noDelay: true, keepAlive: true });
  // Where the driver looks for the name to check a certificate against.
  return Object.assign(socket, { host: host[0]! });
}

interface SocketOptions {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

/** Instants, sequences and keyed hashes all fit; a value that does not is a fault, never a rounded number. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new Error('an integer in the archive exceeds what can be held exactly');
  return value;
}

/** Runs one statement whose text was put together by this adapter; it is prepared once for each connection. */
export async function run<Row>(
  sql: Sql,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  return (await sql.unsafe(text, [...values], { prepare: true })) as unknown as readonly Row[];
}

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];
