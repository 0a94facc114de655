// The names of tiles: each tile has one, and everything else has none.
import { describe, expect, it } from 'vitest';
import { parseTilePath } from './tile-path.js';

describe('the name of a tile', () => {
  it.each([
    ['/tile/0/000', { level: 0, index: 0, width: 256 }],
    ['/tile/0/000.p/5', { level: 0, index: 0, width: 5 }],
    ['/tile/3/x001/x234/067', { level: 3, index: 1_234_067, width: 256 }],
    ['/tile/63/x001/x234/067.p/255', { level: 63, index: 1_234_067, width: 255 }],
    ['/tile/entries/x016/777/', null],
    ['/tile/entries/x016/777', { level: null, index: 16_777, width: 256 }],
    // 2^40 leaves and more: beyond what bit operators could count.
    ['/tile/0/x004/x294/x967/296', { level: 0, index: 4_294_967_296, width: 256 }],
  ])('%s', (path, expected) => expect(parseTilePath(path)).toEqual(expected));

  it.each([
    '/tile/0/0',
    '/tile/0/1000',
    '/tile/0/x000/001',
    '/tile/00/000',
    '/tile/64/000',
    '/tile/-1/000',
    '/tile/0/000.p/0',
    '/tile/0/000.p/256',
    '/tile/0/000.p/05',
    '/tile/0/x001/2',
    '/tile/0/x999/x999/x999/x999/x999/x999/999',
    '/tile/0/../000',
    '/tile/0/000\n',
    '/tile/data/000',
  ])('is not %j', (path) => expect(parseTilePath(path)).toBeNull());
});
