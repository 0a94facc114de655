// When a trading day closes: 16:00 on the wall clocks of New York, as an instant.
import { HOUR, type Instant, MILLISECOND } from '../../kernel/instant.js';

const hourInNewYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});

/** A file names the same days for every ticker; the zone tables are asked once a day, not once a line. */
const closes = new Map<Instant, Instant>();
/** More than a century of trading days; a file that names more only pays again. */
const REMEMBERED_DAYS = 40_000;

/** `day` is the first instant of the calendar day in UTC. */
export function newYorkClose(day: Instant): Instant {
  const known = closes.get(day);
  if (known !== undefined) return known;
  // New York is four hours behind in summer and five in winter; the afternoon is never the hour of the change.
  const summerClose = day + 20 * HOUR;
  const summer = hourInNewYork.format(summerClose / MILLISECOND) === '16';
  const close = summer ? summerClose : summerClose + HOUR;
  if (closes.size >= REMEMBERED_DAYS) closes.clear();
  closes.set(day, close);
  return close;
}
