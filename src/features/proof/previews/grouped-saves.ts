// Pictures of one batch, saved in groups: one transaction for those of a quarter of a second, or for eight.

const GROUP_MAX = 8;
const GROUP_MS = 250;

/** Saves what is given, a group at a time and one group after the other. */
export class GroupedSaves<Item> {
  #save: (group: Item[]) => Promise<void>;
  #group: Item[] = [];
  #savedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(save: (group: Item[]) => Promise<void>) {
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

  /** Resolves when all is saved that was given, with what the last save has not taken yet. Throws what a save threw. */
  async rest(): Promise<Item[]> {
    clearTimeout(this.#timer);
    await this.#running;
    if (this.#failure) throw this.#failure.error;
    return this.#group.splice(0);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#group.splice(0);
    if (group.length === 0) return;
    this.#savedAt = performance.now();
    this.#running = this.#running
      .then(() => (this.#failure ? undefined : this.#save(group)))
      .catch((error: unknown) => void (this.#failure ??= { error }));
  }
}
