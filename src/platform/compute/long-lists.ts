// Long lists go from process to process in parts: to take 50,000 records over at once holds up a thread.

/** So many items go at once. */
const PART_ITEMS = 500;
/** How deep in a value a list is looked for, and in objects of how many members. */
const DEPTH_MAX = 3;
const MEMBERS_MAX = 100;

type Path = readonly string[];

/** Some items of a list that goes in parts. */
export interface ListPart {
  /** The order that it is of. */
  partOf: number;
  /** Where the list stands in the value. */
  path: Path;
  items: readonly unknown[];
}

type LongList = Pick<ListPart, 'path' | 'items'>;

/** The value with its long lists empty. */
function emptied(value: unknown, path: Path, lists: LongList[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= PART_ITEMS) return value;
    lists.push({ path, items: value });
    return [];
  }
  if (path.length === DEPTH_MAX || typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value);
  if (members.length > MEMBERS_MAX) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, held] of members) {
    // As a step of a path it would lead to what all objects share.
    if (name === '__proto__') continue;
    const other = emptied(held, [...path, name], lists);
    if (other !== held) (copy ??= { ...value })[name] = other;
  }
  return copy ?? value;
}

/** The value with its long lists empty, and what fills them again. */
export function inParts(value: unknown, id: number): { value: unknown; parts: Iterable<ListPart> } {
  const lists: LongList[] = [];
  return { value: emptied(value, [], lists), parts: partsOf(lists, id) };
}

function* partsOf(lists: readonly LongList[], id: number): Generator<ListPart> {
  for (const { path, items } of lists)
    for (let from = 0; from < items.length; from += PART_ITEMS)
      yield { partOf: id, path, items: items.slice(from, from + PART_ITEMS) };
}

/** Parts that have come, of the value that comes after them. */
export class PartsTaken {
  #id = 0;
  #lists = new Map<string, { path: Path; items: unknown[] }>();

  take({ partOf, path, items }: ListPart): void {
    if (partOf !== this.#id) this.#lists.clear();
    this.#id = partOf;
    const key = JSON.stringify(path);
    const list = this.#lists.get(key) ?? { path, items: [] };
    this.#lists.set(key, list);
    for (const item of items) list.items.push(item);
  }

  /** The value with its lists, which are handed over. */
  filled(id: number, value: unknown): unknown {
    const lists = this.#id === id ? [...this.#lists.values()] : [];
    this.#lists.clear();
    let whole = value;
    for (const { path, items } of lists) {
      const name = path.at(-1);
      if (name === undefined) whole = items;
      else path.slice(0, -1).reduce((held, step) => held[step] as Holder, value as Holder)[name] = items;
    }
    return whole;
  }
}

type Holder = { [name: string]: unknown };
