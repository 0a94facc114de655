// `barograph mcp`: the MCP servers over standard input and output, answered from the archive without a server.
import { type Command, Option } from 'commander';
import { SCOPE_NAMES } from '../../access/scopes.js';
import { openReadSide } from '../../answers/answers.js';
import type { Caller } from '../../contracts/caller.js';
import { systemClock } from '../../kernel/instant.js';
import { memoryBus } from '../../storage/memory/bus.js';
import { memoryCounters } from '../../storage/memory/counters.js';
import { openWatchlists } from '../../storage/open.js';
import { causeText } from '../../surfaces/http/ledger.js';
import { MCP_SERVERS, type McpServerName } from '../../surfaces/mcp/servers.js';
import { converseOnStdio } from '../../surfaces/mcp/stdio.js';
import { readConfig } from '../config.js';
import { CommandFault, EXIT } from '../exit.js';
import { createLog } from '../log.js';
import { givenLogKey } from '../log-key.js';
import { withReader } from '../open-archive.js';
import { cursorSecret } from '../secrets.js';
import { VERSION } from '../version.js';

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('an MCP server over standard input and output, for agents that start it themselves')
    .argument('<server>', `one of ${Object.keys(MCP_SERVERS).join(', ')}`)
    .addOption(new Option('--customer <id>', 'whose watchlists').default('developer'))
    .action((name: string, { customer }: { customer: string }) => converse(name, customer));
}

async function converse(name: string, customer: string): Promise<void> {
  if (!Object.hasOwn(MCP_SERVERS, name)) {
    throw new CommandFault(
      `there is no MCP server "${name}": use one of ${Object.keys(MCP_SERVERS).join(', ')}`,
      EXIT.usage,
    );
  }
  const config = readConfig();
  const log = createLog(config.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await withReader(config, async (archive) => {
    const clock = systemClock;
    const watchlists = await openWatchlists(config.archive, config.dataFolder);
    const readSide = await openReadSide({
      archive,
      bus: memoryBus(),
      counters: memoryCounters({ clock }),
      watchlists,
      clock,
      version: VERSION,
      cursorSecret: await cursorSecret(config.dataFolder),
      revealDays: config.revealDays,
      logSigner: await givenLogKey(config),
    });
    const caller = whoeverRunsIt(customer);
    try {
      await converseOnStdio({
        declared: MCP_SERVERS[name as McpServerName],
        answers: readSide.answers,
        standing: readSide.standing,
        version: VERSION,
        async admit() {
          // The recorder is another process, and no bus tells of its frames.
          await Promise.all([readSide.live.catchUp(archive), readSide.macro.live.catchUp()]);
          return caller;
        },
        onFault: (error) => log.error({ event: 'tool.failure', cause: causeText(error) }),
        signal: stop.signal,
      });
    } finally {
      await Promise.allSettled([readSide.close(), watchlists.close()]);
    }
  });
}

/** Who can read the archive's file needs no key for it, and no limit protects anybody from them. */
function whoeverRunsIt(customerId: string): Caller {
  return {
    kind: 'key',
    allowance: null,
    key: {
      id: 'local',
      customerId,
      environment: 'live',
      plan: 'operator',
      scopes: [...SCOPE_NAMES].sort(),
      expiresAt: null,
      oldKeyEndsAt: null,
    },
  };
}
