// The tools and resources of a server as the official library speaks them, to clients of every era.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { envelopeOf } from '../../contracts/failures.js';
import { failureOf } from '../http/refusal.js';
import type { ToolServer } from './tool.js';
import type { Asker, ToolCalls } from './tool-calls.js';
import { listedTool } from './tool-listing.js';

const HOUR_MS = 3_600_000;

/** Nothing is ever asked of the client, so no answer of it has to be checked; the usual checker is large. */
const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'nothing was asked' }),
};

export type MakeServer = (asker: Asker) => Server;

/** What is the same for everybody is made once; the library wants a server of its own for every exchange. */
export function protocolServer(declared: ToolServer, version: string, calls: ToolCalls): MakeServer {
  const { name, title, instructions, tools, resources } = declared;
  const listed = { tools: tools.map(listedTool) };
  const listedResources = {
    resources: resources.map(({ operation: _operation, ...shown }) => shown),
  };
  const options: ServerOptions = {
    capabilities: { tools: {}, ...(resources.length > 0 ? { resources: {} } : {}) },
    instructions,
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: {
      'tools/list': { ttlMs: HOUR_MS, cacheScope: 'public' },
      'resources/list': { ttlMs: HOUR_MS, cacheScope: 'public' },
      'server/discover': { ttlMs: HOUR_MS, cacheScope: 'public' },
    },
  };

  return (asker) => {
    const server = new Server({ name, title, version }, options);
    server.setRequestHandler('tools/list', () => listed);
    server.setRequestHandler('tools/call', async ({ params }) => {
      if (!calls.has(params.name)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
      }
      return (await calls.call(params.name, params.arguments ?? {}, asker)).object;
    });
    if (resources.length > 0) {
      server.setRequestHandler('resources/list', () => listedResources);
      server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
      server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
        const resource = resources.find((one) => one.uri === uri);
        if (resource === undefined) throw new ResourceNotFoundError(uri);
        const text = await calls.read(resource, asker).catch((error: unknown) => {
          const failure = failureOf(error);
          throw new ProtocolError(
            ProtocolErrorCode.InternalError,
            failure.message,
            envelopeOf(failure, asker.requestId),
          );
        });
        return { contents: [{ uri, mimeType: resource.mimeType, text }] };
      });
    }
    return server;
  };
}
