// The answer of the daily briefing: the facts of the domain's briefing in the shape of the wire, and as a page.
import type { MacroBriefing } from '../../contracts/macro/briefing.js';
import type { MacroReceipt } from '../../contracts/macro/receipt.js';
import type { Briefing } from '../../domain/macro/briefing.js';
import { briefingMarkdown } from '../../domain/macro/briefing-text.js';
import { INDEXES, indexPlace } from '../../domain/macro/catalogue/indexes.js';
import type { NarrativeReading } from '../../domain/macro/macro-frame.js';
import { formatInstant, HOUR } from '../../kernel/instant.js';
import { writeNewYorkClock } from '../../kernel/new-york-time.js';
import type { Briefings } from './briefings.js';
import type { Answering, Editions } from './editions.js';
import { gaugeShape, isWithheld, regimeShape } from './frame-shapes.js';
import { BOUNDARY, provenanceOf, receiptOf } from './provenance.js';

const MOVES = 5;

type WindFlip = MacroBriefing['wind_flips'][number];

const narrativeLine = ({ slug, label, state, momentum1w }: NarrativeReading) => ({
  slug,
  label,
  state,
  momentum_1w: momentum1w,
});

function releaseShape(release: Briefing['releases'][number]): MacroBriefing['releases'][number] {
  const withheld = isWithheld(INDEXES[indexPlace(release.symbol)]!);
  return {
    symbol: release.symbol,
    released_at: formatInstant(release.releasedAt),
    observed_on: release.observedOn,
    value: withheld ? null : release.value,
    prior: withheld ? null : release.prior,
    z_before: release.zBefore,
    z_after: release.zAfter,
    revised_prior: release.priorRevised,
  };
}

function movesShape({ moves }: Briefing): MacroBriefing['index_moves'] {
  const line = ({ symbol, name, z, change }: Briefing['moves']['up'][number]) => ({
    symbol,
    name,
    z_score: z,
    change,
  });
  return { up: moves.up.slice(0, MOVES).map(line), down: moves.down.slice(0, MOVES).map(line) };
}

/** Where facts have been filled in since the edition was stated, the briefing is one of its own. */
function receiptFor({ fingerprint }: Briefing, answering: Answering): MacroReceipt {
  const receipt = receiptOf(answering);
  if (receipt.edition_sha256 === fingerprint) return receipt;
  const unstated = { stated: false, log_index: null, archive_high_water: null, newest_known_at: null };
  return { ...receipt, ...unstated, edition_sha256: fingerprint };
}

function briefingShape(briefing: Briefing, answering: Answering): MacroBriefing {
  const { regime, market, narratives, health } = briefing;
  const { gaps, oldest, ...tally } = health;
  return {
    date: briefing.date,
    edition: briefing.edition,
    generated_at: formatInstant(briefing.at),
    headline: briefing.headline,
    regime: { ...regimeShape(regime), changed_from: regime.changedFrom },
    market_score: { value: market.score, d1: market.change1, d5: market.change5, band: market.band },
    gauges: briefing.gauges.map(gaugeShape),
    index_moves: movesShape(briefing),
    wind_flips: briefing.windFlips.map(({ subject, from, to, z }) => ({
      symbol: subject,
      from: from as WindFlip['from'],
      to: to as WindFlip['to'],
      z_score: z,
    })),
    narratives: {
      dominant: narratives.dominant.map(narrativeLine),
      rising: narratives.rising.map(narrativeLine),
      fading: narratives.fading.map(narrativeLine),
      state_changes: narratives.turned.map(({ subject, from, to }) => ({ slug: subject, from, to })),
    },
    sector_table: briefing.sectors.map(({ ticker, sector, score, change5, topDriver }) => ({
      ticker,
      sector,
      schema_score: score,
      d5: change5,
      top_driver: topDriver,
    })),
    releases: briefing.releases.map(releaseShape),
    calendar_today: briefing.calendar.map(({ symbol, name, dueAt, forDay, usualGap }) => ({
      symbol,
      name,
      due_at: formatInstant(dueAt),
      time_et: writeNewYorkClock(dueAt),
      for_day: forDay,
      expected_gap: usualGap,
    })),
    data_health: {
      ...tally,
      oldest: oldest && {
        symbol: oldest.symbol,
        released_at: formatInstant(oldest.releasedAt),
        age_h: Math.floor((briefing.at - oldest.releasedAt) / HOUR),
      },
      gaps: gaps.map(({ symbol, status, overdueHours }) => ({ symbol, status, overdue_h: overdueHours })),
    },
    watch: briefing.watch.map(({ symbol, wind, distance }) => ({
      symbol,
      wind: wind as MacroBriefing['watch'][number]['wind'],
      distance,
    })),
    boundary: BOUNDARY,
    markdown: briefingMarkdown(briefing),
    receipts: receiptFor(briefing, answering),
    ...provenanceOf(answering),
    snapshot_id: briefing.fingerprint,
  };
}

export function briefingAnswer(editions: Editions, briefings: Briefings) {
  return async (): Promise<MacroBriefing> => {
    const answering = await editions.answering(null);
    return briefingShape(await briefings.at(answering.held.at), answering);
  };
}
