// Whether the scorecard finds what was planted, stays silent where nothing was, and cannot look ahead.
import { describe, expect, it } from 'vitest';
import { plantedMarket } from '../../src/connectors/fixture/planted-signal.js';
import { ScorecardDocument as Shape } from '../../src/contracts/attention/scorecard.js';
import { registryOf } from '../../src/domain/validation/hypotheses.js';
import { VALIDATION } from '../../src/domain/validation/parameters.js';
import { fingerprintWithout } from '../../src/kernel/fingerprint.js';
import { SECOND } from '../../src/kernel/instant.js';
import { closesOf, judged, ledgerOf, PLANTED_CLAIMS, priceFacts, REGISTRY, rowOf } from './planted-panel.js';

const STRONG = plantedMarket({ seed: 'strong', names: 120, sessions: 300, ic: 0.05 });
const CLOSES = closesOf(STRONG);
const LEDGER = ledgerOf(STRONG, { closes: CLOSES });
const strong = judged(LEDGER, REGISTRY);

describe('a planted effect', () => {
  it('of IC 0.05 is supported, at the size that it has', () => {
    const row = rowOf(strong, 'attention_velocity', 1);
    expect(row.verdict).toBe('supported');
    expect(row.mean_ic).toBeGreaterThan(0.035);
    expect(row.mean_ic).toBeLessThan(0.06);
    expect(row.survives_by).toBe(true);
    expect(row.ci95.low!).toBeLessThan(0.05);
    expect(row.ci95.high!).toBeGreaterThan(0.045);
    expect(strong.summary.survivors_by).toContain(row.id);
    expect(row.raw.mean_ic).toBeGreaterThan(0.03);
  });

  it('of IC 0.005 is not claimed', () => {
    const weak = judged(ledgerOf(plantedMarket({ seed: 'weak', names: 120, sessions: 300, ic: 0.005 })));
    const row = rowOf(weak, 'attention_velocity', 1);
    expect(['underpowered', 'no_material_effect']).toContain(row.verdict);
    expect(row.survives_bh).toBe(false);
  });

  it('leaves the signals without an effect without a claim', () => {
    const others = strong.hypotheses.filter(({ signal }) => signal !== 'attention_velocity');
    expect(others.filter(({ verdict }) => verdict === 'supported')).toEqual([]);
    expect(others.some(({ verdict }) => verdict === 'underpowered' || verdict === 'no_material_effect')).toBe(
      true,
    );
    // With twenty sessions of overlap 280 days are seven independent ones: too few to say anything.
    expect(rowOf(strong, 'attention_velocity', 20)).toMatchObject({
      terms: 7,
      verdict: 'insufficient_data',
      reason: 'too_few_independent_days',
    });
  });
});

describe('beside the tests', () => {
  it('the planted signal spreads returns, and the others do not', () => {
    const spreads = strong.hypotheses
      .filter(({ horizon, target }) => horizon === '1d' && target === 'forward_return')
      .map(({ signal, quantile_spread: spread }) => ({ signal, ...spread! }));
    const planted = spreads.find(({ signal }) => signal === 'attention_velocity')!;
    // An IC of 0.05 at a spread of 2 % between names: the outer fifths are 2.8 deviations apart.
    expect(planted.mean! / (0.05 * 0.02 * 2.8)).toBeGreaterThan(0.5);
    expect(planted.mean! / (0.05 * 0.02 * 2.8)).toBeLessThan(1.5);
    expect(planted.t!).toBeGreaterThan(4);
    expect(planted.monotonicity!).toBeGreaterThanOrEqual(0.9);
    const loudest = spreads.toSorted((a, b) => Math.abs(b.t ?? 0) - Math.abs(a.t ?? 0))[0]!;
    expect(loudest.signal).toBe('attention_velocity');
  });

  it('says how long a signal lasts and how its effect fades', () => {
    const { persistence, decay } = strong.signals!.find(({ signal }) => signal === 'attention_velocity')!;
    // The columns are planted with 0.9 from session to session, which is 0.891 in ranks.
    expect(persistence.days).toBe(299);
    expect(persistence.rank_autocorrelation!).toBeGreaterThan(0.86);
    expect(persistence.rank_autocorrelation!).toBeLessThan(0.91);
    expect(persistence.turnover!).toBeGreaterThan(0.1);
    expect(persistence.turnover!).toBeLessThan(0.4);
    const [{ buckets }] = decay as [(typeof decay)[number]];
    const own = rowOf(strong, 'attention_velocity', 1);
    expect(buckets.map(({ from, to }) => `${from}-${to}`)).toEqual(['0d-1d', '1d-5d', '5d-20d']);
    expect(buckets[0]).toMatchObject({ days: own.n_days, mean_ic: own.mean_ic, ci95: own.ci95 });
    expect(buckets[1]!.days).toBe(rowOf(strong, 'attention_velocity', 5).n_days);
    for (const signal of strong.signals!)
      for (const { half_life_sessions: halfLife, reason } of signal.decay)
        expect(halfLife === null).toBe(reason !== null);
  });

  it('counts every day with a mood in one regime', () => {
    for (const { regime_ic: regimes, n_days } of strong.hypotheses) {
      expect(regimes!.map(({ regime }) => regime)).toEqual(['calm', 'active', 'stressed']);
      expect(regimes!.reduce((sum, { days }) => sum + days, 0)).toBe(n_days);
    }
    const { mean_ic, n_days, regime_ic } = rowOf(strong, 'attention_velocity', 1);
    const whole = regime_ic!.reduce((sum, { days, mean_ic: own }) => sum + days * (own ?? 0), 0);
    expect(whole / n_days).toBeCloseTo(mean_ic!, 8);
  });
});

describe('the document', () => {
  it('has the shape of its contract and its own fingerprint', () => {
    expect(Shape.safeParse(strong).error).toBeUndefined();
    expect(fingerprintWithout(strong, 'scorecard_sha256')).toBe(strong.scorecard_sha256);
    expect(strong.hypotheses).toHaveLength(72);
    const counted = Object.values(strong.summary.verdicts).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(72);
    expect(strong.family.effective!).toBeGreaterThan(10);
    expect(strong.family.effective!).toBeLessThanOrEqual(72);
  });

  it('does not depend on the order of names, rows, prices or hypotheses', () => {
    const turned = ledgerOf(STRONG, {
      reversed: true,
      closes: closesOf(STRONG, priceFacts(STRONG).toReversed()),
    });
    const again = judged(turned, REGISTRY.toReversed());
    expect(again.scorecard_sha256).toBe(strong.scorecard_sha256);
  });

  it('turns its sign with the signal', () => {
    const mirrored = {
      ...STRONG,
      sessions: STRONG.sessions.map((session) => ({
        ...session,
        rows: session.rows.map((row) => ({ ...row, velocity: -row.velocity! })),
      })),
    };
    const row = rowOf(judged(ledgerOf(mirrored, { closes: CLOSES })), 'attention_velocity', 1);
    expect(row.mean_ic).toBeCloseTo(-rowOf(strong, 'attention_velocity', 1).mean_ic!, 9);
  });

  it('says withheld where the tape did not verify', () => {
    const row = rowOf(judged(LEDGER, PLANTED_CLAIMS, { audited: false }), 'attention_velocity', 1);
    expect(row).toMatchObject({ verdict: 'withheld', reason: 'archive_audit_failed' });
  });
});

describe('time', () => {
  it('lets a day count from the tick on which its return has settled', () => {
    const last = STRONG.sessions.at(-2)!;
    const exit = STRONG.sessions.at(-1)!;
    const ripe = exit.closeAt + VALIDATION.settlement;
    const end = { ...STRONG, sessions: STRONG.sessions.slice(-40) };
    const days = (asOf: number): number =>
      ledgerOf(end, { asOf, closes: CLOSES }).series('attention_velocity', 1, 'forward_return').dates.length;
    expect(days(ripe) - days(ripe - 1)).toBe(1);
    const known = ledgerOf(end, { asOf: ripe, closes: CLOSES }).series(
      'attention_velocity',
      1,
      'forward_return',
    );
    expect(known.dates.at(-1)).toBe(last.date);
  });

  it('does not see what came later: a poisoned future changes no digit', () => {
    const cut = STRONG.sessions[150]!;
    const asOf = cut.closeAt + VALIDATION.settlement;
    const poisoned = {
      ...STRONG,
      sessions: STRONG.sessions.map((session) =>
        session.closeAt <= cut.closeAt
          ? session
          : {
              ...session,
              rows: session.rows.map((row) => ({ ...row, velocity: 1e6 / row.slot, density: 1 })),
              prices: session.prices.map((price, i) => ({ ...price, close: 1 + i * 1e5 })),
            },
      ),
    };
    const [spoilt, clean] = [poisoned, STRONG].map((market) => judged(ledgerOf(market, { asOf })));
    expect(spoilt!.scorecard_sha256).toBe(clean!.scorecard_sha256);
  });

  it('enters strictly after the frame could be acted on', () => {
    const { closeAt } = STRONG.sessions[10]!;
    expect(CLOSES.firstAfter(closeAt - 1)).toBe(10);
    expect(CLOSES.firstAfter(closeAt)).toBe(11);
  });

  it('refuses days out of order or twice', () => {
    const ledger = ledgerOf({ ...STRONG, sessions: STRONG.sessions.slice(0, 3) }, { closes: CLOSES });
    const again = { ...STRONG, sessions: [STRONG.sessions[1]!, STRONG.sessions[1]!] };
    expect(ledger.sections).toBe(3);
    expect(() => ledgerOf(again, { closes: CLOSES })).toThrow('strictly increasing');
  });
});

describe('names that die', () => {
  const market = plantedMarket({ seed: 'mortal', names: 90, sessions: 200, ic: 0.05, dying: 20 });

  it('are counted while they lived, and their missing returns are typed', () => {
    const row = rowOf(judged(ledgerOf(market)), 'attention_velocity', 5);
    // Twenty names, each without an exit for the last five of its sessions.
    expect(row.attrition).toMatchObject({ exit_unknown: 100, entry_unknown: 0, identity_gap: 0 });
    expect(row.attrition.share!).toBeGreaterThan(0);
  });

  it('make a difference: without them the number is another', () => {
    const whole = rowOf(judged(ledgerOf(market)), 'attention_velocity', 1);
    const survivors = rowOf(judged(ledgerOf(market, { skip: market.dead })), 'attention_velocity', 1);
    expect(survivors.mean_ic).not.toBe(whole.mean_ic);
    expect(survivors.attrition.eligible).toBeLessThan(whole.attrition.eligible);
  });

  it('and come back under the same ticker are another instrument', () => {
    const [first] = market.tickers;
    const gap = market.sessions.slice(100, 115).map(({ date }) => date);
    const facts = priceFacts(market).filter(({ body }) => body.ticker !== first || !gap.includes(body.date));
    const { losses } = closesOf(market, facts).forward(99, 20);
    expect(losses[0]).toBe(3);
    expect(closesOf(market).forward(99, 20).losses[0]).toBe(0);
  });
});

describe('the registry', () => {
  it('counts what was given up, and keeps the first day of a claim', () => {
    const stated = (subject: string, index: number, change: string) => ({
      kind: 'hypothesis' as const,
      subject,
      at: index,
      index,
      sequence: index,
      knownAt: 100 + index,
      attachmentSha256: null,
      body: { ...REGISTRY[0]!, change },
    });
    const registry = registryOf([
      stated('b', 0, 'registered'),
      stated('a', 1, 'registered'),
      stated('a', 2, 'retired'),
      stated('b', 3, 'registered'),
    ]);
    expect(registry.map(({ id, status, registeredAt }) => [id, status, registeredAt])).toEqual([
      ['a', 'retired', 101],
      ['b', 'active', 100],
    ]);
  });

  it('makes the family larger with every try, also with those given up', () => {
    const retired = Array.from({ length: 100 }, (_, i) => ({
      ...REGISTRY[0]!,
      id: `given up ${i}`,
      status: 'retired' as const,
    }));
    const larger = judged(LEDGER, [...PLANTED_CLAIMS, ...retired]);
    const alone = judged(LEDGER);
    expect([alone.family.registered, larger.family.registered]).toEqual([6, 106]);
    expect(larger.hypotheses).toHaveLength(6);
    for (const horizon of [1, 5]) {
      const [few, many] = [alone, larger].map((one) => rowOf(one, 'attention_velocity', horizon));
      expect(many!.p_bh!).toBeGreaterThan(few!.p_bh!);
      expect(many!.p_by!).toBeGreaterThan(few!.p_by!);
    }
  });

  it('lets only what was recorded after the claim confirm it', () => {
    const middle = STRONG.sessions[150]!.frameAt;
    const late = PLANTED_CLAIMS.map((one) => ({ ...one, registeredAt: middle }));
    const row = rowOf(judged(LEDGER, late), 'attention_velocity', 1);
    expect(row.confirmatory_days).toBe(row.n_days - 151);
    expect(row.confirmatory_mean_ic).not.toBeNull();
    expect(row.exploratory_mean_ic).not.toBeNull();
  });
});

it('says insufficient_data, in the shape of its contract, while there is no tape', () => {
  const empty = judged(ledgerOf({ ...STRONG, sessions: [] }), REGISTRY, { epochAt: SECOND });
  expect(Shape.safeParse(empty).error).toBeUndefined();
  expect(empty.summary.verdicts).toMatchObject({ insufficient_data: 72, supported: 0 });
  expect(empty.knowledge).toBe('none');
});
