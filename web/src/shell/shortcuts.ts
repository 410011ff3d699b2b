// Single-key shortcuts: pages say which they have, one listener runs them, the help lists them.
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** As `KeyboardEvent.key`; several for the same thing. */
  keys: string[];
  does: string;
  run: () => void;
}

interface Group {
  title: string;
  shortcuts: Shortcut[];
}

const OFF = 'galley.shortcuts-off';
let groups: Group[] = [];
const listeners = new Set<() => void>();

function changed(next: Group[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** People who speak to their computer set letters off by accident: they can be switched off (WCAG 2.1.4). */
export function areShortcutsOff(): boolean {
  return localStorage.getItem(OFF) === 'yes';
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'yes');
  changed([...groups]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [role=listbox], [role=menu], [role=slider]') !== null);
}

/** Escape closes a dialog before the key arrives here: whether there was one is asked first. */
let isForDialog = false;
globalThis.addEventListener('keydown', () => {
  isForDialog = document.querySelector('[role=dialog]') !== null;
}, true);

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForDialog || isTyping(event.target)) return;
  const isLetter = event.key.length === 1;
  if (isLetter && event.key !== '?' && areShortcutsOff()) return;
  for (const group of groups.toReversed()) {
    const shortcut = group.shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!shortcut) continue;
    event.preventDefault();
    shortcut.run();
    return;
  }
}

document.addEventListener('keydown', onKeyDown);

/** These keys work while the component is shown; the latest shown wins. */
export function useShortcuts(title: string, shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const signature = JSON.stringify(shortcuts.map(({ keys, does }) => [keys, does]));
  useEffect(() => {
    const group: Group = {
      title,
      shortcuts: latest.current.map(({ keys, does }, place) => ({ keys, does, run: () => latest.current[place]?.run() })),
    };
    changed([...groups, group]);
    return () => changed(groups.filter((candidate) => candidate !== group));
  }, [title, signature]);
}

export function useShortcutGroups(): Group[] {
  return useSyncExternalStore(subscribe, () => groups);
}
