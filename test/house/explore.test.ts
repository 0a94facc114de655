import { it } from 'vitest';
import { groundTruth, postOrigins } from '../../src/connectors/fixture/ground-truth.js';
import { itemsOf, simulatedRun } from '../../src/connectors/fixture/simulated-run.suite.js';
import { readItem } from '../../src/connectors/fixture/fixture-item.js';
import { AttentionState } from '../../src/domain/attention/attention-state.js';
import { coordinationIndex } from '../../src/domain/attention/coordination.js';
import { NarrativeIndex } from '../../src/domain/attention/narrative-index.js';
import { postFact } from '../../src/domain/attention/post-facts.js';
import { DAY, formatInstant, HOUR, MINUTE, parseInstant } from '../../src/kernel/instant.js';
import { textKey } from '../../src/kernel/text-key.js';
import type { Fact, Report } from '../../src/domain/facts/fact.js';

const seed = Number(process.env['SEED'] ?? 7);
const now = parseInstant(process.env['NOWAT'] ?? '2026-11-14T15:00:00Z')!;
const GRID = Number(process.env['GRIDM'] ?? 30) * MINUTE;
it('explores', async () => {
  let t0 = performance.now();
  const lap = (what: string) => { console.log(what, Math.round(performance.now() - t0)); t0 = performance.now(); };
  const fromAt = Math.floor(now / HOUR) * HOUR - 45 * DAY;
  const items = itemsOf(await simulatedRun({ seed, ledgerDays: 260, beginAt: now }));
  lap('world');
  const truth = groundTruth({ seed, fromAt, toAt: now });
  lap('truth');
  const state = new AttentionState(fromAt + 28 * DAY);
  const narratives = new NarrativeIndex();
  const seen = new Set<string>();
  let sequence = 0;
  const tickers: string[] = [];
  const facts: Fact[] = [];
  const stamp = (report: Report): Fact => ({ sequence: ++sequence, knownAt: report.releasedAt!, effectiveAt: report.effectiveAt, source: report.source, backfilled: true, body: report.body });
  const universe = new Set<string>();
  for (const item of items) if (item.kind === 'fact' && item.report.body.kind === 'asset') { universe.add(item.report.body.ticker); tickers.push(item.report.body.ticker); }
  for (const item of items) {
    const { posts, facts: plain } = readItem(item);
    for (const report of plain) facts.push(stamp(report));
    for (const report of posts) {
      const key = `${report.provider} ${report.id}`;
      if (seen.has(key)) continue;
      seen.add(key);
      facts.push(stamp(postFact(report, { universe, authorKey: (p, a) => textKey(`${p} ${a}`), narrative: (k, s) => narratives.assign(k, s, report.releasedAt!) })));
    }
  }
  lap('facts ' + facts.length);
  type Act = { at: number; do: () => void };
  const acts: Act[] = [];
  const camp: [string, number | null][] = [];
  for (const c of truth.campaigns) if (c.startAt >= fromAt && c.endAt <= now) acts.push({ at: c.endAt, do: () => { camp.push([`${c.key} ${c.posts}`, coordinationIndex(state.postsAbout(c.ticker, c.endAt), c.endAt)]); } });
  const org: [string, number | null][] = [];
  for (const b of truth.bursts) if (b.startAt >= fromAt && b.endAt <= now) acts.push({ at: b.endAt, do: () => { org.push([`${b.key} ${Math.round(b.expectedPosts)}`, coordinationIndex(state.postsAbout(b.ticker, b.endAt), b.endAt)]); } });
  const warm = fromAt + 28 * DAY + 2 * HOUR;
  const loud = new Map<string, number[]>();
  const bandFrames = new Map<string, number>();
  const rowsSeen: string[] = [];
  const insufficientAt = new Map<string, Set<number>>();
  let frames = 0;
  const trapRows = new Map<string, { ranked: number; n: number; amb: number; top25: number; best: number, act: number, prec: number }>();
  const traps = new Set(truth.wordTraps.map((w) => w.ticker));
  for (let at = Math.ceil(warm / GRID) * GRID; at <= now; at += GRID) acts.push({ at, do: () => {
    frames++;
    const { rows } = state.frame({ at, cycleSeconds: 60, highWater: 0, tickers });
    for (const row of rows) {
      if (row.band === 'warming') rowsSeen.push('warming');
      if (row.band !== 'insufficient') bandFrames.set(row.ticker, (bandFrames.get(row.ticker) ?? 0) + 1);
      else { const s = insufficientAt.get(row.ticker) ?? new Set(); s.add(at); insufficientAt.set(row.ticker, s); }
      if (row.band === 'high' || row.band === 'extreme') { const l = loud.get(row.ticker) ?? []; l.push(at); loud.set(row.ticker, l); }
      if (traps.has(row.ticker)) {
        const t = trapRows.get(row.ticker) ?? { ranked: 0, n: 0, amb: 0, top25: 0, best: 1e9, act: 0, prec: 0 };
        t.n++; if (row.rank !== null) { t.ranked++; if (row.rank <= 25) t.top25++; t.best = Math.min(t.best, row.rank); } if (row.ambiguous) t.amb++; t.act += row.activity ?? 0; t.prec += row.entityPrecision ?? 0;
        trapRows.set(row.ticker, t);
      }
    }
  } });
  const trace = new Map<string, string[]>();
  if (process.env['TRACE']) for (const b of truth.bursts) if (b.startAt >= warm && b.endAt + 3 * HOUR <= now) for (let at = Math.ceil(b.startAt / (15 * MINUTE)) * 15 * MINUTE; at <= b.endAt + 3 * HOUR; at += 15 * MINUTE) acts.push({ at, do: () => {
    const set = state.sources.at(at);
    const { anomaly } = state.history.at(at, set.sources, state.sources.observedSince());
    const i = state.history.index(b.ticker);
    const l = trace.get(b.key) ?? []; trace.set(b.key, l);
    l.push(`${anomaly.surprise[i]!.toFixed(1)}/${anomaly.trend[i]!.toFixed(1)}/${anomaly.level[i]}`);
  } });
  acts.sort((a, b) => a.at - b.at);
  let next = 0;
  for (const act of acts) {
    let end = next;
    while (end < facts.length && facts[end]!.knownAt <= act.at) end++;
    state.take(facts.slice(next, end));
    next = end;
    act.do();
  }
  lap('frames ' + frames + ' ' + rowsSeen.length);
  console.log('campaigns', camp.length, 'measured', camp.filter(([, i]) => i !== null).length, '>=.7', camp.filter(([, i]) => (i ?? 0) >= 0.7).length, camp.filter(([, i]) => (i ?? 0) < 0.7));
  const m = org.filter(([, i]) => i !== null);
  console.log('bursts', org.length, 'measurable', m.length, '<.3', m.filter(([, i]) => i! < 0.3).length, m.filter(([, i]) => i! >= 0.3), 'max', Math.max(...m.map(([, i]) => i!)));
  // episodes
  const HELD = 6 * HOUR;
  const plantedOf = (ticker: string) => [...truth.bursts.filter((b) => b.ticker === ticker), ...truth.campaigns.filter((c) => c.ticker === ticker || c.rides === ticker)];
  let episodes = 0, falseOnes = 0; const falseList: string[] = [];
  for (const [ticker, ats] of loud) {
    let from = ats[0]!, to = ats[0]!;
    const close = () => { episodes++; if (!plantedOf(ticker).some((p) => p.startAt - 3 * HOUR <= to && p.endAt + 3 * HOUR >= from)) { falseOnes++; falseList.push(`${ticker} ${formatInstant(from)} ${(to - from) / HOUR}`); } };
    for (const at of ats.slice(1)) { if (at - to > HELD) { close(); from = at; } to = at; }
    close();
  }
  const perDay = DAY / GRID;
  const banded = [...bandFrames.values()].reduce((a, b) => a + b, 0) / perDay;
  const allDays = (tickers.length * frames) / perDay;
  console.log('episodes', episodes, 'false', falseOnes, 'per eligible ticker-day', falseOnes / banded, 'eligible days', banded, 'all', falseOnes / allDays, allDays);
  console.log(falseList.slice(0, 10));
  const later = truth.bursts.filter((b) => b.startAt >= warm && b.endAt + HOUR <= now);
  const found = later.filter((b) => (loud.get(b.ticker) ?? []).some((at) => at >= b.startAt && at <= b.endAt + HOUR));
  console.log('later bursts', later.length, 'found', found.length);
  for (const min of [0, 5, 10, 15, 20, 30]) { const of = later.filter((b) => b.expectedPosts >= min); console.log(min, of.length, of.filter((b) => found.includes(b)).length); }
  const eligibleRow = later.filter((b) => { const s = insufficientAt.get(b.ticker) ?? new Set(); for (let at = Math.ceil(b.startAt / GRID) * GRID; at <= b.endAt + HOUR; at += GRID) if (!s.has(at)) return true; return false; });
  console.log('row-eligible', eligibleRow.length, eligibleRow.filter((b) => found.includes(b)).length);
  console.log('missed', later.filter((b) => !found.includes(b)).map((b) => `${b.key} exp ${Math.round(b.expectedPosts)} peak ${b.peakPerHour.toFixed(1)} base ${b.baselinePerHour.toFixed(2)} mag ${b.magnitude.toFixed(0)} elig ${eligibleRow.includes(b)} ${formatInstant(b.startAt)}`));
  const late = later.filter((b) => (loud.get(b.ticker) ?? []).some((at) => at >= b.startAt && at <= b.endAt + 3 * HOUR));
  console.log('with 3h tail', late.length);
  for (const min of [0, 5, 10, 15, 20, 30]) { const of = later.filter((b) => b.expectedPosts >= min); console.log(min, of.length, of.filter((b) => late.includes(b)).length); }
  for (const b of later.filter((b) => !late.includes(b))) console.log(b.key, Math.round(b.expectedPosts), trace.get(b.key)?.join(' '));
  console.log('SUM', seed, formatInstant(now), 'false/elig', (falseOnes / banded).toFixed(4), [0,5,10,12,15,20,30].map((min) => { const of = later.filter((b) => b.expectedPosts >= min); return `${min}: ${of.filter((b) => found.includes(b)).length}/${of.length}`; }).join('  '), 'peak', [4,5,6,8,10].map((min) => { const of = later.filter((b) => b.peakPerHour >= min); return `${min}: ${of.filter((b) => found.includes(b)).length}/${of.length}`; }).join('  '), 'mag', [8,10,12].map((min) => { const of = later.filter((b) => b.magnitude >= min && b.expectedPosts >= 10); return `${min}: ${of.filter((b) => found.includes(b)).length}/${of.length}`; }).join('  '));
  const cl = truth.campaigns.filter((c) => c.startAt >= warm && c.endAt + HOUR <= now);
  console.log('campaigns loud', cl.length, cl.filter((b) => (loud.get(b.ticker) ?? []).some((at) => at >= b.startAt && at <= b.endAt + HOUR)).length);
  for (const [t, r] of trapRows) console.log(t, `n ${r.n} ranked ${r.ranked} top25 ${r.top25} best ${r.best} amb ${r.amb} act ${(r.act / r.n).toFixed(1)} prec ${(r.prec / r.n).toFixed(2)}`);
  void postOrigins;
}, 300_000);
