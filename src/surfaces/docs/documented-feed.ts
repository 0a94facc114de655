// One feed as OpenAPI sees it: the request that begins it, what it pushes, and its refusals.
import { z } from 'zod';
import type { Feed } from '../../contracts/feed.js';
import type { ComponentSchemas } from './component-schemas.js';
import { documentedFailures, failuresOf } from './documented-failures.js';
import { documentedParameters, SECURITY } from './documented-operation.js';

/** A browser can put a key of a WebSocket only there. */
export const SOCKET_KEY = {
  WebSocketKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description:
      'The two subprotocols `barograph.snapshot.v1` and `barograph.key.` followed by the base64url encoding of the key, without padding.',
  },
};

function opened(feed: Feed, components: ComponentSchemas): object {
  const schema = components.schemaOf(z.union(Object.values(feed.events)), 'output');
  const names = Object.keys(feed.events).join('`, `');
  if (feed.wire === 'sse') {
    return {
      '200': {
        description: `Events \`${names}\`, each with one JSON object as its data.`,
        headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
        content: { 'text/event-stream': { schema } },
      },
    };
  }
  const messages = `every message is one JSON object whose \`event\` is one of \`${names}\`.`;
  return {
    '101': {
      description: `The connection is a WebSocket now; ${messages}`,
      content: { 'application/json': { schema } },
    },
    '200': {
      description: `The same where a proxy in front speaks WebSocket over HTTP/2 (RFC 8441); ${messages}`,
      content: { 'application/json': { schema } },
    },
  };
}

export function documentedFeed(feed: Feed, components: ComponentSchemas): object {
  return {
    operationId: feed.name,
    tags: [feed.group],
    summary: feed.summary,
    description: feed.description,
    security: feed.wire === 'sse' ? SECURITY[feed.access.kind] : [{ WebSocketKey: [] }],
    parameters: documentedParameters(feed, components),
    responses: { ...opened(feed, components), ...documentedFailures(failuresOf(feed)) },
  };
}
