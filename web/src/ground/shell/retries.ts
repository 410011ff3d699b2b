// What failed and may work later is tried again: by itself, ever more rarely, at once when the network is back, and
// when asked.
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isPassing, retryAfterOf } from '../api.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Something of a page that did not work and may. */
interface Failed {
  error: unknown;
  retry: () => Promise<unknown>;
}

interface Trouble {
  error: unknown;
  /** When it is tried again; undefined while it is being tried. */
  nextAt: number | undefined;
}

const pages = new Set<Failed>();
const listeners = new Set<() => void>();
let queries: QueryClient | undefined;
let trouble: Trouble | null = null;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function say(next: Trouble | null): void {
  trouble = next;
  for (const listener of listeners) listener();
}

function failedNow(): Failed[] {
  const asked =
    queries
      ?.getQueryCache()
      .findAll({ type: 'active', predicate: ({ state }) => state.status === 'error' && isPassing(state.error) }) ?? [];
  return [...asked.map((query) => ({ error: query.state.error, retry: () => query.fetch() })), ...pages];
}

/** Doubles from a second to a minute; not earlier than the service asks for. */
function waitMs(error: unknown): number {
  return Math.max(Math.min(FIRST_MS * 2 ** tries, LONGEST_MS), (retryAfterOf(error) ?? 0) * 1000);
}

function look(): void {
  const [first] = failedNow();
  if (!first) {
    clearTimeout(timer);
    timer = undefined;
    tries = 0;
    if (trouble) say(null);
  } else if (trouble === null || (trouble.nextAt === undefined && timer === undefined)) {
    const wait = waitMs(first.error);
    timer = setTimeout(() => void tryNow(), wait);
    say({ error: first.error, nextAt: Date.now() + wait });
  }
}

/** Tries everything that failed once more, now. */
export async function tryNow(): Promise<void> {
  if (!trouble || trouble.nextAt === undefined) return;
  clearTimeout(timer);
  tries++;
  say({ ...trouble, nextAt: undefined });
  // A query that fails again has that in its own state, which is read next.
  await Promise.allSettled(failedNow().map(({ retry }) => retry()));
  timer = undefined;
  look();
}

/** Watches everything that is asked for. */
export function retryFailures(client: QueryClient): void {
  queries = client;
  let isLooking = false;
  client.getQueryCache().subscribe(() => {
    if (isLooking) return;
    isLooking = true;
    // After what is told of here, so that what it changes is seen whole.
    setTimeout(() => ((isLooking = false), look()), 0);
  });
  globalThis.addEventListener('online', () => void tryNow());
}

/** Has something tried again that is no query. Returns what ends that. */
export function alsoRetry(failed: Failed): () => void {
  pages.add(failed);
  look();
  return () => {
    pages.delete(failed);
    setTimeout(look, 0);
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTrouble(): Trouble | null {
  return useSyncExternalStore(subscribe, () => trouble);
}
