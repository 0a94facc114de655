import { expect, it } from 'vitest';
import { ConfigFaults, readConfig } from './config.js';

it('has a whole set of defaults', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8700,
    role: 'all',
    sources: ['fixture'],
    cycleSeconds: 15,
    redisUrl: null,
    archive: { kind: 'sqlite' },
  });
});

it('names all faults at once', () => {
  const faults = (): readonly string[] => {
    try {
      readConfig({
        BAROGRAPH_PORT: '80000',
        BAROGRAPH_ROLE: 'king',
        BAROGRAPH_SOURCES: 'fixture,nowhere',
        BAROGRAPH_POTR: '1',
      });
    } catch (error) {
      if (error instanceof ConfigFaults) return error.faults;
    }
    return [];
  };
  expect(faults().map((fault) => fault.split(':')[0])).toEqual([
    'BAROGRAPH_PORT',
    'BAROGRAPH_ROLE',
    'BAROGRAPH_SOURCES',
    'BAROGRAPH_POTR',
  ]);
});

it('takes no sources at all, and refuses separate roles without a shared bus', () => {
  expect(readConfig({ BAROGRAPH_SOURCES: 'none' }).sources).toEqual([]);
  expect(() => readConfig({ BAROGRAPH_ROLE: 'api' })).toThrow('needs BAROGRAPH_REDIS');
});

it('takes exact origins and nothing wider', () => {
  expect(readConfig({}).origins).toEqual([]);
  expect(readConfig({ BAROGRAPH_ORIGINS: 'https://app.example, http://localhost:5173' }).origins).toEqual([
    'https://app.example',
    'http://localhost:5173',
  ]);
  for (const wide of ['*', 'https://*.example', 'null', 'app.example', 'https://app.example/']) {
    expect(() => readConfig({ BAROGRAPH_ORIGINS: `https://ok.example,${wide}` })).toThrow('exact origins');
  }
});
