// `barograph doctor`: looks at everything the service stands on, changes nothing, and says what is wrong.
import type { Command } from 'commander';
import { systemClock } from '../../kernel/instant.js';
import { openStore } from '../../storage/open.js';
import { readConfig } from '../config.js';
import { EXIT } from '../exit.js';
import { EXAMINATIONS, type Examination, type Examined } from './doctor-examinations.js';

interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly detail: string;
}

export function doctorCommand(program: Command, report: (status: number) => void): void {
  program
    .command('doctor')
    .description(`check ${Object.keys(EXAMINATIONS).join(', ')}; nothing is made or changed`)
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examineAll();
      if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
      else
        for (const { part, ok, detail } of findings)
          process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${part}: ${detail}\n`);
      if (findings.some(({ ok }) => !ok)) report(EXIT.failed);
    });
}

async function examineAll(): Promise<readonly Finding[]> {
  const config = readConfig();
  const archive = openStore(config.archive, systemClock).then((store) => store.openReader({ asItIs: true }));
  // Whoever needs it waits for it; until then nobody hears of its failing.
  archive.catch(() => {});
  const findings: Finding[] = [];
  for (const [part, examination] of Object.entries(EXAMINATIONS))
    findings.push(await examine(part, examination, { config, archive }));
  await archive.then((reader) => reader.close()).catch(() => {});
  return findings;
}

/** What an examination throws is what it found. */
async function examine(part: string, examination: Examination, examined: Examined): Promise<Finding> {
  try {
    return { part, ok: true, detail: await examination(examined) };
  } catch (error) {
    return { part, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
