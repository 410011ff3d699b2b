// What the notes of HTML elements, attributes and image formats mean.

import { semanticElements } from './html-elements.ts';
import { imageFormatsOf } from './image-formats.ts';
import { instead, kept, reasons, rules, undecided, type NoteReading, type NoteTable } from './note-reading.ts';
import { attributeOn, removed, renamed, unwrapped, type FeatureRule } from './rule.ts';

const still = kept(reasons.static);
const noField = (name: string) => instead(renamed(name));

const inputTypes = (...types: string[]): NoteReading =>
  instead({
    on: 'element',
    names: ['input'],
    when: (get) => types.includes((get('type') ?? 'text').toLowerCase()),
    effect: { rename: 'noinput' },
  });

/** Takes `cc` and `bcc` out of a `mailto:` link. */
const mailtoWithout = (...fields: string[]) =>
  rules({
    on: 'attribute',
    names: ['href'],
    elements: { only: ['a', 'area'] },
    when: (url) => /^\s*mailto:/i.test(url),
    effect: (url) => {
      const [address, query] = url.split('?', 2);
      const left = (query ?? '')
        .split('&')
        .filter((pair) => pair && !fields.includes(pair.split('=', 1)[0]!.toLowerCase()));
      return left.length ? `${address}?${left.join('&')}` : address!;
    },
  });

const blankTarget: FeatureRule[] = [
  { on: 'forced-attribute', elements: ['a', 'area'], name: 'target', value: '_blank' },
];
const onlySemantic = (...supported: string[]) =>
  rules(unwrapped(...semanticElements.filter((name) => !supported.includes(name))));
const objectOf = (type: RegExp) =>
  rules({
    on: 'element',
    names: ['object'],
    effect: 'unwrap',
    when: (get) => type.test(get('type') ?? '') || type.test((get('data') ?? '').split(/[?#]/, 1)[0]!),
  });

export const htmlNotes: NoteTable = {
  'html-acronym': { 1: instead(attributeOn('title', { only: ['acronym'] })) },
  'html-align': {
    1: rules(attributeOn('align', { only: ['img'] }, (value) => /^\s*(?:left|right)\s*$/i.test(value))),
    2: rules(attributeOn('align', { only: ['img'] })),
    3: rules(attributeOn('align', { only: ['table'] }, (value) => /^\s*(?:left|right)\s*$/i.test(value))),
  },
  'html-anchor-links': { 1: still, 7: still },
  'html-aria-live': { 2: still },
  'html-audio': {
    2: instead({ on: 'attribute', names: ['src'], elements: { only: ['audio'] }, effect: { rename: 'proton-src' } }),
    3: instead(),
    4: instead(),
    5: instead(removed('audio')),
    6: instead({ on: 'attribute', names: ['src'], elements: { only: ['audio'] }, effect: { rename: 'data-src' } }),
  },
  'html-background': { 2: rules(attributeOn('background', { except: ['body'] })) },
  'html-base': { 1: instead({ on: 'document', effect: 'resolve-base' }), 2: still, 3: still, 4: still },
  'html-blockquote': { 1: undecided(reasons.plugin) },
  'html-body': { 1: rules({ on: 'document', effect: 'body-to-div' }) },
  'html-button-reset': { 2: still, 3: still },
  'html-button-submit': { 2: still },
  'html-dfn': { 1: rules(attributeOn('title', { only: ['dfn'] })) },
  'html-dir': {
    1: undecided(reasons.style),
    2: rules(attributeOn('dir', { only: ['table', 'td'] })),
    3: undecided(reasons.plugin),
    4: undecided(reasons.plugin),
  },
  'html-doctype': {
    1: { kind: 'account', supported: (account) => account !== 'microsoft', instead: true },
    3: undecided('depends on the Internet Explorer that was installed'),
  },
  'html-form': {
    1: still,
    2: still,
    3: still,
    4: noField('form'),
    5: instead(removed('form')),
    6: { kind: 'rules', rules: [], instead: true },
  },
  'html-height': { 1: undecided(reasons.plugin), 2: undecided(reasons.plugin) },
  'html-hidden': { 1: rules({ on: 'attribute', names: ['hidden'], when: (value) => value === '' }) },
  'html-input-checkbox': { 1: inputTypes('checkbox'), 2: still },
  'html-input-hidden': { 1: inputTypes('hidden'), 2: still },
  'html-input-radio': { 1: inputTypes('radio'), 2: still },
  'html-input-reset': { 2: inputTypes('reset'), 3: still },
  'html-input-submit': { 2: inputTypes('submit') },
  'html-input-text': { 4: inputTypes('text'), 5: still },
  'html-lang': { 1: rules(attributeOn('lang', { only: ['td'] })) },
  'html-lists': { 1: rules(attributeOn('reversed', { only: ['ol'] })), 2: undecided(reasons.plugin) },
  'html-loading-attribute': { 3: still },
  'html-mailto-links': { 1: mailtoWithout('cc', 'bcc'), 3: mailtoWithout('bcc') },
  'html-marquee': {
    1: still,
    2: rules(attributeOn('behavior', { only: ['marquee'] })),
    3: rules(attributeOn(['behavior', 'direction'], { only: ['marquee'] })),
  },
  'html-object': {
    1: objectOf(/^video\/|\.(?:mp4|m4v|webm|mov|ogv)$/i),
    2: objectOf(/^application\/pdf|\.pdf$/i),
    3: noField('object'),
    4: instead(removed('object')),
  },
  'html-picture': { 2: undecided('stripped in some messages only; what decides is not known') },
  'html-required': { 2: still },
  'html-role': { 2: rules(attributeOn('role', { except: ['table'] })) },
  'html-select': { 1: still, 2: noField('select'), 3: still },
  'html-semantics': {
    1: onlySemantic('time'),
    2: rules(unwrapped('details', 'main', 'nav', 'summary')),
    3: rules(unwrapped('article')),
    4: kept('says how the tags go, not which'),
    5: rules(unwrapped('article', 'aside', 'header', 'main', 'nav', 'section', 'summary')),
  },
  'html-style': {
    1: rules({ on: 'style-element', where: 'body' }),
    3: undecided(reasons.heads),
    4: rules({ on: 'style-element', where: 'after-content' }),
    5: rules({ on: 'style-rule', when: 'after-comment' }),
    6: undecided(reasons.limit),
  },
  'html-svg': { 1: undecided('depends on whether the body has a background') },
  'html-target': { 1: instead(blankTarget), 3: still },
  'html-textarea': { 3: kept(reasons.static), 4: noField('textarea'), 5: still },
  'html-valign': { 1: undecided(reasons.style) },
  'html-video': {
    1: instead(),
    5: still,
    6: still,
    7: instead(),
    8: instead(),
    9: instead(removed('video')),
    10: instead({ on: 'attribute', names: ['src'], elements: { only: ['video'] }, effect: { rename: 'data-src' } }),
  },
  'html-width': { 1: undecided(reasons.plugin), 2: undecided(reasons.plugin) },

  'image-avif': { 2: kept(reasons.static), 3: kept(reasons.converted) },
  'image-base64': {
    1: rules({ on: 'image', format: 'base64', when: (url) => imageFormatsOf(url).includes('gif'), effect: 'break' }),
    2: instead({ on: 'image', format: 'base64', effect: 'no-source' }),
    3: rules({ on: 'image', format: 'base64', when: (url) => !imageFormatsOf(url).includes('png'), effect: 'break' }),
  },
  'image-bmp': { 1: undecided(reasons.colors) },
  'image-gif': { 1: kept(reasons.static), 2: kept(reasons.static) },
  'image-heif': { 1: kept(reasons.converted), 3: kept(reasons.engine) },
  'image-tiff': { 1: undecided(reasons.colors) },
  'image-webp': { 1: kept(reasons.converted), 2: kept(reasons.engine), 3: kept(reasons.static) },
};
