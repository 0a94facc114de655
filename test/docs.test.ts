// The documents say what the code does: the numbers of the measures, and the catalogue of failures.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURES } from '../src/contracts/failures.js';
import { EVIDENCE } from '../src/domain/attention/evidence.js';
import { MEASURES } from '../src/domain/attention/measure-parameters.js';
import { KPI_IDS, ONTOLOGY } from '../src/domain/attention/ontology.js';
import { ATTENTION, DECAY_NORM } from '../src/domain/attention/parameters.js';
import { SIGNAL_TYPES } from '../src/domain/attention/signals.js';
import { ANOMALY_BANDS, DENOMINATOR_STATES } from '../src/domain/facts/frame.js';
import { HYPOTHESES } from '../src/domain/validation/hypotheses.js';
import { REPUTATION, VALIDATION } from '../src/domain/validation/parameters.js';
import { VERDICTS } from '../src/domain/validation/verdict.js';
import { DAY, HOUR, MINUTE, SECOND } from '../src/kernel/instant.js';

const read = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

/** The cells of every table row of a document that begins with a name in backticks. */
function rowsOf(document: string): string[][] {
  return document
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

const named = (cell: string): string => cell.replaceAll('`', '');

describe('docs/attention.md', () => {
  const document = read('attention.md');
  const rows = rowsOf(document);
  /** Lines are wrapped; a phrase may go over the end of one. */
  const flat = document.replace(/\s+/g, ' ');

  const UNITS: Readonly<Record<string, number>> = { d: DAY, h: HOUR, min: MINUTE, s: SECOND };
  /** `6 h` in microseconds, `100,000` and `0.5` as they are. */
  function numberIn(text: string): number {
    const match = /^([\d,.]+)(?: (d|h|min|s))?$/.exec(text);
    expect(match, text).not.toBeNull();
    return Number(match![1]!.replaceAll(',', '')) * (match![2] === undefined ? 1 : UNITS[match![2]]!);
  }

  function leaves(value: object, path: string): [string, number][] {
    return Object.entries(value).flatMap(([name, inner]: [string, object | number]) =>
      typeof inner === 'object' ? leaves(inner, `${path}${name}.`) : [[`${path}${name}`, inner]],
    );
  }

  it('has every parameter of the ontology once, with the value in force', () => {
    const documented = rows
      .filter(([name]) => /^`(attention|measures|signals)\.\w+(\.\w+)*`$/.test(name!) && valueCell(name!))
      .map(([name, value]): [string, number] => [named(name!), numberIn(value!)]);
    const expected = leaves(ONTOLOGY.parameters, '').filter(([path]) => !path.includes('.components.'));
    expect(new Set(documented.map(([path]) => path)).size).toBe(documented.length);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
  });

  /** Kinds of signals have dots too, and no value. */
  function valueCell(name: string): boolean {
    return !(SIGNAL_TYPES as readonly string[]).includes(named(name));
  }

  it('has the components of coordination with their ramps and weights', () => {
    const components = Object.entries(MEASURES.coordination.components);
    const documented = rows.filter(([name]) => Object.hasOwn(MEASURES.coordination.components, named(name!)));
    expect(documented.map(([name, , low, high, weight]) => [named(name!), low, high, weight])).toEqual(
      components.map(([id, { low, high, weight }]) => [id, String(low), String(high), String(weight)]),
    );
  });

  it('has the numbers of the formulas in its sentences', () => {
    const { surprise, ewma, bands, velocity, coordination } = MEASURES;
    const { entity, nearDuplicate, eligibility, denominator } = ATTENTION;
    for (const phrase of [
      `more than ${ATTENTION.maxTickersPerPost} tickers is a list`,
      `min(${ATTENTION.authorCap}, 1 + ln n) / n`,
      `every ${nearDuplicate.shingleWords} words in a row`,
      `the ${nearDuplicate.sketchSize} smallest hashes`,
      `similarity of at least ${nearDuplicate.jaccard}`,
      `fewer than ${nearDuplicate.shortTextWords} words`,
      `(tagged + prior × ${entity.priorWeight}) / (taggable + ${entity.priorWeight})`,
      `prior ${entity.priorPlain}, or ${entity.priorWordLike} for`,
      `Below ${entity.ambiguousBelow} the ticker is \`ambiguous\``,
      `Half-life of ${ATTENTION.halfLife / HOUR} h over ${ATTENTION.window / HOUR} h`,
      `A = ${DECAY_NORM.toFixed(3)} × Σ weight × 2^(−age / ${ATTENTION.halfLife / HOUR} h)`,
      `A fresh post therefore counts ${DECAY_NORM.toFixed(3)} and one of yesterday ${(DECAY_NORM * 2 ** (-ATTENTION.window / ATTENTION.halfLife)).toFixed(2)}`,
      `${eligibility.effectivePosts} effective posts, ${eligibility.narratives} narratives and ${eligibility.authors} authors`,
      `within ${ATTENTION.foundingGrace / HOUR} h of the first one`,
      `it counts after ${ATTENTION.sourceWarming / DAY} d`,
      `A / max(M, ${denominator.floorUsdBillions})`,
      `log2((F + ${velocity.offset}) / (B + ${velocity.offset}))`,
      `with a half-life of ${velocity.halfLife / HOUR} h`,
      `over the last ${velocity.days} days, of which at least ${velocity.minDays} were observed`,
      `min(${surprise.cap}, −log10 P(X ≥ x))`,
      `the ${surprise.baselineHours} complete clock hours before it`,
      `their ${100 * surprise.winsorAt} % quantile`,
      `mean μ (at least ${surprise.meanFloor})`,
      `(at least ${surprise.overdispersionFloor} μ)`,
      `f ← f + ${ewma.fast} (y − f)`,
      `√(max(s², ${ewma.varianceFloor}) × ${ewma.fast} / ${2 - ewma.fast})`,
      `surprises ≥ ${surprise.calibration.exceedance} over ${surprise.calibration.hours / 24} days`,
      `at least ${surprise.family.mentions} mentions in the day`,
      `fewer than ${bands.insufficientBelow} hours were observed`,
      `fewer than ${bands.warmingBelow} hours were observed`,
      `P(X ≤ x) < ${bands.quietBelow}`,
      `surprise ≥ ${bands.elevated}, or trend ≥ ${bands.trend}`,
      `surprise ≥ ${bands.high} and trend ≥ ${bands.trend}`,
      `surprise ≥ ${bands.extreme} and trend ≥ ${bands.trend} and discovery rate ≤ ${bands.discovery}`,
      `falls after ${bands.stepsBelow} steps below it, and not before ${(bands.dwellSteps * MEASURES.history.step) / HOUR} hours`,
      `${coordination.minPosts} posts, ${coordination.minAuthors} authors and ${coordination.minComponents} components`,
      `${coordination.bootstrap.draws} bootstrap draws`,
      `fitted from ${MEASURES.cascade.minEvents} posts on`,
    ]) {
      expect(flat).toContain(phrase);
    }
  });

  it('names every KPI, band, denominator state, signal and evidence state', () => {
    const first = rows.map(([name]) => named(name!));
    for (const name of [...KPI_IDS, ...ANOMALY_BANDS, ...DENOMINATOR_STATES]) expect(first).toContain(name);
    expect(first.filter((name) => (SIGNAL_TYPES as readonly string[]).includes(name))).toEqual(SIGNAL_TYPES);
    for (const [state, { label }] of Object.entries(EVIDENCE)) {
      expect(
        rows.some(([name, second]) => named(name!) === state && second === label),
        state,
      ).toBe(true);
    }
  });
});

describe('docs/errors.md', () => {
  it('is the catalogue of failures; `npm run docs:errors` writes it anew', () => {
    expect(rowsOf(read('errors.md'))).toEqual(
      Object.entries(FAILURES).map(([code, { status, meaning, remedy, reserved }]) => [
        `\`${code}\``,
        String(status),
        meaning,
        remedy,
        reserved ? 'yes' : 'no',
      ]),
    );
  });
});

describe('docs/scorecard.md', () => {
  const flat = read('scorecard.md').replace(/\s+/g, ' ');

  it('has the numbers in force', () => {
    for (const phrase of [
      `That makes ${HYPOTHESES.length}.`,
      `fewer than ${VALIDATION.minDays} sessions, fewer than ${VALIDATION.minTerms} cosines, fewer than ${VALIDATION.minNames} names`,
      `an effect of ${VALIDATION.referenceIc}`,
      `within ±${VALIDATION.equivalence}`,
      `half-life of ${REPUTATION.halfLife / DAY} days`,
      `older than ${REPUTATION.preTrustAge / DAY} days and active on at least ${REPUTATION.preTrustActiveDays}`,
      `fewer than ${REPUTATION.minAuthors} authors`,
    ])
      expect(flat).toContain(phrase);
    expect([VALIDATION.gridLead, VALIDATION.latency, VALIDATION.settlement, VALIDATION.hindsight]).toEqual([
      5 * MINUTE,
      MINUTE,
      12 * HOUR,
      HOUR,
    ]);
  });

  it('has every verdict', () => {
    for (const verdict of VERDICTS) expect(flat).toContain(`\`${verdict}\``);
  });
});
