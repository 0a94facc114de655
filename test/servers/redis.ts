// A real Redis server on a free loopback port that a test may kill, pause and start again.
import { connect } from 'node:net';
import { redisBinary } from './installed.js';
import { eventually, freePort, LOOPBACK } from './loopback.js';
import { removeFolder, ServerProcess, temporaryFolder } from './processes.js';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends one inline command and gives back the raw first reply, for looking behind the adapter. */
  ask(command: string): Promise<string>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(...extra: readonly string[]): Promise<RedisServer> {
  const binary = redisBinary();
  if (binary === null) throw new Error('redis-server is not installed');
  const folder = temporaryFolder('redis');
  const port = await freePort();
  const fixed = [
    '--port',
    String(port),
    '--bind',
    LOOPBACK,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  let server: ServerProcess | null = null;

  const start = async (): Promise<void> => {
    const started = new ServerProcess(binary, [...fixed, ...extra], null);
    server = started;
    await eventually(async () => {
      if (!started.alive) throw new Error(`redis-server ended:\n${started.output}`);
      const reply = await inline(port, 'PING');
      if (!reply.startsWith('+PONG')) throw new Error(`redis-server answers ${reply}`);
    });
  };
  await start();

  return {
    port,
    url: `redis://${LOOPBACK}:${port}`,
    ask: (command) => inline(port, command),
    kill: async () => server?.kill(),
    pause: () => server?.signal('SIGSTOP'),
    resume: () => server?.signal('SIGCONT'),
    start,
    async stop() {
      await server?.kill();
      removeFolder(folder);
    },
  };
}

function inline(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, LOOPBACK);
    socket.setTimeout(1_000, () => socket.destroy(new Error('redis-server is silent')));
    socket.once('error', reject);
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('data', (reply) => {
      resolve(reply.toString());
      socket.destroy();
    });
  });
}
