// Deleting with a way back: what was deleted is gone from its list at once, and from the service a little later. Until
// then it can be had back; a tab that is closed meanwhile leaves everything where it was.
import { useSyncExternalStore } from 'react';
import { beforeActingChanges, sentenceOf } from '../api.ts';
import { announce } from '../shell/announce.ts';
import { tell } from '../shell/ask.ts';
import { count } from '../words.ts';

/** How long deleted things can be had back. */
const GRACE_MS = 8000;
const AT_ONCE = 4;

export interface Deletion {
  /** What is deleted, in one and in many: `email`, `emails`. */
  one: string;
  many: string;
  ids: readonly string[];
  /** Deletes one at the service. */
  remove: (id: string) => Promise<unknown>;
  /** Asks for the list anew. */
  done: () => Promise<unknown>;
}

interface Entry {
  deletion: Deletion;
  /** Undefined: it is under way. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Stops it: what is not deleted yet stays, and nothing says any more that it will go. */
  stop: AbortController;
}

/** In order; each is waited for or under way. */
let pending: Entry[] = [];
let gone: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function changed(): void {
  gone = new Set(pending.flatMap(({ deletion }) => deletion.ids));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The ids that lists leave out. */
export function useGone(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => gone);
}

/** Some at a time; answers the first failure of each that failed. */
async function removeAll(entry: Entry): Promise<unknown[]> {
  const { ids, remove } = entry.deletion;
  const waiting = [...ids];
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined && !entry.stop.signal.aborted; id = waiting.shift())
      await remove(id).catch((error: unknown) => void failures.push(error));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

async function carryOut(entry: Entry): Promise<void> {
  entry.timer = undefined;
  const { deletion } = entry;
  const failures = await removeAll(entry);
  if (failures.length > 0)
    tell({
      color: 'red',
      title: `${count(failures.length, deletion.one, deletion.many)} not deleted`,
      message: sentenceOf(failures[0]),
    });
  await deletion.done();
  pending = pending.filter((other) => other !== entry);
  changed();
}

/** Takes back what was deleted last, while that is possible. False: nothing is. */
export function undoDelete(): boolean {
  const entry = pending.findLast(({ timer }) => timer !== undefined);
  if (!entry) return false;
  takeBack(entry);
  return true;
}

function takeBack(entry: Entry): void {
  if (entry.timer === undefined) return;
  clearTimeout(entry.timer);
  entry.stop.abort();
  pending = pending.filter((other) => other !== entry);
  changed();
  const { ids, one, many } = entry.deletion;
  announce(`${count(ids.length, one, many)} kept.`);
}

// What was meant for one account is never carried out in another, where a thing may have the same name.
beforeActingChanges(() => {
  for (const entry of pending) {
    entry.stop.abort();
    takeBack(entry);
  }
});

/** Takes things out of their list, and deletes them when nobody wanted them back. */
export function deleteLater(deletion: Deletion): void {
  const entry: Entry = { deletion, timer: undefined, stop: new AbortController() };
  entry.timer = setTimeout(() => void carryOut(entry), GRACE_MS);
  pending = [...pending, entry];
  changed();
  const { ids, one, many } = deletion;
  tell({
    message: `${count(ids.length, one, many)} will be deleted in ${GRACE_MS / 1000} seconds. Closing the page or switching the account before keeps everything.`,
    autoCloseMs: GRACE_MS,
    until: entry.stop.signal,
    action: { label: 'Undo', run: () => takeBack(entry) },
  });
  announce(`${count(ids.length, one, many)} will be deleted. Press z to undo.`);
}
