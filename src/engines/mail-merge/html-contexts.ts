// Where in HTML a value will stand: that decides what it may not say as it is.

/**
 * `text`: between tags, in comments, in a quoted attribute, or a whole address. `bare`: in a tag without quotes around.
 * `path`, `query`: inside an address, before and after its `?` or `#`.
 */
export type HtmlContext = 'text' | 'bare' | 'path' | 'query';

const ADDRESSES = new Set(['href', 'src', 'action', 'background', 'poster', 'cite', 'formaction', 'xlink:href']);
const RAW = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes)$/i;
const CONDITION = /<!--\[if[^\]]{0,200}\]>/gy;
const TAG = /<\/?([a-z][^\s/>]{0,100})/giy;
const NAME = /[\s/]*([^\s/>][^\s/>=]*)/gy;
const EQUALS = /\s*=\s*/gy;
const UNQUOTED = /[^\s>]*/gy;

/**
 * The context of each place (an index into the text, ascending). One pass: linear for every input. What stands in
 * conditional comments is read as the clients do that they are for.
 */
export function htmlContexts(html: string, places: readonly number[]): HtmlContext[] {
  const walk: Walk = { html, places, contexts: places.map((): HtmlContext => 'text'), at: 0 };
  if (places.length === 0) return [];
  while (walk.at < html.length) {
    const open = html.indexOf('<', walk.at);
    if (open < 0) break;
    walk.at = open;
    const condition = match(CONDITION, walk);
    if (condition) walk.at += condition[0].length;
    else if (html.startsWith('<!--', open)) walk.at = after(html, '-->', open + 2);
    else if (html.startsWith('<!', open) || html.startsWith('<?', open)) walk.at = after(html, '>', open);
    else readTag(walk);
  }
  return walk.contexts;
}

interface Walk {
  html: string;
  places: readonly number[];
  contexts: HtmlContext[];
  at: number;
}

function match(pattern: RegExp, { html, at }: Walk): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(html);
}

function after(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

function readTag(walk: Walk): void {
  const { html, at: open } = walk;
  const tag = match(TAG, walk);
  if (!tag) {
    walk.at = open + 1;
    return;
  }
  walk.at += tag[0].length;
  const name = tag[1] as string;
  const values: { from: number; to: number; isAddress: boolean }[] = [];
  for (let field = match(NAME, walk); field; field = match(NAME, walk)) {
    walk.at += field[0].length;
    const equals = match(EQUALS, walk);
    if (!equals) continue;
    walk.at += equals[0].length;
    const quote = html[walk.at];
    if (quote !== '"' && quote !== "'") {
      walk.at += (match(UNQUOTED, walk) as RegExpExecArray)[0].length;
      continue;
    }
    const from = walk.at + 1;
    walk.at = after(html, quote, from);
    values.push({ from, to: walk.at, isAddress: ADDRESSES.has((field[1] as string).toLowerCase()) });
  }
  walk.at = after(html, '>', walk.at);
  note(walk, { open, values });
  if (RAW.test(name) && html[open + 1] !== '/') {
    const end = new RegExp(`</${name}`, 'gi');
    end.lastIndex = walk.at;
    walk.at = end.exec(html)?.index ?? html.length;
  }
}

/** Places inside the tag that was read last. */
function note(
  { html, places, contexts, at }: Walk,
  { open, values }: { open: number; values: { from: number; to: number; isAddress: boolean }[] },
): void {
  let next = 0;
  for (let index = firstFrom(places, open); index < places.length && (places[index] as number) < at; index++) {
    const place = places[index] as number;
    while (next < values.length && (values[next] as { to: number }).to <= place) next++;
    const value = values[next];
    if (!value || place < value.from) contexts[index] = 'bare';
    else if (value.isAddress) contexts[index] = addressContext(html, value.from, place);
  }
}

function firstFrom(places: readonly number[], open: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < open) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** More of an address is not looked at for its question mark. */
const ADDRESS_LENGTH_MAX = 4000;

function addressContext(html: string, from: number, place: number): HtmlContext {
  const before = html.slice(Math.max(from, place - ADDRESS_LENGTH_MAX), place);
  if (before.trim() === '') return 'text';
  return /[?#]/.test(before) ? 'query' : 'path';
}
