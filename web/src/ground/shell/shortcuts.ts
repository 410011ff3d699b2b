// Single-key shortcuts: pages define what each does there, one listener runs them, the help lists the active ones.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { KEYS, keysOf, MEANINGS, type Meaning } from './shortcut-table.ts';

/** What a page does for each meaning that it knows. */
type Deeds = Partial<Record<Meaning, () => void>>;

/** A key that opens a page from everywhere. */
interface PageKey {
  key: string;
  /** The page's title. */
  does: string;
  open: () => void;
}

const OFF = 'galley.shortcuts-off';
let shown: Deeds[] = [];
let pageKeys: readonly PageKey[] = [];
const listeners = new Set<() => void>();

function changed(next: Deeds[]): void {
  shown = next;
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
  changed([...shown]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input:not([type=checkbox], [type=radio]), textarea, select, [role=listbox], [role=menu], [role=slider]',
      ) !== null)
  );
}

/** Escape closes a dialog before the key arrives here: whether there was one is asked first. */
let isForDialog = false;
globalThis.addEventListener(
  'keydown',
  () => {
    isForDialog = document.querySelector('[role=dialog]') !== null;
  },
  true,
);

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || isForDialog) return;
  const isWithMod = event.ctrlKey || event.metaKey;
  if (!isWithMod && isTyping(event.target)) return;
  const key = isWithMod ? `Mod+${event.key.toLowerCase()}` : event.key;
  const isLetter = key.length === 1;
  if (isLetter && key !== '?' && areShortcutsOff()) return;
  const meaning = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  const run = meaning
    ? shown.findLast((deeds) => deeds[meaning])?.[meaning]
    : pageKeys.find((page) => page.key === key)?.open;
  if (!run) return;
  event.preventDefault();
  run();
}

document.addEventListener('keydown', onKeyDown);

/** These work while the component is shown; of two that know a meaning, the one shown last is asked. */
export function useShortcuts(deeds: Deeds): void {
  const latest = useRef(deeds);
  useEffect(() => {
    latest.current = deeds;
  });
  const signature = Object.keys(deeds).join();
  useEffect(() => {
    const own: Deeds = Object.fromEntries(
      (Object.keys(latest.current) as Meaning[]).map((meaning) => [meaning, () => latest.current[meaning]?.()]),
    );
    changed([...shown, own]);
    return () => changed(shown.filter((candidate) => candidate !== own));
  }, [signature]);
}

/** These open pages while the component is shown. */
export function usePageKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    pageKeys = keys;
    changed([...shown]);
    return () => {
      pageKeys = [];
    };
  }, [keys]);
}

interface Shortcut {
  does: string;
  keys: readonly string[];
}

/** What works now, by its group: the table's meanings in their order, behind the first of them the pages. */
export function useShortcutGroups(): Map<string, Shortcut[]> {
  const now = useSyncExternalStore(subscribe, () => shown);
  const known = (Object.keys(MEANINGS) as Meaning[]).filter((meaning) => now.some((deeds) => deeds[meaning]));
  const groups = Map.groupBy(known, (meaning) => MEANINGS[meaning].group as string);
  const shortcuts = [...groups].map(([group, meanings]): [string, Shortcut[]] => [
    group,
    meanings.map((meaning) => ({ does: MEANINGS[meaning].does, keys: keysOf(meaning) })),
  ]);
  shortcuts[0]?.[1].splice(1, 0, ...pageKeys.map(({ key, does }) => ({ does, keys: [key] })));
  return new Map(shortcuts);
}
