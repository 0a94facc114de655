// When a value of a provider's series usually comes out: for values that reach us without their release time.
import { DAY, type Instant } from '../../kernel/instant.js';
import type { Day } from '../../kernel/new-york-time.js';
import { INDEXES } from './catalogue/indexes.js';
import { seriesOf } from './level-series.js';
import { type ReleaseRule, releaseInstant } from './release-clock.js';
import { businessDayFrom } from './sessions.js';

/** What is computed from prices is known when they are; nobody publishes it. */
const COMPUTED = /^(CLOSE|EQUAL|BREADTH):/;

/** A series goes by the clock of the index that it makes alone, else by that of an index which has to wait for it. */
function rulesBySeries(): ReadonlyMap<string, ReleaseRule> {
  const alone = new Map<string, ReleaseRule>();
  const shared = new Map<string, ReleaseRule>();
  for (const { formula, release } of INDEXES.flatMap((row) => [
    row,
    ...(row.fallback ? [row.fallback] : []),
  ])) {
    const ids = seriesOf(formula);
    const rules = ids.length === 1 ? alone : shared;
    for (const id of ids) if (!COMPUTED.test(id) && !rules.has(id)) rules.set(id, release);
  }
  return new Map([...shared, ...alone]);
}

const RULES = rulesBySeries();

/** Null for a series that the catalogue does not use: its clock is not known, and none is guessed. */
export function usualRelease(series: string, day: Day): Instant | null {
  const rule = RULES.get(series);
  if (rule === undefined) return null;
  const release = releaseInstant(rule, day);
  // A daily value that is dated on a holiday cannot have come out with the session before.
  return release < day * DAY ? releaseInstant(rule, businessDayFrom(day)) : release;
}
