// The command line: one file per command, one place that turns faults into sentences and exit statuses.
import { Command, CommanderError } from 'commander';
import { envelopeOf } from '../contracts/failures.js';
import { requestIds } from '../surfaces/http/request-ids.js';
import { EXIT, FaultAfterOutput } from './exit.js';
import { faultOf } from './fault.js';
import { VERSION } from './version.js';

const EXAMPLES = `
Examples:
  barograph serve                                        record and serve; try http://127.0.0.1:8700/docs
  barograph ask snapshot_leaderboard --limit 3           any operation, as JSON, without a server
  barograph import posts tweets.ndjson.gz                your own data: run with BAROGRAPH_SOURCES=none
  barograph replay --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --every 1h
  barograph export tape --format csv > tape.csv
  barograph keys create --scopes signals:read            a key for X-API-Key, shown once
  barograph mcp attention                                an MCP server on standard input and output
  barograph verify                                       recompute the recorded frames, audit the log
  barograph validate                                     test the signals on the recorded tape
  barograph verify answer.json --key KEY                 check a saved answer offline, without trusting the service

Settings come from the environment, for example BAROGRAPH_DATA=./study; docs/running.md lists them all.
With --json a command writes one JSON value on standard output; when it fails, the error envelope of the API.
Exit status: 0 done, 1 failed, 2 wrong usage, 3 some lines were refused, 4 something recorded or claimed does not verify.`;

/** Loaded when called for: a command should not wait for what only the others need. */
const COMMANDS: Readonly<
  Record<string, () => Promise<(program: Command, report: (status: number) => void) => void>>
> = {
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  import: async () => (await import('./commands/import.js')).importCommand,
  replay: async () => (await import('./commands/replay.js')).replayCommand,
  ask: async () => (await import('./commands/ask.js')).askCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  validate: async () => (await import('./commands/validate.js')).validateCommand,
  export: async () => (await import('./commands/export.js')).exportCommand,
  keys: async () => (await import('./commands/keys.js')).keysCommand,
  mcp: async () => (await import('./commands/mcp.js')).mcpCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
};

/** Runs one command and returns the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  let status: number = EXIT.ok;
  const program = new Command('barograph')
    .description(
      'Records what markets pay attention to on a tape that never rewrites its past. Measurement, never advice.',
    )
    .version(VERSION)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride();
  const report = (result: number): void => {
    status = result;
  };
  const asked = COMMANDS[argv[2] ?? ''];
  // Without a known name there is help to be written, or a fault, and both need to know every command.
  for (const load of asked ? [asked] : Object.values(COMMANDS)) (await load())(program, report);
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return tell(error, argv.includes('--json'));
  }
}

/** With `--json` standard output gets the one error envelope, unless it holds a result already. */
function tell(error: unknown, asJson: boolean): number {
  const after = error instanceof FaultAfterOutput;
  const { status, sentence, failure } = faultOf(after ? error.cause : error);
  if (sentence !== null) process.stderr.write(`barograph: ${sentence}\n`);
  const to = after ? process.stderr : process.stdout;
  if (asJson) to.write(`${JSON.stringify(envelopeOf(failure, requestIds()()))}\n`);
  return status;
}
