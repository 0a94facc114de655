// Conditions of a single ticker that are judged once in a while: divergence from the price, one loud source, coordination.
import type { Instant } from '../../kernel/instant.js';
import { standardDeviation } from '../../kernel/statistics/moments.js';
import type { Emission } from '../facts/emission.js';
import type { Row } from '../facts/frame.js';
import type { ReferenceBook } from './reference-book.js';
import { SIGNALS } from './signal-parameters.js';
import { signal } from './signals.js';
import type { SourceLedger } from './source-set.js';

/** Attention at least doubled, and the last close moved less than half of a usual day. */
export function priceDivergence(row: Row, book: ReferenceBook, at: Instant): Emission | null {
  const { doublings, usualDays, minDays } = SIGNALS.divergence;
  if (row.velocity === null || row.velocity < doublings) return null;
  const closes = book.closes(row.ticker, at);
  const moves: number[] = [];
  for (let i = 1; i < closes.length; i++) {
    const [before, after] = [closes[i - 1]!, closes[i]!];
    const ratio = book.splitRatio(row.ticker, before.effectiveAt, after.effectiveAt, at);
    moves.push(Math.log((after.body.close * ratio) / before.body.close));
  }
  const last = moves.pop();
  if (last === undefined || moves.length < minDays) return null;
  const usual = standardDeviation(moves);
  if (!(usual > 0) || Math.abs(last) > usualDays * usual) return null;
  return signal('attention.price_diverged', row, {
    prev: null,
    now: { velocity: row.velocity, log_return: rounded(last), usual_day: rounded(usual) },
    evidence: { close_date: closes.at(-1)!.body.date },
  });
}

/** Nearly all of it from one source that usually says much less. */
export function sourceConcentration(
  row: Row,
  posts: readonly { readonly source: string }[],
  sources: SourceLedger,
  counted: readonly string[],
  at: Instant,
): Emission | null {
  const { share, timesUsual, minPosts } = SIGNALS.concentration;
  if (posts.length < minPosts) return null;
  const bySource = new Map<string, number>();
  for (const { source } of posts) bySource.set(source, (bySource.get(source) ?? 0) + 1);
  const [loudest, said] = [...bySource].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]!;
  const usual = sources.usualShare(loudest, counted, at);
  const now = said / posts.length;
  if (now < share || usual === null || now < timesUsual * usual) return null;
  return signal('attention.source_concentrated', row, {
    prev: { usual_share: rounded(usual) },
    now: { source: loudest, share: rounded(now), posts: posts.length },
  });
}

/** The measurement moved; says nothing about anybody, and is never a verdict. */
export function coordinationShift(row: Row, dayAgo: number | null, now: number | null): Emission | null {
  if (dayAgo === null || now === null || Math.abs(now - dayAgo) < SIGNALS.coordinationShift) return null;
  return signal('coordination.measurement_shifted', row, {
    prev: { coordination_index: rounded(dayAgo) },
    now: { coordination_index: rounded(now) },
  });
}

const rounded = (value: number): number => Number(value.toPrecision(6));
