// `barograph import`: files into facts, with a progress bar, and refused lines beside the file.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { Admit } from '../../connectors/files/fact-batches.js';
import { FactFileError } from '../../connectors/files/fact-file-error.js';
import { gathered } from '../../connectors/files/gathered-batches.js';
import { FILE_KINDS, type FileKind, readFactFile } from '../../connectors/files/read-fact-file.js';
import { createRejectFile } from '../../connectors/files/reject-file.js';
import type { Report } from '../../domain/facts/fact.js';
import type { Identity } from '../../domain/facts/identity.js';
import { systemClock } from '../../kernel/instant.js';
import { IdentityGate } from '../../pipeline/identity-gate.js';
import type { Ingest } from '../../pipeline/ingest.js';
import { openImportIngest } from '../../pipeline/open-ingest.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { withWriter } from '../open-archive.js';
import { authorSecret } from '../secrets.js';

interface Summary {
  readonly file: string;
  lines: number;
  appended: number;
  duplicates: number;
  rejected: number;
}

export function importCommand(program: Command, report: (status: number) => void): void {
  program
    .command('import')
    .description(`read facts from files: ${FILE_KINDS.join(', ')}`)
    .argument('<kind>', 'what the files hold')
    .argument('<files...>', 'NDJSON or CSV, plain or gzip; identities as NDJSON only')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      '\nA line that cannot be read goes to FILE.rejected with its number and the reason; exit status 3 says that there were some.\nImporting the same file again changes nothing.',
    )
    .action(async (kind: string, files: string[], options: { json?: boolean }) => {
      if (!(FILE_KINDS as readonly string[]).includes(kind)) {
        throw new CommandFault(`there is no kind "${kind}": use one of ${FILE_KINDS.join(', ')}`, EXIT.usage);
      }
      const config = readConfig();
      const summaries = await withWriter(config, async (archive) => {
        const ingest = await openImportIngest(archive, await authorSecret(config.dataFolder), systemClock);
        const done: Summary[] = [];
        const admit =
          kind === 'identities' ? admitBy(await IdentityGate.open(archive, systemClock)) : undefined;
        for (const file of files) done.push(await importFile(file, kind as FileKind, ingest, admit));
        return done;
      });
      if (options.json) process.stdout.write(`${JSON.stringify(summaries)}\n`);
      else for (const summary of summaries) process.stdout.write(`${sentence(summary)}\n`);
      if (summaries.some(({ rejected }) => rejected > 0)) report(EXIT.rejects);
    });
}

/** An imported event is known from its own `known_at` on, or from now on. */
function admitBy(gate: IdentityGate): Admit {
  return (report) => {
    const admitted = gate.admit(report as Report<Identity>);
    return typeof admitted === 'string' ? admitted : { ...admitted.report, releasedAt: admitted.knownAt };
  };
}

async function importFile(file: string, kind: FileKind, ingest: Ingest, admit?: Admit): Promise<Summary> {
  const summary: Summary = { file, lines: 0, appended: 0, duplicates: 0, rejected: 0 };
  const rejects = createRejectFile(file);
  const bar = process.stderr.isTTY ? progress({ max: 1000, output: process.stderr }) : null;
  bar?.start(file);
  let shown = 0;
  try {
    for await (const batch of gathered(
      readFactFile(file, kind, { clock: systemClock, ...(admit ? { admit } : {}) }),
    )) {
      for (const reject of batch.rejected) await rejects.add(reject);
      const { appended, duplicates } = await ingest({ posts: batch.posts, facts: batch.facts });
      summary.lines = batch.lines;
      summary.appended += appended;
      summary.duplicates += duplicates;
      summary.rejected += batch.rejected.length;
      const permille = batch.bytesTotal > 0 ? Math.floor((1000 * batch.bytesRead) / batch.bytesTotal) : 0;
      if (permille > shown)
        bar?.advance(permille - shown, `${file}: ${summary.appended.toLocaleString('en')} facts`);
      shown = Math.max(shown, permille);
    }
  } catch (error) {
    // What was read before the fault is stored; the same import can be run again once the file is mended.
    if (error instanceof FactFileError) throw new CommandFault(`${file}: ${error.message}`);
    throw error;
  } finally {
    await rejects.close();
    bar?.stop(sentence(summary));
  }
  return summary;
}

function sentence({ file, lines, appended, duplicates, rejected }: Summary): string {
  const refused = rejected > 0 ? `, ${rejected} refused (see ${file}.rejected)` : '';
  return `${file}: ${lines} lines, ${appended} new facts, ${duplicates} known already${refused}`;
}
