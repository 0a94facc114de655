// `barograph serve`: the living service, with a progress bar while it catches up.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { RecorderStatus } from '../../domain/facts/recorder-status.js';
import { type Config, readConfig } from '../config.js';
import { CommandFault } from '../exit.js';
import { createLog } from '../log.js';
import { developerKey, forgetDeveloperKey } from '../secrets.js';
import type { Served } from '../serve.js';
import { startRecorderThread } from '../start-recorder.js';

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('record and serve: all roles in one process, unless BAROGRAPH_ROLE says otherwise')
    .action(async () => {
      const config = readConfig();
      const log = createLog(config.logLevel);
      const key = config.role === 'recorder' ? null : await developerKey(config.keysFile);
      let isKeyShown = false;
      const signal = stopSignal();
      const stopAsked = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
      const recorder = config.role === 'all' ? startRecorderThread(config) : undefined;
      try {
        // Loaded while the recorder begins: a first board waits for the recorder, and should not wait for both.
        const { serve } = await import('../serve.js');
        const served = await serve(config, log, { recorder, signal }).catch((error: unknown) => {
          throw listenFault(error, config) ?? error;
        });
        try {
          const ready = Promise.race([served.firstFrame, stopAsked, served.failed]);
          await (process.stderr.isTTY ? showProgress(served, ready) : ready);
          if (served.url && !signal.aborted) {
            greet(served.url, config.dataFolder, key, config.sources);
            isKeyShown = true;
          }
          await Promise.race([stopAsked, served.failed]);
        } finally {
          await served.stop();
        }
      } catch (error) {
        // Whoever stops it while it waits for its archive has got what was asked for.
        if (!signal.aborted) throw error;
      } finally {
        // A key that nobody has seen opens nothing for anybody: the next start makes another.
        if (key !== null && !isKeyShown) await forgetDeveloperKey(config.keysFile, key);
      }
    });
}

/** What to do about an address that cannot be had; null for any other fault. */
function listenFault(error: unknown, { host, port }: Config): CommandFault | null {
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === 'EADDRINUSE'
      ? 'is in use by another program'
      : code === 'EACCES'
        ? 'is not open to this user'
        : code === 'EADDRNOTAVAIL'
          ? 'is not an address of this machine'
          : null;
  return why === null
    ? null
    : new CommandFault(`${host}:${port} ${why}; choose another with BAROGRAPH_HOST and BAROGRAPH_PORT`);
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

/** One bar for all sources: the slowest backfill is what the first board waits for. */
async function showProgress(served: Served, ready: Promise<void>): Promise<void> {
  const bar = progress({ max: 100, output: process.stderr });
  bar.start('Reading history');
  let shown = 0;
  served.onStatus(({ sources }: RecorderStatus) => {
    const done = Math.min(...sources.map(({ progress: share }) => share ?? 1));
    const percent = Number.isFinite(done) ? Math.floor(done * 100) : 0;
    if (percent > shown) bar.advance(percent - shown);
    shown = Math.max(shown, percent);
  });
  await ready.finally(() => bar.stop('The first board is ready'));
}

function greet(url: string, dataFolder: string, key: string | null, sources: readonly string[]): void {
  const lines = [
    `API     ${url}/v1/snapshot/leaderboard`,
    `Docs    ${url}/docs`,
    `Data    ${dataFolder}`,
    ...(sources.includes('fixture')
      ? ['Note    the data are synthetic (fixture); docs/running.md tells how to use your own']
      : []),
    ...(key
      ? [`Key     ${key}`, '        shown this once; only its hash is stored. Send it as X-API-Key.']
      : []),
  ];
  process.stdout.write(
    `\nBarograph is recording. Measurement, never advice.\n\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`,
  );
}
