// A list that features add to and others read: a lower feature declares it, each that has something for it adds it.

interface List<Item = unknown> {
  readonly name: string;
  /** For types only; never set. */
  readonly item?: (item: Item) => Item;
}

/** What a feature adds to a list. */
export interface Addition {
  list: { readonly name: string };
  items: readonly unknown[];
}

export interface Lists {
  /** What all features added, in the order of the features. */
  of<Item>(list: List<Item>): readonly Item[];
}

/** Declares a list; `name` is `<feature>.<what>`, such as `inspections.kinds`. */
export function defineList<Item>(name: string): List<Item> {
  return { name };
}

/** Adds to a list. */
export function addTo<Item>(list: List<Item>, ...items: Item[]): Addition {
  return { list, items };
}

/** The lists with all their entries; a list without entries is empty. */
export function openLists(additions: readonly Addition[]): Lists {
  const byName = Map.groupBy(additions, ({ list }) => list.name);
  return {
    of: <Item>({ name }: List<Item>): readonly Item[] =>
      (byName.get(name) ?? []).flatMap(({ items }) => items) as Item[],
  };
}
