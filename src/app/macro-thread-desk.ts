// The near end of the macro desk's thread: started with the first question, and again after it has died.
import { Worker } from 'node:worker_threads';
import type { DeskQuestion, MacroDesk } from '../answers/macro/macro-desk.js';
import { type Deferred, deferred } from '../kernel/deferred.js';
import { ArchiveUnavailable } from '../ports/archive.js';
import type { Config } from './config.js';
import type { DeskCall, DeskReply, MacroThreadData } from './macro-thread.js';

const PATIENCE_MS = 1_000;

export function threadMacroDesk(config: Pick<Config, 'archive'>): MacroDesk {
  const waiting = new Map<number, Deferred<unknown>>();
  let worker: Worker | null = null;
  let asked = 0;

  function settle(reply: DeskReply): void {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('value' in reply) caller?.resolve(reply.value);
    else if (reply.archiveAway) caller?.reject(new ArchiveUnavailable('the desk', reply.fault));
    else caller?.reject(new Error(`the macro desk failed: ${reply.fault}`));
  }

  function started(): Worker {
    if (worker !== null) return worker;
    const data: MacroThreadData = { config: { archive: config.archive } };
    const own = new Worker(new URL('./macro-thread.js', import.meta.url), { workerData: data });
    // The desk alone does not keep a process alive.
    own.unref();
    const gone = (error: unknown): void => {
      if (worker === own) worker = null;
      for (const caller of waiting.values()) caller.reject(error);
      waiting.clear();
    };
    own.on('message', settle);
    own.on('error', gone);
    own.on('exit', (code) => gone(new Error(`the macro desk ended with status ${code}`)));
    worker = own;
    return own;
  }

  const ask =
    <Question extends DeskQuestion>(question: Question) =>
    (...given: Parameters<MacroDesk[Question]>) => {
      const caller = deferred<unknown>();
      asked += 1;
      const call: DeskCall = { id: asked, question, given };
      waiting.set(call.id, caller);
      started().postMessage(call);
      return caller.promise as ReturnType<MacroDesk[Question]>;
    };

  return {
    edition: ask('edition'),
    briefing: ask('briefing'),
    drivers: ask('drivers'),
    detail: ask('detail'),
    regimes: ask('regimes'),
    changes: ask('changes'),
    async close() {
      const own = worker;
      if (own === null) return;
      const ended = new Promise((resolve) => own.once('exit', resolve));
      const timer = setTimeout(() => void own.terminate(), PATIENCE_MS);
      own.postMessage('stop');
      await ended;
      clearTimeout(timer);
    },
  };
}
