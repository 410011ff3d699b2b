// Whoever delivers in this process looks at once when something was accepted here, instead of at the next poll.
import type { Db } from '../../../platform/db/index.ts';

const listeners = new WeakMap<Db, Set<() => void>>();

/** Calls `listener` whenever {@link wakeQueue} is called for the same database; the answer ends that. */
export function onQueueWake(db: Db, listener: () => void): () => void {
  const all = listeners.get(db) ?? new Set();
  listeners.set(db, all.add(listener));
  return () => void all.delete(listener);
}

/** After the commit. */
export function wakeQueue(db: Db): void {
  for (const listener of listeners.get(db) ?? []) listener();
}
