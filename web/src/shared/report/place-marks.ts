// Where findings stand: in the source as characters, in the drawn message as elements.
import type { Place } from './report-api.ts';

/** The attribute that says which findings an element has, by their numbers. */
export const MARK = 'data-galley-at';

/** Characters from the start of each line. */
export function lineStarts(source: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of source.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}

/** The offset at which a place begins, in characters; undefined when the place has none. */
export function offsetOf({ offset, line, column }: Place, starts: readonly number[]): number | undefined {
  if (offset !== undefined) return offset;
  const start = line === undefined ? undefined : starts[line - 1];
  return start === undefined ? undefined : start + Math.max(0, (column ?? 1) - 1);
}

const TAG_SEARCH_MAX = 20_000;

/** The offset of the start tag that begins at a character or contains it. */
function tagAround(source: string, at: number): number | undefined {
  for (
    let open = source.lastIndexOf('<', at);
    open >= 0 && at - open < TAG_SEARCH_MAX;
    open = source.lastIndexOf('<', open - 1)
  ) {
    if (!/[a-z]/i.test(source[open + 1] ?? '')) return undefined;
    // A tag that is closed before the place does not hold it; quoted values may have a > of their own.
    const before = source.slice(open, at).replaceAll(/"[^"]*"|'[^']*'/g, '');
    return before.includes('>') ? undefined : open;
  }
  return undefined;
}

/** The source with the numbers of findings in the start tags that they are about. */
export function markSource(source: string, places: readonly (Place | undefined)[]): string {
  const starts = lineStarts(source);
  const numbers = new Map<number, number[]>();
  places.forEach((place, number) => {
    const at = place && offsetOf(place, starts);
    const tag = at === undefined ? undefined : tagAround(source, at);
    if (tag !== undefined) numbers.set(tag, [...(numbers.get(tag) ?? []), number]);
  });
  let marked = '';
  let done = 0;
  for (const [tag, found] of [...numbers].sort(([a], [b]) => a - b)) {
    const name = /^<[a-z][^\s/>]*/i.exec(source.slice(tag, tag + 100))?.[0] ?? '<';
    const end = tag + name.length;
    marked += `${source.slice(done, end)} ${MARK}="${found.join(' ')}"`;
    done = end;
  }
  return marked + source.slice(done);
}

const LENGTH_MAX = 600;
/** An attribute with its value, a declaration, or a word. */
const TOKEN = /^(?:[\w:@.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)|[\w-]+\s*:\s*[^;}"'\n]*|[^\s;"'>]+)/;

/** How many characters of the source a place is about. */
export function lengthOf(source: string, at: number, { snippet }: Place): number {
  const whole = snippet?.replace(/…$/, '');
  if (whole && source.startsWith(whole, at))
    return whole.length === snippet?.length ? whole.length : (tagLength(source, at) ?? whole.length);
  return tagLength(source, at) ?? Math.max(1, TOKEN.exec(source.slice(at, at + LENGTH_MAX))?.[0].length ?? 1);
}

function tagLength(source: string, at: number): number | undefined {
  if (source[at] !== '<') return undefined;
  const end = source.indexOf('>', at);
  return end < 0 ? undefined : Math.min(end + 1 - at, LENGTH_MAX);
}
