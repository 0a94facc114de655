// The briefing as a page of Markdown for people, at most 400 words.
import { writeNewYorkClock } from '../../kernel/new-york-time.js';
import type { Briefing, IndexMove } from './briefing.js';

const signed = (value: number | null): string => (value === null ? 'n/a' : `${value > 0 ? '+' : ''}${value}`);
const listed = (words: readonly string[], none = 'none'): string =>
  words.length === 0 ? none : words.join(', ');

const MOVES = 5;

const moves = (list: readonly IndexMove[]): string =>
  listed(list.slice(0, MOVES).map(({ symbol, change }) => `${symbol} ${signed(change)}`));

export function briefingMarkdown(briefing: Briefing): string {
  const { date, edition, headline, regime, market, gauges, narratives, health } = briefing;
  const shares = regime.probabilities;
  const lines = [
    `# Macro briefing ${date} (${edition})`,
    '',
    headline,
    '',
    `**Regime** ${regime.label}${regime.changedFrom === null ? '' : ` (was ${regime.changedFrom})`}${
      shares === null
        ? ''
        : `; ${Object.entries(shares)
            .map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
            .join(', ')}`
    }.`,
    `**Market score** ${market.score ?? 'n/a'} (day ${signed(market.change1)}, five sessions ${signed(market.change5)}).`,
    '',
    '| gauge | value | week | signal |',
    '|---|---|---|---|',
    ...gauges.map(
      ({ label, value, change1w, signal }) =>
        `| ${label} | ${value ?? 'n/a'} | ${signed(change1w)} | ${signal} |`,
    ),
    '',
    `**Easier** ${moves(briefing.moves.up)}. **Harder** ${moves(briefing.moves.down)}.`,
    `**Winds that turned** ${listed(briefing.windFlips.slice(0, 8).map(({ subject, to }) => `${subject} ${to}`))}.`,
    `**Narratives** dominant: ${listed(narratives.dominant.map(({ label }) => label))}; rising: ${listed(
      narratives.rising.map(({ label }) => label),
    )}; fading: ${listed(narratives.fading.map(({ label }) => label))}.`,
    `**Turned** ${listed(narratives.turned.slice(0, 6).map(({ subject, to }) => `${subject} ${to}`))}.`,
    `**Sectors** ${listed(
      briefing.sectors.filter(({ score }) => score !== null).map(({ ticker, score }) => `${ticker} ${score}`),
    )}.`,
    `**Came in** ${listed([...new Set(briefing.releases.map(({ symbol }) => symbol))].slice(-12))}.`,
    `**Due today** ${listed(briefing.calendar.slice(0, 12).map(({ symbol, dueAt }) => `${symbol} ${writeNewYorkClock(dueAt)}`))} (New York).`,
    `**Data** ${health.live} live, ${health.delayed} delayed, ${health.stale} stale, ${health.warming} warming, ${health.unavailable} unavailable.`,
    '',
    '_Measurement, not advice: it describes what is known, it does not forecast._',
  ];
  return `${lines.join('\n')}\n`;
}
