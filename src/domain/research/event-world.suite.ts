// A small world of identity events for the properties: few subjects and few instants, so that everything meets.
import fc from 'fast-check';
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import {
  figiCheckDigit,
  isinCheckDigit,
  leiCheckDigits,
} from '../../contracts/research/identifier-checks.js';
import type { IdentityEvent } from '../../contracts/research/identity-events.js';
import { IdentityLine } from '../../contracts/research/identity-events.js';
import { DAY, formatInstant, type Instant } from '../../kernel/instant.js';
import type { Identity } from '../facts/identity.js';
import { identityReport } from '../facts/identity-event.js';
import { cohortBytes } from './cohort.js';
import { Register } from './register.js';
import type { Point } from './standing.js';

export const WORLD_START: Instant = 20_000 * DAY;
export const day = (n: number): Instant => WORLD_START + n * DAY;
export const dayText = (n: number): string => formatInstant(day(n));

export const id = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(16, '0')}`;
export const digest = (n: number): string => `sha256:${String(n).padStart(64, '0')}`;
export const figi = (n: number): string => {
  const body = `BBG${String(n).padStart(8, '0')}`;
  return body + figiCheckDigit(body)!;
};
export const isin = (n: number): string => {
  const body = `US${String(n).padStart(9, '0')}`;
  return body + isinCheckDigit(body)!;
};
export const lei = (n: number): string => {
  const body = String(n).padStart(18, '0');
  return body + leiCheckDigits(body)!;
};

/** An event without its id, and the steps of knowledge that pass before it. */
export interface Told {
  readonly said: Readonly<Record<string, unknown>>;
  readonly later: number;
}

export interface Known {
  readonly body: Identity;
  readonly knownAt: Instant;
}

const SOURCES = 2;
const ISSUERS = 2;
const INSTRUMENTS = 4;
const BASKETS = 2;
const cites = { source_refs: [id('src', 0)] };
const always = { from: dayText(-100), to: null };

/** What everything else refers to; known on the first day. */
export const GROUND: readonly Readonly<Record<string, unknown>>[] = [
  ...range(SOURCES).map((n) => source(n, 'used')),
  ...range(ISSUERS).map((n) => ({
    event: 'issuer',
    issuer_id: id('iss', n),
    legal_name: `Issuer ${n}`,
    effective: always,
    ...cites,
  })),
  ...range(INSTRUMENTS).map((n) => instrument(n, n % ISSUERS, always)),
  ...range(INSTRUMENTS).map((n) => identifier(n, 'figi_share_class', figi(n), always)),
  ...range(BASKETS).map((n) => basket(n, 'first', always)),
];

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

function source(n: number, state: string) {
  return {
    event: 'source',
    source_ref: id('src', n),
    kind: 'manual_review',
    publisher: 'nobody',
    locator: `file-${n}.ndjson`,
    published_at: null,
    retrieved_at: dayText(-200),
    content_digest: digest(n),
    licence: 'none',
    state,
  };
}

function instrument(n: number, issuer: number, effective: object) {
  const ids = { instrument_id: id('ins', n), issuer_id: id('iss', issuer) };
  return { event: 'instrument', ...ids, kind: 'common_share', share_class_label: null, effective, ...cites };
}

function identifier(n: number, scheme: string, value: string, effective: object) {
  return { event: 'identifier', owner_id: id('ins', n), scheme, value, effective, source_ref: id('src', 1) };
}

function basket(n: number, title: string, effective: object) {
  const basket_id = id('bsk', n);
  return {
    event: 'basket',
    basket_id,
    title,
    kind: 'theme',
    definition_digest: digest(n),
    effective,
    ...cites,
  };
}

const one = (count: number) => fc.nat(count - 1);
const role = fc.constantFrom('PRIMARY', 'CONTEXT');
export const LAST_DAY = 10;
const period = fc
  .tuple(fc.integer({ min: -1, max: LAST_DAY - 1 }), fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }))
  .map(([from, length]) => ({ from: dayText(from), to: length === null ? null : dayText(from + length) }));
export const symbolText = fc.constantFrom('AAA', 'aaa', 'AAA ', 'BBB', 'CCC.A');

const membership = fc.tuple(one(BASKETS), one(INSTRUMENTS), role, period).map(([b, i, r, effective]) => ({
  event: 'membership',
  basket_id: id('bsk', b),
  instrument_id: id('ins', i),
  role: r,
  effective,
  ...cites,
}));

const pending = fc
  .tuple(one(3), role, period, symbolText, fc.constantFrom('pending', 'unavailable'), one(4))
  .map(([n, requested_role, effective, text, state, candidates_seen]) => ({
    event: 'pending',
    pending_id: id('pnd', n),
    basket_id: id('bsk', n % BASKETS),
    requested_role,
    state,
    reason: n === 0 ? 'identifier_ambiguous' : 'share_class_unresolved',
    detail: 'more than one listing',
    observed: { symbols: [{ text, mic: null }], names: ['A name'], source_ref: id('src', 0) },
    candidates_seen,
    effective,
  }));

const closing = fc
  .tuple(one(BASKETS), one(INSTRUMENTS), one(3), period, one(7))
  .map(([b, i, p, effective, which]) => {
    const instrument_id = id('ins', i);
    const of = [
      { what: 'membership', basket_id: id('bsk', b), instrument_id },
      { what: 'pending', pending_id: id('pnd', p) },
      { what: 'identifier', owner_id: instrument_id, scheme: 'figi_share_class', value: figi(i) },
      { what: 'symbol', instrument_id, mic: 'XNAS' },
      { what: 'instrument', instrument_id },
      { what: 'basket', basket_id: id('bsk', b) },
      { what: 'issuer', issuer_id: id('iss', i % ISSUERS) },
    ][which]!;
    return { event: 'closing', of, effective, source_refs: [id('src', 1)] };
  });

const said: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  { weight: 8, arbitrary: membership },
  { weight: 3, arbitrary: closing },
  { weight: 4, arbitrary: pending },
  {
    weight: 5,
    arbitrary: fc.tuple(one(3), one(INSTRUMENTS), role, period).map(([p, i, r, effective]) => ({
      event: 'resolution',
      pending_id: id('pnd', p),
      basket_id: id('bsk', p % BASKETS),
      instrument_id: id('ins', i),
      role: r,
      effective,
      ...cites,
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(one(INSTRUMENTS), symbolText, fc.constantFrom('XNAS', null), period)
      .map(([i, text, mic, effective]) => ({
        event: 'symbol',
        instrument_id: id('ins', i),
        text,
        mic,
        effective,
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(one(INSTRUMENTS), one(ISSUERS), period)
      .map(([i, issuer, effective]) => instrument(i, issuer, effective)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(one(INSTRUMENTS), one(3), period).map(([i, n, effective]) => {
      const [scheme, value] = [
        ['isin', isin(n)],
        ['figi_composite', figi(50 + n)],
        ['figi_venue', figi(60 + n)],
      ][n]!;
      return identifier(i, scheme!, value!, effective);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(one(ISSUERS), period, one(2)).map(([n, effective, isName]) =>
      isName === 0
        ? {
            event: 'issuer',
            issuer_id: id('iss', n),
            legal_name: `Renamed ${n}`,
            effective,
            ...cites,
          }
        : {
            event: 'identifier',
            owner_id: id('iss', n),
            scheme: 'lei',
            value: lei(n),
            effective,
            source_ref: id('src', 0),
          },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(one(BASKETS), period).map(([n, effective]) => basket(n, 'second', effective)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(one(2), one(BASKETS), one(20)).map(([n, b, from]) => ({
      event: 'hypothesis',
      hypothesis_binding_id: id('hyb', n),
      hypothesis_id: id('hyp', n),
      statement_digest: digest(n),
      basket_id: id('bsk', b),
      window: { from: dayText(from + 5), to: n === 0 ? null : dayText(from + 12) },
    })),
  },
  {
    weight: 1,
    arbitrary: one(2).map((n) => ({ event: 'withdrawal', hypothesis_binding_id: id('hyb', n) })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(one(2), fc.constantFrom(['PRIMARY'], ['PRIMARY', 'CONTEXT'])).map(([n, roles]) => ({
      event: 'view',
      view_id: id('vie', n),
      consumer: n === 0 ? 'surface_a' : 'external',
      join_on: 'instrument_id',
      roles,
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(one(SOURCES), fc.constantFrom('used', 'stale', 'unavailable'))
      .map(([n, state]) => source(n, state)),
  },
);

export const toldEvents = (most: number): fc.Arbitrary<readonly Told[]> =>
  fc.array(fc.record<Told>({ said, later: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 5,
    maxLength: most,
  });

/** Steps of knowledge are half days, so that known and effective instants meet. */
export const STEP = DAY / 2;

/** Told one after the other, with the ground first; what the register refuses is left out. */
export function taken(told: readonly Told[]): {
  readonly register: Register;
  readonly log: readonly Known[];
} {
  const register = new Register();
  const log: Known[] = [];
  let knownAt = WORLD_START;
  [...GROUND.map((one) => ({ said: one, later: 0 })), ...told].forEach(({ said: event, later }, n) => {
    knownAt += later * STEP;
    const body = bodyOf({ ...event, event_id: `e${n}` });
    if (register.take(body, knownAt) === null) log.push({ body, knownAt });
  });
  return { register, log };
}

export function bodyOf(line: unknown): Identity {
  return identityReport(IdentityLine.parse(line), 'test').body;
}

export function replayed(log: readonly Known[]): Register {
  const register = new Register();
  for (const { body, knownAt } of log) {
    const fault = register.take(body, knownAt);
    if (fault !== null) throw new Error(`refused on replay: ${fault}`);
  }
  return register;
}

/** What the last accepted event says of a subject at a point: the whole truth of the plane, without any rectangle. */
export function lastWord(
  log: readonly Known[],
  subject: string,
  asOf: Instant,
  knownBy: Instant,
): IdentityEvent | null {
  for (const { body, knownAt } of log.toReversed()) {
    if (knownAt > knownBy) continue;
    for (const claim of body.claims) {
      if (claim.subject !== subject || asOf < claim.from || (claim.to !== null && asOf >= claim.to)) continue;
      return claim.holds ? (JSON.parse(body.event) as IdentityEvent) : null;
    }
  }
  return null;
}

export function subjectsOf(log: readonly Known[], kind: string): string[] {
  const subjects = log.flatMap(({ body }) => body.claims.map(({ subject }) => subject));
  return [...new Set(subjects)].filter((subject) => subject.startsWith(`${kind} `)).sort();
}

/** The packet as text, and as what a client reads from it. */
export const textAt = (register: Register, point: Point): string =>
  cohortBytes(register.holdings, point).toString();
export const packetAt = (register: Register, point: Point): HubPitIdentityCohort =>
  JSON.parse(textAt(register, point)) as HubPitIdentityCohort;

/** A handful of points, on and beside the instants at which things change. */
export const points = fc.array(
  fc.record<Point>({
    asOf: fc.integer({ min: -2, max: 2 * LAST_DAY + 4 }).map((n) => WORLD_START + n * STEP),
    knownAt: fc.integer({ min: -1, max: 40 }).map((n) => WORLD_START + n * STEP),
  }),
  { minLength: 4, maxLength: 8 },
);

export function holds(
  check: (told: readonly Told[], at: readonly Point[]) => void,
  seed: number,
  numRuns = 60,
): void {
  fc.assert(fc.property(toldEvents(50), points, check), { seed, numRuns });
}
