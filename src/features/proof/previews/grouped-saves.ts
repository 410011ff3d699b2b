// Pictures of one thing, saved in groups: one transaction for those of a quarter of a second, or for eight.

const GROUP_MAX = 8;
const GROUP_MS = 250;

/** What one save makes of a group, and of what is done with it in the same transaction. */
type Save<Item, Last> = (group: Item[], last?: Last) => Promise<void>;

/** Saves what is given, a group at a time and one group after the other. */
export class GroupedSaves<Item, Last = never> {
  #save: Save<Item, Last>;
  #group: Item[] = [];
  #savedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(save: Save<Item, Last>) {
    this.#save = save;
  }

  /** The first one is saved at once: somebody waits for it. Throws what an earlier save threw. */
  add(item: Item): void {
    if (this.#failure) throw this.#failure.error;
    this.#group.push(item);
    const waitMs = this.#savedAt + GROUP_MS - performance.now();
    if (this.#group.length >= GROUP_MAX || waitMs <= 0) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), waitMs);
  }

  /** Saves all that was given, the end of some work with it. Throws what this save or an earlier one threw. */
  async end(last: Last): Promise<void> {
    this.#flush(last);
    await this.#running;
    if (this.#failure) throw this.#failure.error;
  }

  #flush(last?: Last): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group.splice(0);
    if (group.length === 0 && last === undefined) return;
    this.#savedAt = performance.now();
    this.#running = this.#running
      .then(() => (this.#failure ? undefined : this.#save(group, last)))
      .catch((error: unknown) => void (this.#failure ??= { error }));
  }
}
