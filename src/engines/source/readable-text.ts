// The text of a message, piece by piece: what readers see, and what is hidden in it for the inbox.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { LocatedMessage } from './read-message.ts';
import { readCss } from '../css/index.ts';

export interface TextRun {
  /** Entities undone, white space as written. */
  text: string;
  start: number;
  end: number;
  element: Tree.Element;
  /** By its own or an outer element's style, `hidden`, or a plain rule of a style sheet. */
  isHidden: boolean;
  /** Starts a line of its own: a block stands between this run and the one before. */
  startsBlock: boolean;
}

const unread = new Set([
  'style',
  'script',
  'title',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'select',
  'textarea',
  'head',
]);
const blocks = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'br',
  'center',
  'dd',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'ul',
]);

/** Every piece of text below the body, in order. Comments that only Word reads are left out. */
export function readableRuns(message: LocatedMessage): TextRun[] {
  const hiddenNames = hiddenByRules(message);
  const runs: TextRun[] = [];
  const known = new Map<Tree.Element, Sight>();
  const befores: Befores = new Map();
  let lastBlock: Tree.Node | undefined;
  for (const { value, start, end, parent, readers } of message.texts) {
    if (readers || !('tagName' in parent)) continue;
    const sight = sightOf(parent, known, hiddenNames);
    if (sight.isUnread) continue;
    const block = blockOf(parent);
    const isHidden = sight.isHidden || sight.isSizeless;
    runs.push({
      text: value,
      start,
      end,
      element: parent,
      isHidden,
      startsBlock: block !== lastBlock || followsBreak(parent, start, befores),
    });
    lastBlock = block;
  }
  return runs;
}

/** What becomes of text inside an element. */
interface Sight {
  /** It is no text of the message. */
  isUnread: boolean;
  isHidden: boolean;
  /** Its font has no size. Inner elements may give it one: columns are often made so. */
  isSizeless: boolean;
}

const SEEN: Sight = { isUnread: false, isHidden: false, isSizeless: false };

function sightOf(element: Tree.Element, known: Map<Tree.Element, Sight>, hiddenNames: ReadonlySet<string>): Sight {
  const path: Tree.Element[] = [];
  let sight = SEEN;
  for (let at: Tree.ParentNode | null = element; at && 'tagName' in at; at = at.parentNode) {
    const found = known.get(at);
    if (found) {
      sight = found;
      break;
    }
    path.push(at);
  }
  for (const step of path.reverse()) known.set(step, (sight = sightInside(step, sight, hiddenNames)));
  return sight;
}

function sightInside(element: Tree.Element, around: Sight, hiddenNames: ReadonlySet<string>): Sight {
  if (around.isUnread || unread.has(element.tagName)) return { ...around, isUnread: true };
  let { isHidden, isSizeless } = around;
  for (const { name, value } of element.attrs) {
    if (name === 'hidden') isHidden = true;
    else if (name === 'style') {
      isHidden ||= hidesByStyle(value);
      const size = /(?:^|[;\s])font(?:-size)?\s*:([^;]*)/i.exec(value)?.[1];
      if (size !== undefined) isSizeless = /^\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!important\s*)?$/i.test(size);
    } else if (name === 'id') isHidden ||= hiddenNames.has(`#${value}`);
    else if (name === 'class') {
      isHidden ||= hiddenNames.size > 0 && value.split(/\s+/).some((one) => hiddenNames.has(`.${one}`));
      // A rule may give the class a size: which one is not worked out here.
      if (around.isSizeless) isSizeless = false;
    }
  }
  return { isUnread: false, isHidden, isSizeless };
}

/** The ways in which preheaders are hidden. */
function hidesByStyle(style: string): boolean {
  const text = style.toLowerCase();
  if (
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:!important\s*)?(?:;|$))/.test(
      text,
    )
  )
    return true;
  return /(?:^|[;\s])max-height\s*:\s*0/.test(text) && /overflow\s*:\s*hidden/.test(text);
}

/** Classes and ids that a rule outside of media queries hides: `.preheader{display:none}`. */
function hiddenByRules(message: LocatedMessage): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { node, readers } of message.elements) {
    if (node.tagName !== 'style' || readers) continue;
    const [text] = node.childNodes;
    if (!text || !('value' in text) || !/display|visibility/i.test(text.value)) continue;
    let current: string[] = [];
    readCss(text.value, 'sheet', {
      rule: (prelude, { around }) => {
        current = around.length ? [] : plainNames(prelude.text);
      },
      declaration: ({ property, value }) => {
        const hides =
          (/^display$/i.test(property) && /^none$/i.test(value)) ||
          (/^visibility$/i.test(property) && /^hidden$/i.test(value));
        if (hides) for (const name of current) names.add(name);
      },
      atRule: () => {
        current = [];
      },
    });
  }
  return names;
}

/** `.a` and `#b` of a selector list, with or without an element name before them. */
function plainNames(prelude: string): string[] {
  return prelude.split(',').flatMap((selector) => /^\s*[a-z\d]*([.#][\w-]+)\s*$/i.exec(selector)?.[1] ?? []);
}

function blockOf(element: Tree.Element): Tree.Node {
  let at: Tree.Node = element;
  while ('tagName' in at && !blocks.has(at.tagName) && at.parentNode) at = at.parentNode;
  return at;
}

/** The node before each piece of text, by the text's offset; worked out once for each parent. */
type Befores = Map<Tree.Element, Map<number, Tree.Node>>;

function followsBreak(parent: Tree.Element, start: number, known: Befores): boolean {
  let befores = known.get(parent);
  if (!befores) {
    known.set(parent, (befores = new Map()));
    for (let i = 1; i < parent.childNodes.length; i++) {
      const place = parent.childNodes[i]!.sourceCodeLocation;
      if (place && parent.childNodes[i]!.nodeName === '#text')
        befores.set(place.startOffset, parent.childNodes[i - 1]!);
    }
  }
  const before = befores.get(start);
  return before !== undefined && 'tagName' in before && blocks.has(before.tagName);
}

/** Characters that show nothing: preheaders are padded with them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Runs as one line of text: single blanks, nothing invisible. */
export function lineOf(runs: readonly TextRun[]): string {
  return readableLine(runs.map(({ text, startsBlock }) => (startsBlock ? ` ${text}` : text)).join(''));
}

export function readableLine(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
}

/** Letters and digits in it. */
export function wordCharacters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
