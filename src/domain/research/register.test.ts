// The invariants of the register on random histories, against a naive replay: what was known, and who is bound.
import { describe, expect, it } from 'vitest';
import type { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import type { EventOf } from '../../contracts/research/identity-events.js';
import { type Instant, parseInstant } from '../../kernel/instant.js';
import { SUBJECTS } from '../facts/identity-event.js';
import {
  bodyOf,
  day,
  holds,
  type Known,
  LAST_DAY,
  lastWord,
  packetAt,
  replayed,
  subjectsOf,
  taken,
  textAt,
} from './event-world.suite.js';
import { opaqueId } from './opaque-id.js';
import type { Point } from './standing.js';

type Packet = HubPitIdentityCohort;

const instant = (text: string): Instant => parseInstant(text)!;

/** The members of a packet that a replay can tell: who is bound where, under which names. */
function replayedBindings(log: readonly Known[], { asOf, knownAt }: Point): unknown[] {
  const word = (subject: string) => lastWord(log, subject, asOf, knownAt);
  const identifiersOf = (owner: string) =>
    subjectsOf(log, `identifier ${owner}`)
      .map((subject) => word(subject) as EventOf<'identifier'> | null)
      .flatMap((event) => (event === null ? [] : [`${event.scheme} ${event.value}`]))
      .sort();
  return subjectsOf(log, 'membership').flatMap((subject) => {
    const [, basketId, instrumentId] = subject.split(' ') as [string, string, string];
    const member = word(subject) as EventOf<'membership'> | null;
    const basket = word(SUBJECTS.basket(basketId));
    const instrument = word(SUBJECTS.instrument(instrumentId)) as EventOf<'instrument'> | null;
    const issuer = instrument && (word(SUBJECTS.issuer(instrument.issuer_id)) as EventOf<'issuer'> | null);
    const identifiers = identifiersOf(instrumentId);
    if (member === null || basket?.event !== 'basket' || instrument === null || issuer === null) return [];
    if (!identifiers.some((one) => /^(figi_share_class|isin) /.test(one))) return [];
    const symbols = subjectsOf(log, `symbol ${instrumentId}`).flatMap((one) => {
      const symbol = word(one) as EventOf<'symbol'> | null;
      return symbol === null ? [] : [symbol.text];
    });
    return [
      [
        opaqueId('bnd', basketId, instrumentId),
        member.role,
        issuer.issuer_id,
        issuer.legal_name,
        identifiers,
        symbols.sort(),
        identifiersOf(issuer.issuer_id),
      ],
    ];
  });
}

function shownBindings({ bindings }: Packet): unknown[] {
  const texts = (all: readonly { scheme: string; value: string }[]) =>
    all.map(({ scheme, value }) => `${scheme} ${value}`);
  return bindings.map(({ binding_id, role, issuer, instrument }) => [
    binding_id,
    role,
    issuer.issuer_id,
    issuer.legal_name,
    texts(instrument.identifiers),
    instrument.display_symbols.map(({ text }) => text).sort(),
    texts(issuer.identifiers),
  ]);
}

const byFirst = (a: unknown, b: unknown): number =>
  String((a as unknown[])[0]) < String((b as unknown[])[0]) ? -1 : 1;

describe('the register', () => {
  it('shows at every point what a replay of the events shows (C2)', () => {
    let bound = 0;
    holds((told, at) => {
      const { register, log } = taken(told);
      for (const point of at) {
        const expected = replayedBindings(log, point).sort(byFirst);
        expect(shownBindings(packetAt(register, point))).toEqual(expected);
        bound += expected.length;
      }
    }, 2);
    expect(bound).toBeGreaterThan(100);
  });

  it('keeps every past packet to the byte, whatever becomes known later (C4)', () => {
    holds((told, at) => {
      const { log } = taken(told);
      const whole = replayed(log);
      for (const point of at) {
        const then = replayed(log.filter(({ knownAt }) => knownAt <= point.knownAt));
        expect(textAt(then, point)).toBe(textAt(whole, point));
      }
    }, 4);
  });

  it('refuses what would change the past', () => {
    const { register } = taken([]);
    const late = bodyOf({
      event: 'withdrawal',
      event_id: 'late',
      hypothesis_binding_id: 'hyb_0000000000000000',
    });
    expect(register.take(late, day(-1))).toBe('known_at lies before what the register already knows');
  });

  it('shows nothing that was not known or not true at the point, rows and sources alike (C5)', () => {
    holds((told, at) => {
      const { register } = taken(told);
      for (const point of at) {
        const walk = (value: unknown): void => {
          if (typeof value !== 'object' || value === null) return;
          const { effective, known, known_from } = value as Record<
            string,
            { from: string; to: string | null }
          >;
          if (effective !== undefined) {
            expect(instant(effective.from)).toBeLessThanOrEqual(point.asOf);
            if (effective.to !== null) expect(instant(effective.to)).toBeGreaterThan(point.asOf);
          }
          if (known !== undefined) {
            expect(instant(known.from)).toBeLessThanOrEqual(point.knownAt);
            expect(known.to).toBeNull();
          }
          if (typeof known_from === 'string') expect(instant(known_from)).toBeLessThanOrEqual(point.knownAt);
          for (const member of Object.values(value)) walk(member);
        };
        const packet = packetAt(register, point);
        walk(packet);
        const listed = packet.source_inputs.map(({ source_ref }) => source_ref);
        const cited = [
          ...JSON.stringify([packet.bindings, packet.baskets, packet.typed_pending_bindings]).matchAll(
            /src_\w{16}/g,
          ),
        ];
        expect(new Set(listed)).toEqual(new Set(cited.map(([ref]) => ref)));
      }
    }, 5);
  });

  it('numbers every shown row after the one that it supersedes (C6)', () => {
    holds(
      (told, at) => {
        const { register } = taken(told);
        for (const point of at) {
          const { baskets, bindings, typed_pending_bindings, prospective_hypothesis_bindings } = packetAt(
            register,
            point,
          );
          for (const { revision, supersedes } of [
            ...baskets,
            ...bindings,
            ...typed_pending_bindings,
            ...prospective_hypothesis_bindings,
          ])
            expect(supersedes).toBe(revision === 1 ? null : revision - 1);
        }
      },
      6,
      30,
    );
  });

  it('has at most one PRIMARY instrument of an issuer in a basket, at every point (C7)', () => {
    let contested = 0;
    holds((told, at) => {
      const { register, log } = taken(told);
      contested += told.length - (log.length - taken([]).log.length);
      for (const point of at) {
        const primary = packetAt(register, point)
          .bindings.filter(({ role }) => role === 'PRIMARY')
          .map(({ basket_id, issuer }) => `${basket_id} ${issuer.issuer_id}`);
        expect(new Set(primary).size).toBe(primary.length);
      }
    }, 7);
    expect(contested).toBeGreaterThan(100);
  });

  it('freezes a hypothesis at its registration (C11)', () => {
    let seen = 0;
    holds((told, at) => {
      const { register, log } = taken(told);
      const later = { asOf: day(LAST_DAY), knownAt: day(60) };
      for (const point of [...at, later]) {
        for (const shown of packetAt(register, point).prospective_hypothesis_bindings) {
          seen++;
          const { registered_at } = shown.hypothesis;
          const registered = instant(registered_at);
          expect(instant(shown.window.from)).toBeGreaterThanOrEqual(registered);
          const then = replayed(log.filter(({ knownAt }) => knownAt <= registered));
          const first = packetAt(then, { asOf: registered, knownAt: registered });
          const frozen = first.prospective_hypothesis_bindings.find(
            (one) => one.hypothesis_binding_id === shown.hypothesis_binding_id,
          )!;
          expect([shown.members, shown.basket_revision]).toEqual([frozen.members, frozen.basket_revision]);
          for (const { binding_id, revision } of shown.members) {
            const row = then.holdings.members.get(binding_id)!.chain.rows[revision - 1]!;
            expect(row.knownFrom).toBeLessThanOrEqual(registered);
          }
          if (shown.state === 'withdrawn') expect(shown.revision).toBe(2);
        }
      }
    }, 11);
    expect(seen).toBeGreaterThan(20);
  });

  it('never shows an identity as pending where it is resolved (C12)', () => {
    let resolved = 0;
    holds((told, at) => {
      const { register, log } = taken(told);
      for (const point of at) {
        const packet = packetAt(register, point);
        const exact = new Set(packet.bindings.map(({ binding_id }) => binding_id));
        const pending = new Set(packet.typed_pending_bindings.map(({ pending_id }) => pending_id));
        for (const binding of exact) expect(pending.has(opaqueId('pnd', binding))).toBe(false);
        for (const { body, knownAt } of log) {
          const event = JSON.parse(body.event) as EventOf<'resolution'>;
          if (event.event !== 'resolution' || knownAt > point.knownAt) continue;
          const word = lastWord(log, SUBJECTS.pending(event.pending_id), point.asOf, point.knownAt);
          if (word === null && exact.has(opaqueId('bnd', event.basket_id, event.instrument_id))) {
            resolved++;
            expect(pending.has(event.pending_id)).toBe(false);
          }
        }
      }
    }, 12);
    expect(resolved).toBeGreaterThan(8);
  });
});
