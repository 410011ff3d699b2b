// Rows of a list that are gone through, chosen and deleted together, by mouse and by keyboard.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useShortcuts } from '../shell/shortcuts.ts';
import { deleteLater, undoDelete, useGone, type Deletion } from './later-deletes.ts';

interface RowsOf<Item> {
  items: readonly Item[];
  idOf: (item: Item) => string;
  /** How they are deleted; undefined: whoever signed in may not, or nobody can. */
  deletion: (Pick<Deletion, 'one' | 'many' | 'remove'> & { queryKey: readonly unknown[] }) | undefined;
}

export interface Rows<Item> {
  /** Those that were not deleted a moment ago. */
  shown: readonly Item[];
  /** How many of the list were deleted a moment ago, and still count at the service. */
  hidden: number;
  /** Told of the element that holds the rows. */
  list: (element: HTMLElement | null) => void;
  chosen: ReadonlySet<string>;
  canChoose: boolean;
  choose: (id: string, isChosen: boolean) => void;
  /** All that are shown, or none. */
  chooseAll: (isChosen: boolean) => void;
  remove: (ids: readonly string[]) => void;
}

const LINK = 'li[data-row] a[href]';

/** The links of the rows, and where the focus is among them; -1: elsewhere. */
function places(list: HTMLElement | null): { links: HTMLElement[]; at: number; row: HTMLElement | undefined } {
  const rows = [...(list?.querySelectorAll<HTMLElement>('li[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  return { links: rows.flatMap((row) => row.querySelector<HTMLElement>(LINK) ?? []), at, row: rows[at] };
}

/** What the rows of a list do. A row is a list item with its id in `data-row`, and a link. */
export function useRows<Item>({ items, idOf, deletion }: RowsOf<Item>): Rows<Item> {
  const queries = useQueryClient();
  const gone = useGone();
  const held = useRef<HTMLElement>(null);
  const list = useCallback((element: HTMLElement | null) => void (held.current = element), []);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const shown = gone.size === 0 ? items : items.filter((item) => !gone.has(idOf(item)));
  const ids = shown.map(idOf);
  const chosen = new Set(ids.filter((id) => marked.has(id)));
  const choose = (id: string, isChosen: boolean): void => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setMarked(next);
  };
  const step = (by: 1 | -1) => (): void => {
    const { links, at } = places(held.current);
    const to = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
    links[Math.max(0, Math.min(to, links.length - 1))]?.focus();
  };
  const swap = (): void => {
    const id = places(held.current).row?.dataset['row'];
    if (id !== undefined) choose(id, !chosen.has(id));
  };
  useShortcuts({
    nextPlace: step(1),
    placeBefore: step(-1),
    ...(deletion && { swap, undo: () => void undoDelete() }),
  });
  const remove = (removed: readonly string[]): void => {
    if (!deletion || removed.length === 0) return;
    const { queryKey, ...how } = deletion;
    deleteLater({ ...how, ids: removed, done: () => queries.invalidateQueries({ queryKey }) });
    setMarked(new Set());
  };
  return {
    shown,
    hidden: items.length - shown.length,
    list,
    chosen,
    canChoose: deletion !== undefined,
    choose,
    chooseAll: (isChosen) => setMarked(new Set(isChosen ? ids : [])),
    remove,
  };
}
