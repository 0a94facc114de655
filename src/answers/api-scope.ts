// Lists what is mounted, from the same declarations that the routes are made from.
import { type ApiScope, PAYLOAD_BOUNDARY, POLICY_STATEMENTS } from '../contracts/attention/api-scope.js';
import { DOCUMENT_GROUP, DOCUMENT_ROUTES } from '../contracts/documents.js';
import type { Feed } from '../contracts/feed.js';
import { FEEDS } from '../contracts/feeds.js';
import type { Operation } from '../contracts/operation.js';
import { OPERATIONS } from '../contracts/operations.js';

type Route = ApiScope['groups'][number]['routes'][number];

const GROUPS = ['snapshot tape', 'signals and coordination', 'contract, trust, service'] as const;

function scopesOf({ access, method }: Pick<Operation, 'access' | 'method'>): string[] {
  return access.kind === 'key' && access.scope !== null ? [`${method} ${access.scope}`] : [];
}

function operationRoute(operation: Operation): Route {
  const { path, method, access, summary } = operation;
  return { path, methods: [method], wire: 'http', access: access.kind, scopes: scopesOf(operation), summary };
}

function feedRoute(feed: Feed): Route {
  const { path, method, wire, access, summary } = feed;
  // A browser's event stream cannot carry a key: the server stands in, for its own pages only.
  const kind = wire === 'sse' ? 'same_origin' : access.kind;
  return { path, methods: [method], wire, access: kind, scopes: scopesOf(feed), summary };
}

/** A path is one route, whatever its methods. */
function merged(routes: readonly Route[]): Route[] {
  const byPath = new Map<string, Route>();
  for (const route of routes) {
    const known = byPath.get(route.path);
    byPath.set(
      route.path,
      known === undefined
        ? route
        : {
            ...known,
            methods: [...known.methods, ...route.methods],
            scopes: [...known.scopes, ...route.scopes],
          },
    );
  }
  return [...byPath.values()];
}

export function apiScopeAnswer() {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const feeds: readonly Feed[] = Object.values(FEEDS);
  const own = ({ surface }: Pick<Operation, 'surface'>): boolean =>
    surface === 'attention' || surface === 'service';
  const documents = DOCUMENT_ROUTES.filter(({ inScope }) => inScope).map(
    ({ path, summary }): Route => ({
      path,
      methods: ['GET'],
      wire: 'http',
      access: 'public',
      scopes: [],
      summary,
    }),
  );
  const groups = GROUPS.map((group) => ({
    group,
    routes: merged([
      ...operations.filter((one) => own(one) && one.group === group).map(operationRoute),
      ...feeds.filter((one) => own(one) && one.group === group).map(feedRoute),
      ...(group === DOCUMENT_GROUP ? documents : []),
    ]),
  }));
  const scope: ApiScope = {
    service: 'barograph',
    surface: 'attention',
    policy: [...POLICY_STATEMENTS],
    payload_boundary: {
      carries: [...PAYLOAD_BOUNDARY.carries],
      never_carries: [...PAYLOAD_BOUNDARY.never_carries],
    },
    route_count: groups.reduce((sum, { routes }) => sum + routes.length, 0),
    groups,
  };
  return async (): Promise<ApiScope> => scope;
}
