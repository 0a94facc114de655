// An MCP server over standard input and output, for clients that start it themselves.
import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { protocolServer } from './protocol-server.js';
import type { ToolServer } from './tool.js';
import { type Asker, type CallParts, ToolCalls } from './tool-calls.js';

export interface StdioParts extends CallParts {
  readonly declared: ToolServer;
  readonly admit: Asker['admit'];
  /** Ends the conversation from this side. */
  readonly signal: AbortSignal;
}

/** Settles when the client has closed its end, or the signal says so. Standard output carries the protocol and nothing else. */
export async function converseOnStdio({ declared, admit, signal, ...parts }: StdioParts): Promise<void> {
  const calls = new ToolCalls(declared.tools, parts);
  let asked = 0;
  const makeServer = protocolServer(declared, parts.version, calls);
  const handle = serveStdio(
    () =>
      makeServer({
        get requestId() {
          return `stdio-${++asked}`;
        },
        admit(operation) {
          // Kept results belong to a frame; here nobody tells of a new one, so every call asks anew.
          calls.forget();
          return admit(operation);
        },
      }),
    { onerror: parts.onFault },
  );
  await finished(process.stdin, { writable: false, signal }).catch(() => {});
  await handle.close();
}
