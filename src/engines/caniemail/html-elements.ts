// HTML elements and attributes: what a client without the feature strips.
//
// A sanitizer that does not know an element takes its tags away and leaves what is inside; only what can't show
// anything without its element (embedded documents, drawings, form fields) goes whole.

import { attribute, attributeOn, removed, unwrapped, type FeatureRule, type RuleTable } from './rule.ts';

export const semanticElements = [
  'article',
  'aside',
  'details',
  'figcaption',
  'figure',
  'footer',
  'header',
  'main',
  'mark',
  'nav',
  'section',
  'summary',
  'time',
];

const input = (...types: string[]): FeatureRule[] => [
  {
    on: 'element',
    names: ['input'],
    when: (get) => types.includes((get('type') ?? 'text').trim().toLowerCase()),
    effect: 'remove',
  },
];

const button = (...types: string[]): FeatureRule[] => [
  {
    on: 'element',
    names: ['button'],
    when: (get) => types.includes((get('type') ?? 'submit').trim().toLowerCase()),
    effect: 'unwrap',
  },
];

const sourcesOf = (parent: string): FeatureRule => ({
  on: 'element',
  names: ['source', 'track'],
  when: (_get, name) => name === parent,
  effect: 'remove',
});

/** A link that leads nowhere still looks like a link. */
const deadLinks = (when: (url: string) => boolean): FeatureRule[] => [
  { on: 'attribute', names: ['href'], elements: { only: ['a', 'area'] }, when, effect: () => '#' },
];

export const elementRules: RuleTable = {
  'html-abbr': [unwrapped('abbr')],
  'html-acronym': [unwrapped('acronym')],
  'html-address': [unwrapped('address')],
  'html-audio': [unwrapped('audio'), sourcesOf('audio')],
  'html-base': [removed('base')],
  'html-bdi': [unwrapped('bdi')],
  'html-blockquote': [unwrapped('blockquote')],
  'html-body': [{ on: 'document', effect: 'drop-body' }],
  'html-button-reset': button('reset'),
  'html-button-submit': button('submit'),
  'html-code': [unwrapped('code')],
  'html-comments': [],
  'html-del': [unwrapped('del')],
  'html-dfn': [unwrapped('dfn')],
  'html-dialog': [unwrapped('dialog')],
  'html-div': [unwrapped('div')],
  'html-doctype': [{ on: 'document', effect: 'drop-doctype' }],
  'html-form': [unwrapped('form')],
  'html-h1-h6': [unwrapped('h1', 'h2', 'h3', 'h4', 'h5', 'h6')],
  'html-hr': [removed('hr')],
  'html-image-maps': [removed('map'), attributeOn('usemap', { only: ['img'] })],
  'html-img': [removed('img')],
  'html-input-checkbox': input('checkbox'),
  'html-input-hidden': input('hidden'),
  'html-input-radio': input('radio'),
  'html-input-reset': input('reset'),
  'html-input-submit': input('submit'),
  'html-input-text': input('text', 'email', 'search', 'tel', 'url', 'password', 'number'),
  'html-link': [removed('link')],
  'html-lists': [unwrapped('ul', 'ol', 'li', 'dl', 'dt', 'dd')],
  'html-marquee': [unwrapped('marquee')],
  'html-meta-color-scheme': [
    {
      on: 'element',
      names: ['meta'],
      when: (get) => /^\s*(?:supported-)?color-schemes?\s*$/i.test(get('name') ?? ''),
      effect: 'remove',
    },
  ],
  'html-meter': [unwrapped('meter')],
  'html-object': [unwrapped('object'), removed('param')],
  'html-p': [unwrapped('p')],
  'html-picture': [unwrapped('picture'), sourcesOf('picture')],
  'html-pre': [unwrapped('pre')],
  'html-progress': [unwrapped('progress')],
  'html-rp': [unwrapped('rp')],
  'html-rt': [unwrapped('rt', 'rtc')],
  'html-ruby': [unwrapped('ruby', 'rb')],
  'html-select': [unwrapped('select', 'option', 'optgroup')],
  'html-semantics': [unwrapped(...semanticElements)],
  'html-small': [unwrapped('small')],
  'html-span': [unwrapped('span')],
  'html-strike': [unwrapped('strike')],
  'html-strong': [unwrapped('strong')],
  'html-style': [{ on: 'style-element', where: 'everywhere' }],
  'html-svg': [removed('svg')],
  'html-table': [
    unwrapped('table', 'caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'),
    removed('col'),
  ],
  'html-textarea': [unwrapped('textarea')],
  'html-video': [unwrapped('video'), sourcesOf('video')],
  'html-wbr': [removed('wbr')],
};

export const attributeRules: RuleTable = {
  'css-inert-attribute': [attribute('inert')],
  'html-align': [attribute('align')],
  'html-anchor-links': deadLinks((url) => /^\s*#./.test(url)),
  'html-aria-describedby': [attribute('aria-describedby')],
  'html-aria-hidden': [attribute('aria-hidden')],
  'html-aria-label': [attribute('aria-label')],
  'html-aria-labelledby': [attribute('aria-labelledby')],
  'html-aria-live': [attribute('aria-live')],
  'html-background': [attribute('background')],
  'html-cellpadding': [attribute('cellpadding')],
  'html-cellspacing': [attribute('cellspacing')],
  'html-dir': [attribute('dir')],
  'html-height': [attribute('height')],
  'html-hidden': [attribute('hidden')],
  'html-lang': [attribute('lang')],
  'html-loading-attribute': [attribute('loading')],
  'html-mailto-links': deadLinks((url) => /^\s*mailto:/i.test(url)),
  'html-popover': [attribute('popover', 'popovertarget', 'popovertargetaction')],
  'html-required': [attribute('required')],
  'html-role': [attribute('role')],
  'html-srcset': [attributeOn(['srcset', 'sizes'], { only: ['img', 'source'] })],
  'html-target': [attributeOn('target', { only: ['a', 'area', 'form'] })],
  'html-valign': [attribute('valign')],
  'html-width': [attribute('width')],
};

/** Features that leave no trace in a message's HTML, or none that a still picture shows. */
export const traceless = new Set(['amp', 'bimi', 'image-apng']);
export const otherRules: RuleTable = { amp: [], bimi: [] };
