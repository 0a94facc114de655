// A real PostgreSQL server on a free loopback port that a test may kill, pause and start again.
import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { postgresBinaries } from './installed.js';
import { eventually, freePort, LOOPBACK } from './loopback.js';
import { type Identity, removeFolder, ServerProcess, temporaryFolder } from './processes.js';

export interface PostgresServer {
  readonly port: number;
  /** Makes an empty database and gives back its address. */
  createDatabase(): Promise<string>;
  /** As if the machine had lost its power: every process is gone at once. */
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Off only where speed matters and no test asks what survives a crash of the machine. */
  readonly fsync?: boolean;
}

const ADMIN = 'postgres';

export async function startPostgres({ fsync = true }: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  if (binaries === null) throw new Error('PostgreSQL is not installed');
  const identity = unprivileged();
  const folder = temporaryFolder('pg');
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  execFileSync(
    join(binaries, 'initdb'),
    [
      '-D',
      data,
      '-U',
      ADMIN,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...identity },
  );
  const settings = {
    listen_addresses: LOOPBACK,
    port: String(port),
    unix_socket_directories: folder,
    fsync: fsync ? 'on' : 'off',
    max_connections: '60',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    // Otherwise a start after a kill opens and syncs every file of every database.
    recovery_init_sync_method: 'syncfs',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = (database: string): string => `postgres://${ADMIN}@${LOOPBACK}:${port}/${database}`;
  let server: ServerProcess | null = null;
  let databases = 0;

  const ask = async (text: string): Promise<void> => {
    const sql = postgres(url(ADMIN), { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => {} });
    try {
      await sql.unsafe(text);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const start = async (): Promise<void> => {
    const started = new ServerProcess(join(binaries, 'postgres'), ['-D', data, ...args], identity);
    server = started;
    await eventually(async () => {
      if (!started.alive) throw new Error(`postgres ended:\n${started.output}`);
      await ask('SELECT 1');
    });
  };
  await start();

  return {
    port,
    async createDatabase() {
      const name = `archive_${++databases}`;
      await ask(`CREATE DATABASE ${name}`);
      return url(name);
    },
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

/** PostgreSQL refuses to run as root; then it runs as the user that its package made. */
function unprivileged(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Runs statements on a connection of its own, behind the archive's back; the rows of the last one. */
export async function askPostgres(
  url: string,
  ...texts: readonly string[]
): Promise<readonly postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    let rows: readonly postgres.Row[] = [];
    for (const text of texts) rows = await sql.unsafe(text);
    return rows;
  } finally {
    await sql.end();
  }
}
