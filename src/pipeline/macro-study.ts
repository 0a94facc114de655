// Holds the stated macro editions against prices: one edition a week, and the returns before and after it.
import type { Stated } from '../domain/facts/statement.js';
import { AssetCloses } from '../domain/macro/asset-closes.js';
import { readMacroEdition } from '../domain/macro/edition.js';
import { dayOfSession, lastStepBy, lastWeekBy, sessionUpTo } from '../domain/macro/sessions.js';
import {
  HORIZONS,
  type MacroScorecard,
  macroScorecard,
  type ScoredWeek,
} from '../domain/validation/macro-scorecard.js';
import { type Instant, LATEST } from '../kernel/instant.js';
import { newYorkDay, readDay } from '../kernel/new-york-time.js';
import type { ArchiveReader } from '../ports/archive.js';
import type { Pace } from './paced.js';

export interface MacroStudy extends MacroScorecard {
  readonly firstAt: Instant | null;
  readonly lastAt: Instant | null;
  readonly assets: number;
}

const STATED_PER_READ = 500;
/** Sessions that a close may lie off where there is none on the day: closes may be weekly. */
const REACH = 5;

/** Uses what was known by the instant: returns that were not complete by then are left out. */
export async function macroStudy(archive: ArchiveReader, asOf: Instant, pace: Pace): Promise<MacroStudy> {
  const stated = await weeklyEditions(archive, asOf);
  const closes = await closesBy(archive, asOf, pace);
  const tickers = [...closes.keys()].sort();
  const weeks: ScoredWeek[] = [];
  for (const one of stated) {
    const attachment = await archive.attachment(one.index);
    if (attachment === null) continue;
    const scores = new Map(
      readMacroEdition(one, attachment).scores.map(({ ticker, score }) => [ticker, score ?? Number.NaN]),
    );
    weeks.push({
      scores: tickers.map((ticker) => scores.get(ticker) ?? Number.NaN),
      returns: HORIZONS.map((horizon) =>
        tickers.map((ticker) => returnOf(closes.get(ticker)!, one.at, horizon, asOf)),
      ),
    });
    await pace.rest();
  }
  return {
    firstAt: stated[0]?.at ?? null,
    lastAt: stated.at(-1)?.at ?? null,
    assets: tickers.length,
    ...macroScorecard(weeks),
  };
}

/** The last edition of every week that has one; a replayed one is about its instant, whenever it was stated. */
async function weeklyEditions(archive: ArchiveReader, asOf: Instant): Promise<Stated[]> {
  const byWeek = new Map<number, Stated>();
  for (let afterIndex = -1; ; ) {
    const query = {
      kind: 'macro_frame',
      knownBy: LATEST,
      to: asOf,
      afterIndex,
      limit: STATED_PER_READ,
    } as const;
    const page = await archive.statements(query);
    for (const stated of page) byWeek.set(lastWeekBy(stated.at - 1), stated);
    if (page.length < STATED_PER_READ) break;
    afterIndex = page.at(-1)!.index;
  }
  return [...byWeek.values()].sort((a, b) => a.at - b.at);
}

async function closesBy(
  archive: ArchiveReader,
  knownBy: Instant,
  pace: Pace,
): Promise<Map<string, AssetCloses>> {
  const found = new Map<string, AssetCloses>();
  const of = (ticker: string): AssetCloses => {
    let closes = found.get(ticker);
    if (!closes) {
      closes = new AssetCloses();
      found.set(ticker, closes);
    }
    return closes;
  };
  for await (const facts of archive.facts('price', { knownBy })) {
    for (const { body, knownAt, sequence } of facts) {
      const day = readDay(body.date);
      if (day !== null) of(body.ticker).take(day, body.close, knownAt, sequence);
    }
    await pace.rest();
  }
  for await (const facts of archive.facts('split', { knownBy })) {
    for (const { body, effectiveAt, knownAt } of facts)
      of(body.ticker).takeSplit(newYorkDay(effectiveAt), body.ratio, knownAt);
  }
  return found;
}

/** Past returns end with the last close before the edition; later ones begin with the first close after it. */
function returnOf(
  closes: AssetCloses,
  at: Instant,
  { direction, weeks }: (typeof HORIZONS)[number],
  knownBy: Instant,
): number {
  const last = lastStepBy(at);
  const from = direction === 'trailing' ? weeksFrom(last, -weeks) : nearest(closes, last + 1, 1, knownBy);
  const to = direction === 'trailing' ? last : weeksFrom(from, weeks);
  // A span that is not over yet would pass for a shorter one.
  if (Number.isNaN(from) || to > lastStepBy(knownBy)) return Number.NaN;
  const [first, second] = [nearest(closes, from, -1, knownBy), nearest(closes, to, -1, knownBy)];
  return Math.log(closes.adjusted(second, knownBy) / closes.adjusted(first, knownBy));
}

function weeksFrom(session: number, weeks: number): number {
  return Number.isNaN(session) ? session : sessionUpTo(dayOfSession(session) + 7 * weeks);
}

/** The session itself or the next one in the direction that has a close; NaN where none is near. */
function nearest(closes: AssetCloses, session: number, step: 1 | -1, knownBy: Instant): number {
  for (let off = 0; off < REACH; off += 1)
    if (!Number.isNaN(closes.adjusted(session + off * step, knownBy))) return session + off * step;
  return Number.NaN;
}
