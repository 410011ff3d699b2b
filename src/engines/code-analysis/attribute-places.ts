// Maps the characters of an attribute's value to the source, where entities are longer than in the value.

import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';

export interface AttributePlace {
  /** Offset of the attribute's name. */
  start: number;
  end: number;
  /** The source offset of a character of the value. */
  offsetOf(at: number): number;
}

/** What is longer in the source than in the value: entities, and line breaks of two characters. */
const LONGER = /&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,32});?|\r\n/gi;
const VALUE = /^[^\s=>/]*\s*=\s*["']?/;

/**
 * @param source the attribute as written, from its name to the end of its value.
 * @param start offset of the name.
 * @param value the attribute's value, entities undone.
 */
export function attributePlace(source: string, start: number, value: string): AttributePlace {
  const from = VALUE.exec(source)?.[0].length ?? source.length;
  const end = start + source.length;
  if (source.startsWith(value, from)) return { start, end, offsetOf: (at) => Math.min(start + from + at, end) };
  let jumps: Jump[] | undefined;
  return {
    start,
    end,
    offsetOf: (at) => Math.min(start + from + at + shiftAt((jumps ??= jumpsOf(source, from)), at), end),
  };
}

/** By how much the source is longer than the value, from a position in the value on. */
interface Jump {
  at: number;
  shift: number;
}

function shiftAt(jumps: readonly Jump[], at: number): number {
  let low = 0;
  let high = jumps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (jumps[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return jumps[low - 1]?.shift ?? 0;
}

function jumpsOf(source: string, from: number): Jump[] {
  const jumps: Jump[] = [];
  let shift = 0;
  for (const match of source.slice(from).matchAll(LONGER)) {
    const [text] = match;
    const next = source[from + match.index + text.length] ?? '';
    const length = text === '\r\n' ? 1 : decodedLength(text, /[\w=]/.test(next) ? next : '');
    if (length === text.length) continue;
    const at = match.index - shift + length;
    shift += text.length - length;
    jumps.push({ at, shift });
  }
  return jumps;
}

const lengths = new Map<string, number>();
const LENGTHS_MAX = 2000;

/** How long an entity is as a character; in an attribute it depends on the character behind it. */
function decodedLength(entity: string, next: string): number {
  const key = entity + next;
  let length = lengths.get(key);
  if (length === undefined) {
    if (lengths.size >= LENGTHS_MAX) lengths.clear();
    const [element] = parseFragment(`<a t="${key}">`).childNodes;
    const value = (element as Tree.Element).attrs[0]?.value ?? '';
    lengths.set(key, (length = value.length - next.length));
  }
  return length;
}
