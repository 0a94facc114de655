// Calls paid for in blocks: a busy caller with a wide plan is charged for several at once, so that a hot answer need not wait.
import type { Allowance, Quota } from '../contracts/caller.js';
import type { Clock, Instant } from '../kernel/instant.js';
import type { Counters } from '../ports/counters.js';
import { type Account, type Admitted, admit } from './admission.js';

/** What a caller loses at most when a minute ends: of its minute, of what it has used of it, and in calls. */
const SHARE_OF_LIMIT = 1 / 100;
const SHARE_OF_USED = 1 / 16;
const LARGEST_BLOCK = 1_024;
const MOST_CALLERS = 10_000;

interface Block {
  allowance: Allowance;
  left: number;
  /** With fewer left than this it is time to pay for more. */
  readonly enough: number;
  buying: boolean;
  /** By our clock; the windows are the store's. */
  goodUntil: Instant;
  /** How far the store's clock is ahead of ours. */
  ahead: number;
}

export class Prepaid {
  readonly #counters: Counters;
  readonly #clock: Clock;
  readonly #blocks = new Map<string, Block>();

  constructor(counters: Counters, clock: Clock) {
    this.#counters = counters;
    this.#clock = clock;
  }

  /** Spends a call that is paid for; null where none is: then the counters have to be asked. */
  spend(account: Account, quota: Quota): Allowance | null {
    const block = this.#blocks.get(`${quota} ${account.bucket}`);
    if (block === undefined || block.left === 0) return null;
    const now = this.#clock();
    if (now >= block.goodUntil) return null;
    block.left -= 1;
    if (block.left < block.enough && !block.buying) this.#buyMore(block, account, quota);
    return shown(block, now + block.ahead);
  }

  /** Before the last call is spent, so that none has to wait for the next block; whoever finds none asks for itself. */
  #buyMore(block: Block, account: Account, quota: Quota): void {
    block.buying = true;
    void this.#buy(account, quota, 0)
      .catch(() => {})
      .finally(() => {
        block.buying = false;
      });
  }

  /** Asks the counters: for one call, or for a block of them where the caller is busy and its plan is wide. */
  async admit(account: Account, quota: Quota): Promise<Admitted> {
    // What is paid for is spent first: nobody pays twice because an answer was not at hand.
    const paid = this.spend(account, quota);
    return paid !== null ? { allowance: paid, refusal: null } : this.#buy(account, quota, 1);
  }

  /** `spent` of the calls are spent at once. */
  async #buy(account: Account, quota: Quota, spent: number): Promise<Admitted> {
    const key = `${quota} ${account.bucket}`;
    const size = this.#blockFor(key, account);
    let admitted = await admit(this.#counters, account, quota, size);
    let bought = size;
    if (size > 1 && admitted.refusal !== null) {
      // What is left of a window is given out one by one, to the last call.
      admitted = await admit(this.#counters, account, quota, 1);
      bought = 1;
    }
    const { allowance, refusal } = admitted;
    if (refusal !== null || !isWide(account)) return admitted;
    const now = this.#clock();
    const left = bought - spent + this.#left(key, now);
    const block: Block = {
      allowance,
      left,
      enough: bought / 2,
      buying: false,
      goodUntil: now + allowance.minuteResetAt - allowance.at,
      ahead: allowance.at - now,
    };
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    if (this.#blocks.size > MOST_CALLERS) this.#blocks.delete(this.#blocks.keys().next().value!);
    return { allowance: shown(block, allowance.at), refusal };
  }

  #left(key: string, now: Instant): number {
    const block = this.#blocks.get(key);
    return block !== undefined && now < block.goodUntil ? block.left : 0;
  }

  #blockFor(key: string, { plan }: Account): number {
    const block = this.#blocks.get(key);
    if (block === undefined || this.#clock() >= block.goodUntil) return 1;
    const most = Math.min(
      plan.requestsPerMinute * SHARE_OF_LIMIT,
      block.allowance.minuteUsed * SHARE_OF_USED,
      LARGEST_BLOCK,
    );
    return Math.max(1, Math.floor(most));
  }
}

function isWide({ plan }: Account): boolean {
  return plan.requestsPerMinute * SHARE_OF_LIMIT >= 2;
}

/** As the caller sees it: what is paid for and not spent is not used. */
function shown({ allowance, left }: Block, at: Instant): Allowance {
  return {
    ...allowance,
    minuteUsed: allowance.minuteUsed - left,
    dayUsed: allowance.dayUsed - left,
    at: Math.max(at, allowance.at),
  };
}
