// The product's own HTTP stack, doors and all, with the fixture server of the conformance runner behind it.
import { Registry } from 'prom-client';
import { createHttpSurface } from '../../dist/surfaces/http/server.js';
import { mcpEndpoint } from '../../dist/surfaces/mcp/endpoint.js';
import { knownHosts } from '../../dist/surfaces/mcp/hosts.js';
import { fixtureServer } from './fixture-server.mjs';

const ANONYMOUS = { kind: 'anonymous', allowance: null };
const SESSIONS = { clock: () => Date.now() * 1_000, most: 100, idleFor: 60_000_000 };

export async function startFixtureStack() {
  const guard = async () => ANONYMOUS;
  const door = {
    guard,
    isKnownHost: knownHosts('127.0.0.1', []),
    origins: [],
    onFault: (error) => console.error(error),
  };
  const changed = (what) =>
    what === 'tool' ? endpoint.notify.toolsChanged() : endpoint.notify.promptsChanged();
  const desk = { factory: () => fixtureServer(changed), sessions: SESSIONS };
  const endpoint = mcpEndpoint('/mcp', desk, door);
  const surface = createHttpSurface({
    operations: {},
    answers: {},
    guard,
    direct: new Map([[endpoint.route.path, endpoint.route]]),
    version: '0.0.0',
    publicUrl: 'http://127.0.0.1',
    log: () => {},
    metrics: new Registry(),
  });
  const { port } = await surface.listen(0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      await endpoint.close();
      await surface.drain();
    },
  };
}
