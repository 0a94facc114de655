// Reads the environment: the only place that does, and it names every fault at once.
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Network, parseNetwork } from '../access/address.js';
import { isOrigin } from '../access/origin.js';
import { CONNECTOR_NAMES } from '../connectors/list.js';

const SURFACES = ['attention', 'macro', 'research'] as const;
const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const wholeNumber = (usual: number, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .default(String(usual))
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);

const Environment = z.object({
  BAROGRAPH_HOST: z.string().min(1).default('127.0.0.1'),
  BAROGRAPH_PORT: wholeNumber(8700, 0, 65535),
  BAROGRAPH_DATA: z
    .string()
    .min(1)
    .default('./data')
    .transform((folder) => resolve(folder)),
  BAROGRAPH_ARCHIVE: z
    .string()
    .regex(/^(sqlite:.*|postgres(ql)?:\/\/.+)$/, 'must be sqlite:FILE or postgres://…')
    .default('sqlite:'),
  BAROGRAPH_REDIS: z
    .string()
    .regex(/^rediss?:\/\/.+$/, 'must be redis://…')
    .optional(),
  BAROGRAPH_ROLE: z.enum(['all', 'recorder', 'api']).default('all'),
  BAROGRAPH_SURFACES: z
    .string()
    .default(SURFACES.join(','))
    .transform(list)
    .pipe(z.array(z.enum(SURFACES)).min(1)),
  BAROGRAPH_SOURCES: z
    .string()
    .default('fixture')
    .transform((text) => (text.trim() === 'none' ? [] : list(text)))
    .pipe(z.array(z.enum(CONNECTOR_NAMES))),
  BAROGRAPH_KEYS: z.string().min(1).optional(),
  BAROGRAPH_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => list(text).map(parseNetwork))
    .refine(
      (networks) => !networks.includes(null),
      'must be addresses or networks such as 10.0.0.0/8, with commas',
    ),
  BAROGRAPH_ORIGINS: z
    .string()
    .default('')
    .transform(list)
    .refine(
      (origins) => origins.every(isOrigin),
      'must be exact origins such as https://app.example, with commas; there is no wildcard',
    ),
  BAROGRAPH_ANONYMOUS_PER_MINUTE: wholeNumber(60, 0, 1_000_000_000),
  BAROGRAPH_ANONYMOUS_PER_DAY: wholeNumber(500, 0, 1_000_000_000),
  BAROGRAPH_CYCLE_SECONDS: wholeNumber(15, 1, 3600),
  BAROGRAPH_MACRO_SECONDS: wholeNumber(900, 1, 86_400),
  BAROGRAPH_REVEAL_DAYS: wholeNumber(30, 0, 3650),
  BAROGRAPH_LOG_ORIGIN: z
    .string()
    .regex(/^[^\s+]{1,200}$/u, 'must be a name without spaces or plus signs, such as example.com/barograph')
    .optional(),
  BAROGRAPH_LOG: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  BAROGRAPH_FIXTURE_SEED: wholeNumber(1, 0, 2 ** 31),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly archive:
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: string };
  readonly redisUrl: string | null;
  readonly role: 'all' | 'recorder' | 'api';
  readonly surfaces: readonly (typeof SURFACES)[number][];
  readonly sources: readonly (typeof CONNECTOR_NAMES)[number][];
  readonly keysFile: string;
  /** Whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Network[];
  /** Origins of pages, besides our own, that may read answers and open streams. */
  readonly origins: readonly string[];
  /** What a client address may ask for without a key: calls a minute, and asset reads a day. */
  readonly anonymous: { readonly perMinute: number; readonly perDay: number };
  readonly cycleSeconds: number;
  /** Distance of the macro editions. */
  readonly macroSeconds: number;
  /** How long a gate's verdict stays withheld. */
  readonly revealDays: number;
  /** The name under which the log is signed; null: named after its key. */
  readonly logOrigin: string | null;
  readonly logLevel: string;
  readonly fixtureSeed: number;
}

export class ConfigFaults extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigFaults';
    this.faults = faults;
  }
}

export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const parsed = Environment.safeParse(environment);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
  for (const name of Object.keys(environment)) {
    if (name.startsWith('BAROGRAPH_') && !(name in Environment.shape))
      faults.push(`${name}: there is no such setting`);
  }
  if (!parsed.success || faults.length > 0) throw new ConfigFaults(faults);
  const read = parsed.data;
  const folder = read.BAROGRAPH_DATA;
  const sqliteFile = read.BAROGRAPH_ARCHIVE.slice('sqlite:'.length);
  if (read.BAROGRAPH_ROLE !== 'all' && !read.BAROGRAPH_REDIS) {
    throw new ConfigFaults([
      `BAROGRAPH_ROLE: ${read.BAROGRAPH_ROLE} needs BAROGRAPH_REDIS, which carries frames between processes`,
    ]);
  }
  return {
    host: read.BAROGRAPH_HOST,
    port: read.BAROGRAPH_PORT,
    dataFolder: folder,
    archive: read.BAROGRAPH_ARCHIVE.startsWith('sqlite:')
      ? { kind: 'sqlite', file: resolve(folder, sqliteFile === '' ? 'archive.sqlite' : sqliteFile) }
      : { kind: 'postgres', url: read.BAROGRAPH_ARCHIVE },
    redisUrl: read.BAROGRAPH_REDIS ?? null,
    role: read.BAROGRAPH_ROLE,
    surfaces: read.BAROGRAPH_SURFACES,
    sources: read.BAROGRAPH_SOURCES,
    keysFile: resolve(read.BAROGRAPH_KEYS ?? resolve(folder, 'keys.json')),
    trustedProxies: read.BAROGRAPH_TRUSTED_PROXIES.filter((network) => network !== null),
    origins: read.BAROGRAPH_ORIGINS,
    anonymous: {
      perMinute: read.BAROGRAPH_ANONYMOUS_PER_MINUTE,
      perDay: read.BAROGRAPH_ANONYMOUS_PER_DAY,
    },
    cycleSeconds: read.BAROGRAPH_CYCLE_SECONDS,
    macroSeconds: read.BAROGRAPH_MACRO_SECONDS,
    revealDays: read.BAROGRAPH_REVEAL_DAYS,
    logOrigin: read.BAROGRAPH_LOG_ORIGIN ?? null,
    logLevel: read.BAROGRAPH_LOG,
    fixtureSeed: read.BAROGRAPH_FIXTURE_SEED,
  };
}
