// What browsers do without being told (HTML Standard, section 15): default styles by element, and presentational
// attributes.

import { formatColor, parseLegacyColor } from '../color/index.ts';
import type { MailElement } from './read-mail.ts';
import type { Longhand } from './style-values.ts';

const DISPLAY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'html',
      'body',
      'div',
      'p',
      'center',
      'blockquote',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'ul',
      'ol',
      'dl',
      'dd',
      'dt',
      'pre',
      'hr',
      'form',
      'fieldset',
      'address',
      'article',
      'aside',
      'header',
      'footer',
      'main',
      'nav',
      'section',
      'figure',
      'figcaption',
      'details',
      'summary',
      'marquee',
    ].map((tag) => [tag, 'block']),
  ),
  li: 'list-item',
  table: 'table',
  tr: 'table-row',
  td: 'table-cell',
  th: 'table-cell',
  tbody: 'table-row-group',
  thead: 'table-row-group',
  tfoot: 'table-row-group',
  caption: 'table-caption',
  button: 'inline-block',
  input: 'inline-block',
  select: 'inline-block',
  textarea: 'inline-block',
  ...Object.fromEntries(
    [
      'head',
      'style',
      'script',
      'title',
      'meta',
      'link',
      'base',
      'template',
      'noframes',
      'noembed',
      'datalist',
      'param',
      'area',
    ].map((tag) => [tag, 'none']),
  ),
};

const HEADING_EM = ['2em', '1.5em', '1.17em', '1em', '0.83em', '0.67em'];

const STYLES: Readonly<Record<string, readonly Longhand[]>> = {
  ...Object.fromEntries(
    HEADING_EM.map((size, index) => [
      `h${index + 1}`,
      [
        ['font-size', size],
        ['font-weight', 'bold'],
      ] as Longhand[],
    ]),
  ),
  b: [['font-weight', 'bolder']],
  strong: [['font-weight', 'bolder']],
  th: [
    ['font-weight', 'bold'],
    ['text-align', 'center'],
  ],
  small: [['font-size', 'smaller']],
  big: [['font-size', 'larger']],
  sub: [['font-size', 'smaller']],
  sup: [['font-size', 'smaller']],
  pre: [['font-size', '13px']],
  code: [['font-size', '13px']],
  tt: [['font-size', '13px']],
  kbd: [['font-size', '13px']],
  samp: [['font-size', '13px']],
  u: [['text-decoration', 'underline']],
  ins: [['text-decoration', 'underline']],
  center: [['text-align', 'center']],
  caption: [['text-align', 'center']],
  mark: [
    ['background-color', '#ffff00'],
    ['color', '#000000'],
  ],
};

/** Default styles of an element. */
export function* browserStyle({ tag, node }: MailElement): Generator<Longhand> {
  yield ['display', DISPLAY[tag] ?? 'inline'];
  yield* STYLES[tag] ?? [];
  if ((tag === 'a' || tag === 'area') && node.attrs.some(({ name }) => name === 'href')) {
    yield ['color', '#0000ee'];
    yield ['text-decoration', 'underline'];
  }
}

const FONT_SIZES = ['x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large'];
const ALIGNED = new Set([
  'div',
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'td',
  'th',
  'tr',
  'tbody',
  'thead',
  'tfoot',
  'col',
  'caption',
]);

/** What attributes such as `bgcolor` say about style. */
export function* hintsOf({ tag, node, parent }: MailElement): Generator<Longhand> {
  for (const { name, value } of node.attrs) {
    if (name === 'bgcolor' || (name === 'text' && tag === 'body') || (name === 'color' && tag === 'font')) {
      const color = parseLegacyColor(value);
      if (color) yield [name === 'bgcolor' ? 'background-color' : 'color', formatColor(color)];
    } else if (name === 'background' && value.trim() !== '')
      yield ['background-image', `url(${value.trim().slice(0, 1_000)})`];
    else if (name === 'align' && ALIGNED.has(tag)) yield ['text-align', value.trim().toLowerCase()];
    else if (name === 'size' && tag === 'font') yield* fontSize(value);
    else if ((name === 'width' || name === 'height') && /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(value))
      yield [name, `${parseFloat(value)}px`];
  }
  const link = tag === 'a' ? linkColor(parent) : undefined;
  if (link && node.attrs.some(({ name }) => name === 'href')) yield ['color', link];
}

function* fontSize(value: string): Generator<Longhand> {
  const match = /^\s*([+-]?)(\d+)/.exec(value);
  if (!match) return;
  const amount = Number(match[2]);
  const size = match[1] === '+' ? 3 + amount : match[1] === '-' ? 3 - amount : amount;
  yield ['font-size', FONT_SIZES[Math.min(7, Math.max(1, size)) - 1]!];
}

const linkColors = new WeakMap<MailElement, string | undefined>();

/** `link` of the body around. */
function linkColor(parent: MailElement | undefined): string | undefined {
  if (!parent) return undefined;
  if (linkColors.has(parent)) return linkColors.get(parent);
  let at: MailElement | undefined = parent;
  while (at && at.tag !== 'body') at = at.parent;
  const color = parseLegacyColor(at?.node.attrs.find(({ name }) => name === 'link')?.value ?? '');
  const found = color && formatColor(color);
  linkColors.set(parent, found);
  return found;
}
