// The attention side of `barograph validate`: the scorecards as they would be stated now, as JSON or as a table.
import type { Instant } from '../../kernel/instant.js';
import { formatInstant } from '../../kernel/instant.js';
import { pacedBy } from '../../pipeline/paced.js';
import { type Study, study } from '../../pipeline/validation-study.js';
import type { ArchiveReader } from '../../ports/archive.js';
import { VERSION } from '../version.js';
import type { Validated } from './validated.js';

const digits = (value: number | null, places = 4): string => (value === null ? '–' : value.toFixed(places));

function table({ scorecard }: Study): string[] {
  const rows = scorecard.hypotheses.map((one) => [
    one.signal,
    one.horizon,
    one.target === 'forward_return' ? 'return' : 'size of move',
    one.verdict,
    String(one.n_days),
    digits(one.mean_ic),
    digits(one.p_value),
    digits(one.p_by),
    digits(one.power_ref, 2),
    digits(one.mde80),
  ]);
  const head = ['signal', 'horizon', 'target', 'verdict', 'days', 'IC', 'p', 'p (BY)', 'power', 'MDE80'];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => (i < 4 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}

function asText(found: Study, asOf: Instant): string {
  const { scorecard, reputation } = found;
  const { tape, family, summary } = scorecard;
  const verdicts = Object.entries(summary.verdicts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  const lines = [
    `Scorecard as of ${formatInstant(asOf)}: ${tape.sections} sessions of tape, ${family.registered} hypotheses, evidence ${scorecard.evidence}`,
    ...table(found),
    `Verdicts: ${verdicts.join(', ')}`,
    `Survivors after Benjamini and Yekutieli: ${summary.survivors_by.join(', ') || 'none'}`,
    `Reputation: ${reputation.state}, ${reputation.graph.interacting_authors ?? 'fewer than 20'} authors who interact`,
    ...reputation.incremental_value.map(
      (one) =>
        `  weighted against plain activity, ${one.target}: ${one.verdict}, ΔIC ${digits(one.mean_ic)}, p ${digits(one.p_value)}`,
    ),
  ];
  if (scorecard.evidence === 'fixture')
    lines.push('These are synthetic data: no verdict says anything about a market.');
  if (found.framesDisagreeing > 0)
    lines.push(`${found.framesDisagreeing} of ${found.framesChecked} frames are not what was recorded.`);
  return lines.join('\n');
}

/** Computes and writes nothing. */
export async function validateAttention(archive: ArchiveReader, asOf: Instant): Promise<Validated> {
  const found = await study({ archive, asOf, codeVersion: VERSION, pace: pacedBy() });
  const { scorecard, reputation } = found;
  return { json: { scorecard, reputation }, text: asText(found, asOf), sound: found.framesDisagreeing === 0 };
}
