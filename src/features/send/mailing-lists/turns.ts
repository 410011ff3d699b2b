// Work in steps that is as long as a list: others have their turn between.

/** A step is a thousand members in a transaction. */
const STEPS_MAX = 20;

interface Steps {
  /** Does the next step; false: there is nothing left to do. */
  step(): Promise<boolean>;
  /** Queues the job once more, behind the accounts that wait. */
  again(): Promise<void>;
  signal: AbortSignal;
}

/** Does as many steps as one account may at once. Cut off, it goes on where it was. */
export async function takeTurn({ step, again, signal }: Steps): Promise<void> {
  for (let count = 0; count < STEPS_MAX; count++) {
    signal.throwIfAborted();
    if (!(await step())) return;
  }
  await again();
}
