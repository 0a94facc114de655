// The macro desk in a thread of its own, with its own reader: filling a state takes longer than a request may wait.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { localMacroDesk } from '../answers/macro/local-desk.js';
import type { DeskQuestion, MacroDesk } from '../answers/macro/macro-desk.js';
import { systemClock } from '../kernel/instant.js';
import { ArchiveUnavailable } from '../ports/archive.js';
import { openStore } from '../storage/open.js';
import type { Config } from './config.js';

export interface MacroThreadData {
  readonly config: Pick<Config, 'archive'>;
}

export interface DeskCall {
  readonly id: number;
  readonly question: DeskQuestion;
  readonly given: readonly unknown[];
}

export type DeskReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string; readonly archiveAway: boolean };

const { config } = workerData as MacroThreadData;

try {
  // On Linux this sets the calling thread only: requests go before the past when both want a core.
  setPriority(0, 10);
} catch {
  // Without the right to lower the priority everything works, only less evenly.
}

const archive = await (await openStore(config.archive, systemClock)).openReader();
const desk: MacroDesk = localMacroDesk(archive, systemClock);

async function answer({ id, question, given }: DeskCall): Promise<void> {
  const ask = desk[question] as (...given: readonly unknown[]) => Promise<unknown>;
  let reply: DeskReply;
  try {
    reply = { id, value: await ask(...given) };
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    reply = { id, fault, archiveAway: error instanceof ArchiveUnavailable };
  }
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (message: DeskCall | 'stop') => {
  if (message !== 'stop') {
    void answer(message);
    return;
  }
  parentPort?.close();
  void desk.close().then(() => archive.close());
});
