// The invariants of the packet on random histories: nothing joins by a symbol, nothing ranks, everything adds up.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HubPitIdentityCohort } from '../../contracts/research/cohort.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { fingerprintWithout, sha256Hex } from '../../kernel/fingerprint.js';
import {
  holds,
  type Known,
  packetAt,
  points,
  replayed,
  type Told,
  taken,
  textAt,
  toldEvents,
} from './event-world.suite.js';
import type { Register } from './register.js';

type Packet = HubPitIdentityCohort;

describe('the cohort', () => {
  it('changes nothing but the shown texts when every display symbol is another (C8)', () => {
    const bare = (packet: Packet): unknown =>
      JSON.parse(
        JSON.stringify(packet, (name, value: unknown) =>
          ['display_symbols', 'symbols', 'packet_digest'].includes(name) ? undefined : value,
        ),
      );
    fc.assert(
      fc.property(
        toldEvents(40),
        points,
        fc.dictionary(
          fc.constantFrom('AAA', 'aaa', 'AAA ', 'BBB', 'CCC.A'),
          fc.constantFrom('X', 'AAA', '株', 'x y'),
        ),
        (told, at, names) => {
          const renamed = JSON.parse(
            JSON.stringify(told, (name, value: unknown) =>
              name === 'text' ? (names[value as string] ?? 'X') : value,
            ),
          ) as Told[];
          const [before, after] = [taken(told), taken(renamed)];
          expect(after.log.map(({ knownAt }) => knownAt)).toEqual(before.log.map(({ knownAt }) => knownAt));
          for (const point of at)
            expect(bare(packetAt(after.register, point))).toEqual(bare(packetAt(before.register, point)));
        },
      ),
      { seed: 8, numRuns: 60 },
    );
  });

  it('has no way from a symbol to an identity (C8)', () => {
    const folder = new URL('.', import.meta.url);
    const files = readdirSync(folder).filter(
      (file) => file.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(file),
    );
    const readers = files.filter((file) =>
      /value\.text|\{ text, mic \}|observed\.symbols|symbols\.get\((?!symbolKey)/.test(
        readFileSync(new URL(file, folder), 'utf8'),
      ),
    );
    // One stores the text with its row, the other shows it.
    expect(readers).toEqual(['register.ts', 'shown-rows.ts']);
  });

  const COUNTS =
    /\/(revision|basket_revision|supersedes|candidates_seen|count|primary|context|pending|unavailable|hypotheses|baskets|instruments|issuers)$/;
  const FORBIDDEN =
    /(^|_)(score|rank|vote|percentile|z_?score|weight|strength|signal|alpha|conviction|target|rating|return|price)(_|$)/;

  it('is closed, counts only where counts belong, and has no leaf for a score (C9)', () => {
    holds(
      (told, at) => {
        const { register } = taken(told);
        for (const point of at) {
          const packet = packetAt(register, point);
          expect(HubPitIdentityCohort.safeParse(packet).error).toBeUndefined();
          const walk = (value: unknown, path: string): void => {
            if (typeof value === 'number') {
              expect(path).toMatch(COUNTS);
              expect(Number.isInteger(value)).toBe(true);
            }
            if (typeof value !== 'object' || value === null) return;
            for (const [name, member] of Object.entries(value)) {
              if (FORBIDDEN.test(name)) expect([name.endsWith('_exported'), member]).toEqual([true, false]);
              walk(member, `${path}/${name}`);
            }
          };
          walk(packet, '');
        }
      },
      9,
      40,
    );
  });

  it('orders every list by id, whatever the order of the events of one instant (C10)', () => {
    let shuffled = 0;
    fc.assert(
      fc.property(toldEvents(40), points, fc.infiniteStream(fc.nat(1000)), (told, at, noise) => {
        const { register, log } = taken(told);
        const draws = log.map(() => noise.next().value as number);
        const order = log
          .map((_, i) => i)
          .sort((a, b) => log[a]!.knownAt - log[b]!.knownAt || draws[a]! - draws[b]!);
        let other: Register;
        try {
          other = replayed(order.map((i) => log[i]!));
        } catch {
          // What refers to something of the same instant cannot come before it.
          other = replayed(sorted(log));
        }
        shuffled += order.some((place, i) => place !== i) ? 1 : 0;
        for (const point of at) expect(textAt(other, point)).toBe(textAt(register, point));
        for (const point of at) {
          const { baskets, bindings, typed_pending_bindings, source_inputs, consumer_views } = packetAt(
            register,
            point,
          );
          for (const ids of [
            baskets.map(({ basket_id }) => basket_id),
            bindings.map(({ binding_id }) => binding_id),
            typed_pending_bindings.map(({ pending_id }) => pending_id),
            source_inputs.map(({ source_ref }) => source_ref),
            consumer_views.map(({ view_id }) => view_id),
          ])
            expect(ids).toEqual([...new Set(ids)].sort());
        }
      }),
      { seed: 10, numRuns: 60 },
    );
    expect(shuffled).toBeGreaterThan(10);
  });

  it('counts what it shows; views are subsets; digests are those of the text (C13)', () => {
    holds(
      (told, at) => {
        const { register } = taken(told);
        for (const point of at) {
          const [packet, text] = [packetAt(register, point), textAt(register, point)];
          const { coverage, bindings, typed_pending_bindings: pendings } = packet;
          const primary = bindings.filter(({ role }) => role === 'PRIMARY').length;
          expect(coverage.bindings).toEqual({ primary, context: bindings.length - primary });
          expect(coverage.pending + coverage.unavailable).toBe(pendings.length);
          expect(coverage.instruments).toBe(
            new Set(bindings.map(({ instrument }) => instrument.instrument_id)).size,
          );
          expect(coverage.issuers).toBe(new Set(bindings.map(({ issuer }) => issuer.issuer_id)).size);
          expect([coverage.baskets, coverage.hypotheses]).toEqual([
            packet.baskets.length,
            packet.prospective_hypothesis_bindings.length,
          ]);
          const refs = new Map(
            bindings.map(({ binding_id, revision, role }) => [`${binding_id} ${revision}`, role]),
          );
          for (const view of packet.consumer_views) {
            const omitted = view.omitted.reduce((sum, { count }) => sum + count, 0);
            expect(view.members.length + omitted).toBe(bindings.length + pendings.length);
            for (const { binding_id, revision } of view.members)
              expect(view.roles).toContain(refs.get(`${binding_id} ${revision}`));
            expect(view.digest).toBe(fingerprintWithout(view, 'digest'));
          }
          expect(text).toBe(canonicalJson(packet));
          const { packet_digest, ...boundary } = packet.boundary;
          expect(packet_digest).toBe(`sha256:${sha256Hex(canonicalJson({ ...packet, boundary }))}`);
        }
      },
      13,
      60,
    );
  });

  it('has the status that its content asks for', () => {
    const seen = new Set<string>();
    holds((told, at) => {
      const { register } = taken(told);
      for (const point of at) {
        const {
          status,
          bindings,
          typed_pending_bindings: pendings,
          source_inputs,
        } = packetAt(register, point);
        seen.add(status);
        if (status === 'unavailable') continue;
        const short = pendings.length > 0 || source_inputs.some(({ state }) => state !== 'used');
        const exact = bindings.length > 0;
        expect(status).toBe(
          exact ? (short ? 'partial' : 'ready') : pendings.length > 0 ? 'pending' : 'ready',
        );
      }
    }, 14);
    expect([...seen].sort()).toEqual(['partial', 'pending', 'ready', 'unavailable']);
  });
});

/** By knowledge, else as told: the order of a register that was never shuffled. */
function sorted(log: readonly Known[]): readonly Known[] {
  return log.toSorted((a, b) => a.knownAt - b.knownAt);
}
