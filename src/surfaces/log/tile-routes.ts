// The log as static files: the layout that witnesses, monitors and mirrors of transparency logs read.
import type { LogTiles } from '../../answers/evidence/log-tiles.js';
import { Failure } from '../../contracts/failures.js';
import { reply } from '../http/reply.js';
import type { ServiceRoute } from '../http/service-route.js';
import { parseTilePath } from './tile-path.js';

/** A tile never changes: what a log has said, it has said. */
const FOREVER = 'public, max-age=31536000, immutable';

export function tileRoutes(tiles: LogTiles): ServiceRoute[] {
  return [
    {
      methods: ['GET'],
      path: '/checkpoint',
      answer: async () => reply({ body: await tiles.checkpoint(), type: 'text/plain; charset=utf-8' }),
    },
    {
      methods: ['GET'],
      path: '/tile/*',
      async answer({ request }) {
        const tile = parseTilePath(new URL(request.url).pathname);
        if (tile === null) throw new Failure('not_found');
        const { level } = tile;
        const body = level === null ? await tiles.entries(tile) : await tiles.hashes(level, tile);
        if (body === null) throw new Failure('leaf_not_found');
        return reply({ body, type: 'application/octet-stream', cacheControl: FOREVER });
      },
    },
  ];
}
