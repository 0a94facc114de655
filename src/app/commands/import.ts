// `barograph import`: files into facts, with a progress bar, and refused lines beside the file.
import { progress } from '@clack/prompts';
import type { Command } from 'commander';
import type { Admit } from '../../connectors/files/fact-batches.js';
import { FactFileError } from '../../connectors/files/fact-file-error.js';
import { requireReadable } from '../../connectors/files/file-bytes.js';
import { gathered } from '../../connectors/files/gathered-batches.js';
import { FILE_KINDS, type FileKind, readFactFile } from '../../connectors/files/read-fact-file.js';
import { createRejectFile } from '../../connectors/files/reject-file.js';
import type { Report } from '../../domain/facts/fact.js';
import type { Identity } from '../../domain/facts/identity.js';
import { usualRelease } from '../../domain/macro/usual-release.js';
import { systemClock } from '../../kernel/instant.js';
import { IdentityGate } from '../../pipeline/identity-gate.js';
import type { Ingest } from '../../pipeline/ingest.js';
import { openImportIngest } from '../../pipeline/open-ingest.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT, FaultAfterOutput } from '../exit.js';
import { withWriter } from '../open-archive.js';
import { authorSecret } from '../secrets.js';

interface Summary {
  readonly file: string;
  lines: number;
  appended: number;
  duplicates: number;
  rejected: number;
  /** Why the file was not read to its end; what the other members count is stored. */
  error?: string;
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
      '\nA line that cannot be read goes to FILE.rejected with its number and the reason; exit status 3 says that there were some.\nA file that cannot be read to its end ends the import: what came before is stored, and counted in the summary.\nThe name says the format (.ndjson, .jsonl, .csv, with or without .gz); otherwise the first line does.\nImporting the same file again changes nothing.',
    )
    .action(async (kind: string, files: string[], options: { json?: boolean }) => {
      if (!(FILE_KINDS as readonly string[]).includes(kind)) {
        throw new CommandFault(`there is no kind "${kind}": use one of ${FILE_KINDS.join(', ')}`, EXIT.usage);
      }
      const config = readConfig();
      await requireAll(files);
      const summaries: Summary[] = [];
      const begin = (file: string): Summary => {
        const summary = { file, lines: 0, appended: 0, duplicates: 0, rejected: 0 };
        summaries.push(summary);
        return summary;
      };
      const tell = (): void => {
        if (options.json) process.stdout.write(`${JSON.stringify(summaries)}\n`);
        else for (const summary of summaries) process.stdout.write(`${sentence(summary)}\n`);
      };
      await withWriter(config, async (archive) => {
        const ingest = await openImportIngest(archive, await authorSecret(config.dataFolder), systemClock);
        const admit =
          kind === 'identities' ? admitBy(await IdentityGate.open(archive, systemClock)) : undefined;
        for (const file of files) await importFile(begin(file), kind as FileKind, ingest, admit);
      }).catch((error: unknown) => {
        if (summaries.length === 0) throw error;
        tell();
        throw new FaultAfterOutput(error);
      });
      tell();
      if (summaries.some(({ rejected }) => rejected > 0)) report(EXIT.rejects);
    });
}

/** Before anything is stored: a mistyped name among many should not leave half of them imported. */
async function requireAll(files: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const file of files) {
    await requireReadable(file).catch((error: unknown) => {
      if (!(error instanceof FactFileError)) throw error;
      faults.push(`${file}: ${error.message}`);
    });
  }
  if (faults.length > 0) throw new CommandFault(faults.join('; '));
}

/** An imported event is known from its own `known_at` on, or from now on. */
function admitBy(gate: IdentityGate): Admit {
  return (report) => {
    const admitted = gate.admit(report as Report<Identity>);
    return typeof admitted === 'string' ? admitted : { ...admitted.report, releasedAt: admitted.knownAt };
  };
}

async function importFile(summary: Summary, kind: FileKind, ingest: Ingest, admit?: Admit): Promise<void> {
  const { file } = summary;
  const rejects = createRejectFile(file);
  const bar = process.stderr.isTTY ? progress({ max: 1000, output: process.stderr }) : null;
  bar?.start(file);
  let shown = 0;
  try {
    for await (const batch of gathered(
      readFactFile(file, kind, {
        clock: systemClock,
        releaseOf: usualRelease,
        ...(admit ? { admit } : {}),
      }),
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
    summary.error = error instanceof Error ? error.message : String(error);
    if (error instanceof FactFileError) throw new CommandFault(`${file}: ${error.message}`);
    throw error;
  } finally {
    await rejects.close();
    bar?.stop(sentence(summary));
  }
}

function sentence({ file, lines, appended, duplicates, rejected, error }: Summary): string {
  const refused = rejected > 0 ? `, ${rejected} refused (see ${file}.rejected)` : '';
  return `${file}: ${lines} lines, ${appended} new facts, ${duplicates} known already${refused}${error === undefined ? '' : `; not read to its end: ${error}`}`;
}
