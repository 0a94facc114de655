// Server processes that a test starts, hurts and always takes down again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

const running = new Set<ServerProcess>();
const folders = new Set<string>();
// For runs that end before their `afterAll`; the runner ends its workers with a signal, which alone runs no exit hook.
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => {
  for (const server of running) server.signal('SIGKILL');
  for (const folder of folders) removeFolder(folder);
});

/** One running server with the processes that it forked. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = '';
  #alive = true;

  constructor(command: string, args: readonly string[], identity: Identity | null) {
    this.#child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...identity, cwd: '/' });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
    }
    this.#ended = new Promise((resolve) => {
      const done = (): void => {
        this.#alive = false;
        running.delete(this);
        resolve();
      };
      this.#child.once('exit', done);
      this.#child.once('error', done);
    });
    running.add(this);
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** The end of what the server printed. */
  get output(): string {
    return this.#output;
  }

  /** Reaches the children too: a database's backends leave the process group of their parent. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#child.pid;
    if (pid === undefined || !this.#alive) return;
    if (signal === 'SIGCONT') send(pid, signal);
    // A stopped parent forks no more, so the list of its children is complete.
    else send(pid, 'SIGSTOP');
    for (const child of childrenOf(pid)) send(child, signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') send(pid, signal);
  }

  /** Returns when no process of the server is left. */
  async kill(): Promise<void> {
    const pid = this.#child.pid;
    const children = pid === undefined ? [] : childrenOf(pid);
    this.signal('SIGKILL');
    await this.#ended;
    while (children.some(exists)) await sleep(2);
  }

  async terminate(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.pid !== undefined && this.#alive) send(this.#child.pid, signal);
    await this.#ended;
  }
}

export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `barograph-${name}-`));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  folders.delete(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    // A process that is still dying holds it; a folder left behind must not fail a test.
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function exists(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}
