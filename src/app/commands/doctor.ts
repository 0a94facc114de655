// `barograph doctor`: looks at everything the service stands on and says what is wrong.
import { access, constants, mkdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { formatInstant, MINUTE, systemClock } from '../../kernel/instant.js';
import { openBus, openCounters, openStore } from '../../storage/open.js';
import { type Config, readConfig } from '../config.js';
import { EXIT } from '../exit.js';

interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly detail: string;
}

export function doctorCommand(program: Command, report: (status: number) => void): void {
  program
    .command('doctor')
    .description('check the configuration, the archive, the limiter, the bus and the clock')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const findings: Finding[] = [
        {
          part: 'configuration',
          ok: true,
          detail: `role ${config.role}, sources ${config.sources.join(', ') || 'none'}`,
        },
      ];
      for (const examine of [examineFolder, examineArchive, examineCounters, examineBus, examineClock]) {
        findings.push(await examine(config));
      }
      if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
      else
        for (const { part, ok, detail } of findings)
          process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${part}: ${detail}\n`);
      if (findings.some(({ ok }) => !ok)) report(EXIT.failed);
    });
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function examineFolder({ dataFolder }: Config): Promise<Finding> {
  try {
    await mkdir(dataFolder, { recursive: true });
    await access(dataFolder, constants.W_OK);
    return { part: 'data folder', ok: true, detail: dataFolder };
  } catch (error) {
    return { part: 'data folder', ok: false, detail: reason(error) };
  }
}

async function examineArchive(config: Config): Promise<Finding> {
  try {
    const archive = await (await openStore(config.archive, systemClock)).openReader();
    try {
      const { highWater, firstKnownAt, lastKnownAt } = await archive.extent();
      const frame = await archive.frameAt(Number.MAX_SAFE_INTEGER);
      const span =
        firstKnownAt === null
          ? 'empty'
          : `${formatInstant(firstKnownAt)} to ${formatInstant(lastKnownAt ?? firstKnownAt)}`;
      const newest = frame ? `, newest frame ${formatInstant(frame.at)}` : ', no frame yet';
      return {
        part: 'archive',
        ok: true,
        detail: `${archive.location}: ${highWater} facts, ${span}${newest}`,
      };
    } finally {
      await archive.close();
    }
  } catch (error) {
    return { part: 'archive', ok: false, detail: reason(error) };
  }
}

async function examineCounters(config: Config): Promise<Finding> {
  const kind = config.redisUrl === null ? 'on this machine' : 'shared';
  const counters = await openCounters(config.redisUrl, config.dataFolder, systemClock);
  const ok = await counters.healthy().catch(() => false);
  await counters.close();
  return { part: 'limiter', ok, detail: ok ? kind : `${kind}, does not answer` };
}

async function examineBus(config: Config): Promise<Finding> {
  const bus = await openBus(config.redisUrl);
  try {
    // Listening is enough to see whether it answers; publishing would be heard by others.
    await bus.subscribe('recorder.status', () => {});
    return {
      part: 'bus',
      ok: bus.healthy(),
      detail: config.redisUrl === null ? 'inside the process' : 'shared',
    };
  } catch (error) {
    return { part: 'bus', ok: false, detail: reason(error) };
  } finally {
    await bus.close();
  }
}

/** A clock behind the newest fact would have to wait for it: live facts carry the instant of their append. */
async function examineClock(config: Config): Promise<Finding> {
  const now = systemClock();
  try {
    const archive = await (await openStore(config.archive, systemClock)).openReader();
    const { lastKnownAt } = await archive.extent().finally(() => archive.close());
    const behind = (lastKnownAt ?? 0) - now;
    const detail =
      behind > MINUTE
        ? `behind the newest fact by ${Math.round(behind / MINUTE)} minutes`
        : formatInstant(now);
    return { part: 'clock', ok: behind <= MINUTE, detail };
  } catch {
    return { part: 'clock', ok: true, detail: `${formatInstant(now)}, nothing to compare it with` };
  }
}
