// The OpenAPI 3.1 document: a pure function of the operations.
import { DOCUMENT_GROUP, DOCUMENT_ROUTES, type DocumentRoute } from '../../contracts/documents.js';
import { ErrorEnvelope } from '../../contracts/failures.js';
import type { Feed } from '../../contracts/feed.js';
import type { Operation } from '../../contracts/operation.js';
import type { RetiredRoute } from '../../contracts/research/retired.js';
import { ComponentSchemas } from './component-schemas.js';
import { documentedFailures, EDGE_FAILURES, failuresOf, sharedFailures } from './documented-failures.js';
import { documentedFeed, SOCKET_KEY } from './documented-feed.js';
import { LIMIT_HEADERS, tellsLimits } from './documented-limits.js';
import { documentedOperation } from './documented-operation.js';
import { documentedRetired, RETIRED_GROUP, SUCCESSOR } from './documented-retired.js';
import { aboutGroup } from './groups.js';

export interface Documented {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly feeds?: Readonly<Record<string, Feed>>;
  readonly retired?: readonly RetiredRoute[];
  readonly version: string;
  readonly publicUrl: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const DESCRIPTION = `Records what markets pay attention to, the macro weather they do it in, and which exact instruments the evidence is about.
Everything served is a function of the facts known at an instant. Output is measurement, not advice.

Errors come in one envelope (\`api-error-envelope-v1\`). Unknown parameters are refused. Instants are RFC 3339 with an offset.`;

const HEADERS = {
  RequestId: { description: 'Names this request in the logs of the service.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
};

/** Only where an operation looks at keys: linters refuse components that nothing uses. */
const KEYED = {
  headers: { Challenge: { description: 'Says that a key is needed.', schema: { type: 'string' } } },
  securitySchemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of this service.' },
  },
};

function plainRoute({ name, summary, mediaType }: DocumentRoute): object {
  return {
    operationId: name,
    tags: [DOCUMENT_GROUP],
    summary,
    description: `${summary}. Takes no parameters.`,
    security: [],
    responses: {
      '200': {
        description: summary,
        headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
        content: {
          [mediaType]: { schema: { type: mediaType === 'application/json' ? 'object' : 'string' } },
        },
      },
      ...documentedFailures(EDGE_FAILURES),
    },
  };
}

export function openApiDocument(documented: Documented): OpenApiDocument {
  const { operations, feeds = {}, retired = [], version, publicUrl } = documented;
  const components = new ComponentSchemas();
  components.schemaOf(ErrorEnvelope, 'output');
  const list = Object.values(operations);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of list) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: documentedOperation(operation, components),
    };
  }
  const pushed = Object.values(feeds);
  for (const feed of pushed) paths[feed.path] = { get: documentedFeed(feed, components) };
  for (const row of retired) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: documentedRetired(row, components) };
  }
  for (const route of DOCUMENT_ROUTES) paths[route.path] = { get: plainRoute(route) };
  const groups = [
    ...[...list, ...pushed].map(({ group }) => group),
    ...(retired.length === 0 ? [] : [RETIRED_GROUP]),
  ];
  const keyed = [...list, ...pushed.filter(({ wire }) => wire === 'sse')].some(
    ({ access }) => access.kind !== 'public',
  );
  const challenged = [...list, ...pushed].some((asked) => failuresOf(asked).includes('unauthorized'));
  const schemes = {
    ...(keyed ? KEYED.securitySchemes : {}),
    ...(pushed.some(({ wire }) => wire === 'websocket') ? SOCKET_KEY : {}),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Barograph',
      version,
      summary: 'Attention, macro structure and research evidence, point in time.',
      description: DESCRIPTION,
      contact: { name: 'The operators of this server', url: `${publicUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This server' }],
    tags: [...new Set([...groups, DOCUMENT_GROUP])].map((name) => ({
      name,
      description: aboutGroup(name),
    })),
    paths,
    components: {
      schemas: components.all(),
      responses: sharedFailures(list),
      headers: {
        ...HEADERS,
        ...(challenged ? KEYED.headers : {}),
        ...(list.some(({ access }) => tellsLimits(access)) ? LIMIT_HEADERS : {}),
        ...(retired.length === 0 ? {} : SUCCESSOR),
      },
      ...(Object.keys(schemes).length === 0 ? {} : { securitySchemes: schemes }),
    },
  };
}
