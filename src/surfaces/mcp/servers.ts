// The MCP servers of one process: which there are, under which path, and what they have in common.
import type { ReadSide } from '../../answers/answers.js';
import type { DirectRoute } from '../http/direct-route.js';
import { ATTENTION_SERVER } from './attention-tools.js';
import { type Door, mcpEndpoint } from './endpoint.js';
import { MACRO_SERVER } from './macro-tools.js';
import { protocolServer } from './protocol-server.js';
import type { ToolServer } from './tool.js';
import { ToolCalls } from './tool-calls.js';

export const MCP_SERVERS = {
  attention: ATTENTION_SERVER,
  macro: MACRO_SERVER,
} as const satisfies Record<string, ToolServer>;

export type McpServerName = keyof typeof MCP_SERVERS;

export interface McpSurface {
  /** By path. */
  readonly routes: ReadonlyMap<string, DirectRoute>;
  /** A new frame is there: what was kept of the last one is not served any more. */
  forgetFrame(): void;
  close(): Promise<void>;
}

export function mcpSurface(
  names: readonly McpServerName[],
  readSide: Pick<ReadSide, 'answers' | 'standing'>,
  version: string,
  door: Door,
): McpSurface {
  const open = names.map((name) => {
    const declared = MCP_SERVERS[name];
    const { onFault, onRefusal } = door;
    const calls = new ToolCalls(declared.tools, { ...readSide, version, onFault, onRefusal });
    const desk = {
      factory: protocolServer(declared, version, calls),
      plain: {
        has: (tool: string) => calls.has(tool),
        call: calls.call.bind(calls),
        identity: { name: declared.name, title: declared.title, version },
      },
    };
    return { calls, endpoint: mcpEndpoint(declared.path, desk, door) };
  });
  return {
    routes: new Map(open.map(({ endpoint: { route } }) => [route.path, route])),
    forgetFrame() {
      for (const { calls } of open) calls.forget();
    },
    async close() {
      await Promise.all(open.map(({ endpoint }) => endpoint.close()));
    },
  };
}
