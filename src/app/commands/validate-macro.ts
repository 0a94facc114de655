// The macro side of `barograph validate`: how the structure score went with returns before and after it.
import type { HorizonCard } from '../../domain/validation/macro-scorecard.js';
import type { Instant } from '../../kernel/instant.js';
import { formatDay, formatInstant } from '../../kernel/instant.js';
import { type MacroStudy, macroStudy } from '../../pipeline/macro-study.js';
import { pacedBy } from '../../pipeline/paced.js';
import type { ArchiveReader } from '../../ports/archive.js';
import type { Validated } from './validated.js';

const signed = (value: number | null): string =>
  value === null ? '–' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

function line({
  direction,
  weeks,
  sections,
  meanAssets,
  meanIc,
  interval,
  p,
  neweyWest,
}: HorizonCard): string {
  return [
    `${direction === 'trailing' ? 'past' : 'next'} ${String(weeks).padStart(2)} weeks`,
    String(sections).padStart(5),
    meanAssets.toFixed(0).padStart(6),
    signed(meanIc).padStart(7),
    (interval ? `${signed(interval[0])} to ${signed(interval[1])}` : '–').padStart(17),
    (p === null ? '–' : p.toFixed(4)).padStart(6),
    (neweyWest ? neweyWest.t.toFixed(2) : '–').padStart(7),
  ].join('  ');
}

function asText({ firstAt, lastAt, assets, weeks, horizons, sentence }: MacroStudy): string {
  if (firstAt === null || lastAt === null) return 'No macro edition has been stated yet.';
  return [
    `Structure score, ${weeks} weekly editions from ${formatDay(firstAt)} to ${formatDay(lastAt)}, ${assets} assets with prices`,
    'rank correlation  weeks  assets     mean       95 % interval       p  NW t',
    ...horizons.map((horizon) => line(horizon)),
    sentence,
  ].join('\n');
}

function asJson({ firstAt, lastAt, assets, weeks, horizons, sentence }: MacroStudy): unknown {
  return {
    first_as_of: firstAt === null ? null : formatInstant(firstAt),
    last_as_of: lastAt === null ? null : formatInstant(lastAt),
    weeks,
    assets,
    horizons: horizons.map((one) => ({
      direction: one.direction,
      weeks: one.weeks,
      sections: one.sections,
      mean_assets: one.meanAssets,
      mean_ic: one.meanIc,
      interval_95: one.interval,
      p_value: one.p,
      effective_weeks: one.effectiveWeeks,
      newey_west: one.neweyWest,
    })),
    boundary: sentence,
  };
}

/** Computes and writes nothing. */
export async function validateMacro(archive: ArchiveReader, asOf: Instant): Promise<Validated> {
  const found = await macroStudy(archive, asOf, pacedBy());
  return { json: asJson(found), text: asText(found), sound: true };
}
