// What the sidebar looks like: whether it is shown, and which of its groups are open. The browser keeps it.
import { useSyncExternalStore } from 'react';
import type { SectionName } from '../routes.ts';

const PLACE = 'galley.navigation';

interface NavigationState {
  isHidden: boolean;
  /** As people left them; what they never touched is not in it. */
  open: Partial<Record<SectionName, boolean>>;
}

/** What was kept; anything else is as if nothing was. */
export function readNavigation(kept: string | null): NavigationState {
  try {
    const { isHidden, open } = JSON.parse(kept ?? '{}') as { isHidden?: unknown; open?: unknown };
    const groups = Object.entries(typeof open === 'object' && open !== null ? open : {});
    return {
      isHidden: isHidden === true,
      open: Object.fromEntries(groups.filter(([, isOpen]) => typeof isOpen === 'boolean')),
    };
  } catch {
    return { isHidden: false, open: {} };
  }
}

let state: NavigationState | undefined;
const listeners = new Set<() => void>();

function kept(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

const now = (): NavigationState => (state ??= readNavigation(kept()));

/** A browser that keeps nothing forgets it with the tab. */
export function changeNavigation(change: Partial<NavigationState>): void {
  state = { ...now(), ...change };
  try {
    localStorage.setItem(PLACE, JSON.stringify(state));
  } catch {
    // It holds until the page is loaded anew.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useNavigation(): NavigationState {
  return useSyncExternalStore(subscribe, now);
}

/** Open without anybody having said so: what is used every day, and where the reader is. */
const OPEN_AT_FIRST: ReadonlySet<SectionName> = new Set(['Proof', 'Send']);

export function isOpen({ open }: NavigationState, name: SectionName, current: SectionName): boolean {
  return open[name] ?? (OPEN_AT_FIRST.has(name) || name === current);
}
