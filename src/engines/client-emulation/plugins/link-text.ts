// Clients make links of what looks like a web address, an email address, a phone number, a date or a street address.

import {
  append,
  createElement,
  createText,
  isElement,
  replaceNode,
  type Element,
  type Node,
  type WorkingDocument,
} from '../working-document.ts';

export type TextKind = 'url' | 'email' | 'domain' | 'phone' | 'date' | 'address';

interface LinkOptions {
  kinds: readonly TextKind[];
  /** Attributes of the link besides its target. */
  attributes(kind: TextKind): Record<string, string>;
}

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|' +
  'Nov(?:ember)?|Dec(?:ember)?)';
const WEEKDAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\\.?,? )?';
const TIME = '(?:,? (?:at )?\\d{1,2}(?::\\d{2})? ?(?:am|pm|AM|PM)\\b)?';
const STREET =
  '(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|' +
  'Highway|Hwy|Parkway|Pkwy)';

/** Every quantifier is bounded: text is the sender's. */
const patterns: Record<TextKind, RegExp> = {
  url: /\b(?:https?:\/\/|www\.)[^\s<>"'()[\]{}]{2,2000}/gi,
  email: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g,
  // Endings that people write; a list of all would make links of abbreviations.
  domain:
    /(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}(?:com|org|net|edu|gov|info|biz|io|co|app|dev|shop|de|fr|uk|us|eu|at|ch|nl|be|it|es|pl|se|no|dk|fi|pt|cz|ru|ca|au|jp|cn|in|br|mx)(?![\w-])(?:\/[^\s<>"'()[\]{}]{0,2000})?/gi,
  phone: /(?<![\w+.,/:-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){0,5}(?![\w/:%€$£-]|[.,]\d)/g,
  date: new RegExp(
    `\\b${WEEKDAY}(?:${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?\\.? ` +
      `(?:of )?${MONTH}(?:,? \\d{4})?|\\d{1,2}[/.]\\d{1,2}[/.](?:\\d{4}|\\d{2})|\\d{4}-\\d{2}-\\d{2})\\b${TIME}`,
    'g',
  ),
  address: new RegExp(
    `\\b\\d{1,6} (?:[A-Z][\\w'.-]{0,30} ){1,5}${STREET}\\b\\.?(?:,? (?:Suite|Ste|Unit|Apt|Floor|#)\\.? ` +
      "?\\w{1,6})?(?:,? [A-Z][\\w'.-]{1,30}(?: [A-Z][\\w'.-]{1,30}){0,2})?(?:,? [A-Z]{2} \\d{5}(?:-\\d{4})?)?",
    'g',
  ),
};

/** Links in one run of text. */
const LINKS_MAX = 500;

/** Earlier kinds win where two claim the same text. */
const order: readonly TextKind[] = ['url', 'email', 'domain', 'address', 'date', 'phone'];

const closed = new Set([
  'a',
  'style',
  'script',
  'title',
  'textarea',
  'button',
  'select',
  'option',
  'svg',
  'math',
  'template',
  'noscript',
]);

/** Wraps found texts in links, in place. Text that already is in a link, or isn't shown, is left alone. */
export function linkText(doc: WorkingDocument, options: LinkOptions): void {
  const texts: (Node & { value: string })[] = [];
  const stack: Node[] = [...doc.body.childNodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) texts.push(node);
    else if (isElement(node) && !closed.has(node.tagName)) for (const child of node.childNodes) stack.push(child);
  }
  for (const text of texts) {
    if (!/\d|@|\.\w|https?:/i.test(text.value)) continue;
    const found = findIn(text.value, options.kinds);
    if (found.length > 0) replaceNode(text, ...linked(text.value, found, options));
  }
}

interface Found {
  kind: TextKind;
  start: number;
  text: string;
}

function findIn(value: string, kinds: readonly TextKind[]): Found[] {
  const found: Found[] = [];
  for (const kind of order) {
    if (!kinds.includes(kind)) continue;
    for (const match of value.matchAll(patterns[kind])) {
      const text = match[0].replace(/[.,;:!?]+$/, '');
      const start = match.index;
      if (found.length >= LINKS_MAX) break;
      if (kind === 'phone' && !isPhone(text)) continue;
      if (!found.some((other) => start < other.start + other.text.length && other.start < start + text.length))
        found.push({ kind, start, text });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return digits.length >= 7 && digits.length <= 15 && (/^[+(]|[ .-]/.test(text) || digits.length >= 10);
}

function linked(value: string, found: readonly Found[], { attributes }: LinkOptions): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const { kind, start, text } of found) {
    if (start > at) nodes.push(createText(value.slice(at, start)));
    const link: Element = createElement('a', { href: targetOf(kind, text), ...attributes(kind) });
    append(link, createText(text));
    nodes.push(link);
    at = start + text.length;
  }
  if (at < value.length) nodes.push(createText(value.slice(at)));
  return nodes;
}

function targetOf(kind: TextKind, text: string): string {
  switch (kind) {
    case 'url':
    case 'domain':
      return /^https?:/i.test(text) ? text : `http://${text}`;
    case 'email':
      return `mailto:${text}`;
    case 'phone':
      return `tel:${text.replace(/[^\d+]/g, '')}`;
    default:
      return `x-apple-data-detectors://${kind}`;
  }
}
