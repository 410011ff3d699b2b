// Work that decodes pictures: so much at once, and accounts take turns.
import { AppError } from '../../../platform/errors/index.ts';

interface Limits {
  /** Works of all accounts that run at once. */
  atOnce: number;
  /** Works of one account that wait; more are refused. */
  waitingMax: number;
}

export class Turns {
  #limits: Limits;
  #running = 0;
  /** What waits, by account: the account whose turn was last is the last one. */
  #waiting = new Map<string, (() => void)[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Does the work when it is its account's turn. Throws `unavailable` where too much of the account waits. */
  async run<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#limits.atOnce) await this.#turn(account);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(account: string): Promise<void> {
    const own = this.#waiting.get(account) ?? [];
    if (own.length >= this.#limits.waitingMax)
      throw new AppError(
        'unavailable',
        `${own.length} small pictures of this account wait to be made, and no more may. Try again in 2 seconds.`,
        { headers: { 'retry-after': '2' } },
      );
    return new Promise((resolve) => void this.#waiting.set(account, [...own, resolve]));
  }

  /** The slot goes to the account that has waited longest for a turn, or is free. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running -= 1;
      return;
    }
    const [account, [begin, ...others]] = first;
    this.#waiting.delete(account);
    if (others.length > 0) this.#waiting.set(account, others);
    begin?.();
  }
}
