// Counters that pay for calls in blocks: a busy caller with a wide plan is charged for several at once, so that a hot answer need not wait.
// What is paid for and not spent is never shown as used, keeps nobody out, and goes back when its minute ends.
import { type Clock, type Instant, MILLISECOND, MINUTE, SECOND } from '../kernel/instant.js';
import type { Charge, Counters, Standing } from '../ports/counters.js';

/** What is unspent at most: of the limit of the minute, of what is used of it, and in calls. */
const SHARE_OF_LIMIT = 1 / 100;
const SHARE_OF_USED = 1 / 16;
const MOST_UNSPENT = 1_024;
/** Whoever comes when so many are busy pays one by one. */
const MOST_CALLERS = 10_000;

/** A caller in the running minute, as the store said last. */
interface Purse {
  readonly bucket: string;
  readonly days: Map<string, Day>;
  minuteResetAt: Instant;
  minuteUsed: number;
  /** Of `minuteUsed`: calls that can still be spent, and those on their way back. */
  unspent: number;
  /** Asked for and not answered yet. */
  ordered: number;
  back: Promise<void> | null;
  /** By our clock; the windows are the store's. */
  goodUntil: Instant;
  /** How far the store's clock is ahead of ours. */
  ahead: number;
}

/** The day of one quota of the caller. */
interface Day {
  readonly quota: string;
  dayResetAt: Instant;
  dayUsed: number;
  left: number;
  /** With fewer left than this it is time to pay for more. */
  enough: number;
  buying: Promise<void> | null;
  returning: number;
}

/** Answers are noted in the order in which the store gives them, each as soon as it is there: only so they add up. */
export class PrepaidCounters implements Counters {
  readonly #counters: Counters;
  readonly #clock: Clock;
  readonly #purses = new Map<string, Purse>();
  #minuteEnd: NodeJS.Timeout | undefined;

  constructor(counters: Counters, clock: Clock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  /** Spends a call that is paid for; null where none is: then `prepay` has to be asked. */
  spend(charge: Charge): Standing | null {
    const purse = this.#purses.get(charge.bucket);
    const day = purse?.days.get(charge.quota);
    if (purse === undefined || day === undefined || day.left === 0) return null;
    const now = this.#clock();
    if (now >= purse.goodUntil) return null;
    day.left -= 1;
    purse.unspent -= 1;
    if (day.left < day.enough && day.buying === null) this.#buyMore(purse, day, charge);
    return {
      refused: null,
      minuteUsed: minuteSpent(purse),
      minuteResetAt: purse.minuteResetAt,
      dayUsed: daySpent(day),
      dayResetAt: day.dayResetAt,
      at: now + purse.ahead,
    };
  }

  /** Admits one call, and pays for more of them where the caller is busy and its plan is wide. */
  async prepay(charge: Charge): Promise<Standing> {
    // What is paid for is spent first: nobody pays twice because an answer was not at hand.
    const spent = this.spend(charge);
    if (spent !== null) return spent;
    const purse = this.#purseOf(charge);
    const block = purse === null ? null : await this.#order(purse, charge, 1);
    // What is left of a window is given out one by one, to the last call.
    return block?.refused === null ? block : this.admit(charge);
  }

  admit(charge: Charge): Promise<Standing> {
    return this.#insist('admit', charge);
  }

  peek(charge: Charge): Promise<Standing> {
    return this.#insist('peek', charge);
  }

  giveBack(...given: Parameters<Counters['giveBack']>): Promise<void> {
    return this.#counters.giveBack(...given);
  }

  healthy(): Promise<boolean> {
    return this.#counters.healthy();
  }

  async close(): Promise<void> {
    clearTimeout(this.#minuteEnd);
    await Promise.all([...this.#purses.values()].map((purse) => this.#settled(purse)));
    await this.#counters.close();
  }

  /** What is still to come goes back as well. */
  async #settled(purse: Purse): Promise<void> {
    for (const { buying } of purse.days.values()) await buying;
    await this.#returned(purse);
  }

  /** Before the last call is spent, so that none has to wait for the next block; whoever finds none asks for itself. */
  #buyMore(purse: Purse, day: Day, charge: Charge): void {
    day.buying = this.#order(purse, charge, 0).then(
      () => {
        day.buying = null;
      },
      () => {
        day.buying = null;
      },
    );
  }

  /** Asks for a block, of which `spent` are spent at once; null where there is no room for one. */
  async #order(purse: Purse, charge: Charge, spent: number): Promise<Standing | null> {
    const unspent = this.#clock() < purse.goodUntil ? roomIn(purse, charge) : 0;
    if (unspent < 1) return null;
    purse.ordered += unspent;
    try {
      return await this.#ask('admit', { ...charge, cost: spent + unspent }, unspent);
    } finally {
      purse.ordered -= unspent;
    }
  }

  /** Calls that nobody has made must not be the reason for a refusal. */
  async #insist(how: 'admit' | 'peek', charge: Charge): Promise<Standing> {
    const standing = await this.#ask(how, charge, 0);
    const purse = this.#purses.get(charge.bucket);
    if (standing.refused === null || purse === undefined) return standing;
    const back = this.#returned(purse);
    if (back === null) return standing;
    await back;
    return this.#ask(how, charge, 0);
  }

  /** The answer as the caller sees it: what is paid for and not spent is not used. */
  async #ask(how: 'admit' | 'peek', charge: Charge, unspent: number): Promise<Standing> {
    const askedAt = this.#clock();
    const standing = await this.#counters[how](charge);
    const purse = this.#purses.get(charge.bucket);
    if (purse === undefined) return standing;
    this.#noteMinute(purse, standing, askedAt);
    const day = noteDay(purse, charge.quota, standing);
    if (standing.refused === null && unspent > 0) {
      purse.unspent += unspent;
      day.left += unspent;
      day.enough = day.left / 2;
    }
    return { ...standing, minuteUsed: minuteSpent(purse), dayUsed: daySpent(day) };
  }

  #noteMinute(purse: Purse, { minuteResetAt, minuteUsed, at }: Standing, askedAt: Instant): void {
    if (minuteResetAt !== purse.minuteResetAt) {
      void this.#returned(purse);
      purse.minuteResetAt = minuteResetAt;
      purse.unspent = 0;
      this.#atMinuteEnd(minuteResetAt - at);
    }
    purse.minuteUsed = minuteUsed;
    // Each errs on the safe side by the time that the answer took.
    purse.goodUntil = askedAt + minuteResetAt - at;
    purse.ahead = at - this.#clock();
  }

  /** Gives back what can still be spent; settles when all of it is back, null where nothing is out. */
  #returned(purse: Purse): Promise<void> | null {
    const held = [...purse.days.values()].filter(({ left }) => left > 0);
    if (held.length === 0) return purse.back;
    const back = Promise.all([purse.back, ...held.map((day) => this.#return(purse, day))]).then(() => {
      if (purse.back === back) purse.back = null;
    });
    purse.back = back;
    return back;
  }

  /** Where the store does not answer, the calls stay counted, and are shown as it counts them. */
  async #return(purse: Purse, day: Day): Promise<void> {
    const cost = day.left;
    day.left = 0;
    day.returning += cost;
    const { bucket, minuteResetAt } = purse;
    const { quota, dayResetAt } = day;
    const given = await this.#counters.giveBack({ bucket, quota, cost }, { minuteResetAt, dayResetAt }).then(
      () => cost,
      () => 0,
    );
    if (purse.minuteResetAt === minuteResetAt) {
      purse.unspent -= cost;
      purse.minuteUsed -= given;
    }
    if (day.dayResetAt === dayResetAt) {
      day.returning -= cost;
      day.dayUsed -= given;
    }
  }

  /** Also for callers who have fallen silent. */
  #atMinuteEnd(after: number): void {
    this.#minuteEnd ??= setTimeout(
      () => {
        this.#minuteEnd = undefined;
        const now = this.#clock();
        let next = MINUTE;
        for (const [bucket, purse] of this.#purses) {
          const left = purse.goodUntil - now;
          if (left > 0) next = Math.min(next, left);
          else if (this.#returned(purse) === null && purse.ordered === 0) this.#purses.delete(bucket);
        }
        if (this.#purses.size > 0) this.#atMinuteEnd(next);
      },
      (after + SECOND) / MILLISECOND,
    ).unref();
  }

  #purseOf({ bucket, minuteLimit }: Charge): Purse | null {
    const known = this.#purses.get(bucket);
    if (known !== undefined) return known;
    if (minuteLimit * SHARE_OF_LIMIT < 2 || this.#purses.size >= MOST_CALLERS) return null;
    const purse: Purse = {
      bucket,
      days: new Map(),
      minuteResetAt: 0,
      minuteUsed: 0,
      unspent: 0,
      ordered: 0,
      back: null,
      goodUntil: 0,
      ahead: 0,
    };
    this.#purses.set(bucket, purse);
    return purse;
  }
}

function noteDay({ days }: Purse, quota: string, { dayResetAt, dayUsed }: Standing): Day {
  let day = days.get(quota);
  if (day === undefined) {
    day = { quota, dayResetAt, dayUsed, left: 0, enough: 0, buying: null, returning: 0 };
    days.set(quota, day);
  }
  // What is on its way back to another day is nothing to this one.
  if (day.dayResetAt !== dayResetAt) day.returning = 0;
  day.dayResetAt = dayResetAt;
  day.dayUsed = dayUsed;
  return day;
}

function minuteSpent({ minuteUsed, unspent }: Purse): number {
  return minuteUsed - unspent;
}

function daySpent({ dayUsed, left, returning }: Day): number {
  return dayUsed - left - returning;
}

/** How many calls may be paid for in advance, beside those that are. */
function roomIn(purse: Purse, { minuteLimit }: Charge): number {
  const most = Math.min(minuteLimit * SHARE_OF_LIMIT, minuteSpent(purse) * SHARE_OF_USED, MOST_UNSPENT);
  return Math.floor(most) - purse.unspent - purse.ordered;
}
