// Holds the house up: imports fall, never climb or circle; the environment and the clock are read in one place each.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SRC = join(ROOT, 'src');

/** What each room may import, besides itself. `domain/facts` stands below the four engines. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  kernel: [],
  'domain/facts': ['contracts', 'kernel'],
  'domain/attention': ['contracts', 'kernel', 'domain/facts'],
  'domain/macro': ['contracts', 'kernel', 'domain/facts'],
  'domain/research': ['contracts', 'kernel', 'domain/facts'],
  'domain/validation': ['contracts', 'kernel', 'domain/facts'],
  ports: ['domain/facts', 'kernel'],
  access: ['ports', 'contracts', 'kernel'],
  connectors: ['ports', 'domain/facts', 'contracts', 'kernel'],
  storage: ['ports', 'domain/facts', 'kernel'],
  pipeline: [
    'ports',
    'domain/facts',
    'domain/attention',
    'domain/macro',
    'domain/research',
    'domain/validation',
    'kernel',
  ],
  answers: [
    'ports',
    'access',
    'domain/facts',
    'domain/attention',
    'domain/macro',
    'domain/research',
    'domain/validation',
    'contracts',
    'kernel',
  ],
  surfaces: ['answers', 'access', 'ports', 'contracts', 'kernel'],
  client: ['contracts'],
  app: [
    'contracts',
    'kernel',
    'domain/facts',
    'domain/attention',
    'domain/macro',
    'domain/research',
    'domain/validation',
    'ports',
    'access',
    'connectors',
    'storage',
    'pipeline',
    'answers',
    'surfaces',
    'client',
  ],
};

/** Packages that a room may use; the others use what they need. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contracts: ['zod'],
  kernel: [],
  'domain/facts': [],
  'domain/attention': [],
  'domain/macro': [],
  'domain/research': [],
  'domain/validation': [],
  ports: [],
};

const DRAWERS = /^(utils?|helpers?|lib|common|misc|types|constants|manager|service)$/;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function sources(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2] ?? match[3])!);
      return { path: path.replaceAll('\\', '/'), text, imports };
    });
}

const room = (path: string): string => {
  const [first, second] = path.split('/');
  return first === 'domain' ? `domain/${second}` : first!;
};
const isTest = (path: string): boolean => /\.(test|suite)\.ts$/.test(path);
const target = (path: string, specifier: string): string =>
  relative(SRC, resolve(SRC, dirname(path), specifier))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');

const all = sources();
const code = all.filter(({ path }) => !isTest(path));

describe('layers', () => {
  it('imports only what the table allows', () => {
    const faults: string[] = [];
    for (const { path, imports } of code) {
      const here = room(path);
      expect(Object.keys(ALLOWED), `${path} lies in no known room`).toContain(here);
      for (const specifier of imports) {
        if (specifier.startsWith('.')) {
          const there = room(target(path, specifier));
          if (there !== here && !ALLOWED[here]!.includes(there))
            faults.push(`${path} → ${target(path, specifier)}`);
        } else if (!specifier.startsWith('node:')) {
          const allowed = PACKAGES[here];
          if (allowed && !allowed.includes(specifier)) faults.push(`${path} → ${specifier}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('has no circle of imports', () => {
    const graph = new Map(
      code.map(({ path, imports }) => [
        path,
        imports.filter((one) => one.startsWith('.')).map((one) => target(path, one)),
      ]),
    );
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      const seenAt = trail.indexOf(path);
      if (seenAt >= 0) throw new Error(`circle: ${[...trail.slice(seenAt), path].join(' → ')}`);
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(done.size).toBe(code.length);
  });

  it('reads the environment in one file only', () => {
    const readers = code.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers).toEqual(['app/config.ts']);
  });

  it('keeps clocks and unseeded randomness out of the domain', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\brandomBytes\b|\brandomInt\b|\bsystemClock\b|\brandomUUID\b/;
    const faults = code
      .filter(({ path, text }) => path.startsWith('domain/') && impure.test(text))
      .map(({ path }) => path);
    expect(faults).toEqual([]);
  });

  it('opens every file with a caption, keeps files small, and has no drawers', () => {
    const faults: string[] = [];
    for (const { path, text } of code) {
      if (!text.startsWith('// ')) faults.push(`${path} has no caption`);
      const lines = text.split('\n').length;
      const isData = /\/(universe|series-plan|catalogue\/\w+)\.ts$/.test(path);
      if (lines > 400 && !isData) faults.push(`${path} has ${lines} lines`);
      const drawer = path.split('/').some((part) => DRAWERS.test(part.replace(/\.ts$/, '')));
      if (drawer) faults.push(`${path} is a drawer`);
      if (/\bexport default\b/.test(text)) faults.push(`${path} has a default export`);
      if (/^export \* from/m.test(text)) faults.push(`${path} is a barrel`);
    }
    expect(faults).toEqual([]);
  });
});
