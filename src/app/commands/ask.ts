// `barograph ask`: any operation, answered from the archive without a server.
import type { Command } from 'commander';
import { openReadSide } from '../../answers/answers.js';
import type { Operation } from '../../contracts/operation.js';
import { OPERATIONS, type OperationName } from '../../contracts/operations.js';
import { systemClock } from '../../kernel/instant.js';
import { memoryBus } from '../../storage/memory/bus.js';
import { memoryCounters } from '../../storage/memory/counters.js';
import { memoryWatchlists } from '../../storage/memory/watchlists.js';
import { invalidInput, unknownMember } from '../../surfaces/http/input-faults.js';
import { inputShape } from '../../surfaces/http/input-shape.js';
import { valueOfText } from '../../surfaces/http/text-values.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { givenLogKey } from '../log-key.js';
import { withReader } from '../open-archive.js';
import { cursorSecret } from '../secrets.js';
import { VERSION } from '../version.js';

export function askCommand(program: Command): void {
  program
    .command('ask')
    .description('answer any operation as JSON')
    .argument('<operation>', `one of ${Object.keys(OPERATIONS).join(', ')}`)
    .argument('[parameters...]', '--name value pairs, as the operation takes them')
    .allowUnknownOption()
    .option('--json', 'print on one line')
    .action(async (name: string, parameters: string[], options: { json?: boolean }) => {
      if (!Object.hasOwn(OPERATIONS, name)) {
        throw new CommandFault(
          `there is no operation "${name}": use one of ${Object.keys(OPERATIONS).join(', ')}`,
          EXIT.usage,
        );
      }
      const input = readInput(OPERATIONS[name as OperationName], pairs(parameters));
      const config = readConfig();
      const answer = await withReader(config, async (archive) => {
        const clock = systemClock;
        const readSide = await openReadSide({
          archive,
          bus: memoryBus(),
          counters: memoryCounters({ clock }),
          watchlists: memoryWatchlists(),
          clock,
          version: VERSION,
          cursorSecret: await cursorSecret(config.dataFolder),
          logSigner: await givenLogKey(config),
        });
        const ask = readSide.answers[name as OperationName] as (input: unknown) => Promise<unknown>;
        return ask(input).finally(() => readSide.close());
      });
      process.stdout.write(`${JSON.stringify(answer, null, options.json ? 0 : 2)}\n`);
    });
}

/** Texts become what the contract takes, by the same rules as a query string. */
function readInput(operation: Operation, given: ReadonlyMap<string, string>): unknown {
  const shape = inputShape(operation);
  const members = [...given].map(([name, text]) => {
    const member = shape.members.get(name);
    if (member === undefined) throw unknownMember(shape);
    return [name, valueOfText(text, member)] as const;
  });
  const parsed = operation.input.safeParse(Object.fromEntries(members));
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues, shape, 'query');
}

function pairs(words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const match = /^--([a-z_-]+)(?:=(.*))?$/s.exec(words[i]!);
    const value = match?.[2] ?? words[i + 1];
    if (!match || value === undefined) throw new CommandFault('write parameters as --name value', EXIT.usage);
    if (match[2] === undefined) i++;
    const name = match[1]!.replaceAll('-', '_');
    if (found.has(name)) throw new CommandFault(`--${match[1]} is given twice`, EXIT.usage);
    found.set(name, value);
  }
  return found;
}
