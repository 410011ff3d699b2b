// Takes out of the tree what a client does not support. One walk, in a loop; lists of children are rebuilt, not
// spliced, so that a message with very many siblings costs no more than one with few.

import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  attributeOf,
  editedInlineStyle,
  elementsOf,
  isElement,
  removeAttribute,
  removeNode,
  setAttribute,
  type Element,
  type Node,
  type WorkingDocument,
} from '../working-document.ts';
import {
  imageFormatOfType,
  imageFormatsOf,
  type AttributeRule,
  type ElementLimit,
  type ElementRule,
  type RuleSet,
} from '../../caniemail/index.ts';
import { filterInlineStyle, type CssFilter } from './filter-css.ts';
import { isUnsupportedImage } from './judge-declaration.ts';

/** An address that any engine shows as a broken image. */
const NO_IMAGE = 'data:,';

interface Frame {
  source: Node[];
  next: number;
  /** Where kept children go: the owner's own new list, or the outer one when an element was unwrapped. */
  out: Node[];
  owner: Tree.ParentNode;
  ownsOut: boolean;
  parentName: string;
  inBody: boolean;
}

/** Filters elements, attributes and style attributes in place, and drops the style sheets whose element went. */
export function filterTree(doc: WorkingDocument, filter: CssFilter): void {
  const { rules } = filter;
  if (rules.document.has('resolve-base')) resolveBase(doc);
  const styles = { kept: new Set<Element>(), late: [] as Element[] };
  const stack: Frame[] = [frameOf(doc.document, '#document', false)];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const node = frame.source[frame.next++];
    if (!node) {
      if (frame.ownsOut) frame.owner.childNodes = frame.out;
      stack.pop();
    } else if (isElement(node)) visit(node, frame, { stack, filter, styles });
    else keep(node, frame);
  }
  if (rules.styleElements.has('after-content')) for (const style of styles.late) dropStyle(style, styles.kept);
  doc.styles = doc.styles.filter((style) => styles.kept.has(style.element));
  if (rules.document.has('drop-doctype')) dropDoctype(doc);
}

function frameOf(owner: Tree.ParentNode, parentName: string, inBody: boolean): Frame {
  return { source: owner.childNodes, next: 0, out: [], owner, ownsOut: true, parentName, inBody };
}

function keep(node: Node, frame: Frame): void {
  node.parentNode = frame.owner;
  frame.out.push(node);
}

interface Walk {
  stack: Frame[];
  filter: CssFilter;
  styles: { kept: Set<Element>; late: Element[] };
}

function visit(el: Element, frame: Frame, walk: Walk): void {
  const { rules } = walk.filter;
  const fate = fateOf(rules, el, frame);
  if (fate === 'remove') return;
  const inBody = frame.inBody || el.tagName === 'body';
  if (fate === 'unwrap') {
    const source = contentOf(el).childNodes;
    walk.stack.push({ ...frame, source, next: 0, ownsOut: false, parentName: el.tagName, inBody });
    return;
  }
  if (typeof fate === 'object') el.nodeName = el.tagName = fate.rename;
  if (el.tagName === 'style') {
    walk.styles.kept.add(el);
    if (inBody) walk.styles.late.push(el);
  } else if (inBody && el.tagName !== 'body') walk.styles.late = [];
  filterAttributes(el, walk.filter);
  keep(el, frame);
  const content = contentOf(el);
  if (content !== el) walk.stack.push(frameOf(content, el.tagName, inBody));
  if (el.childNodes.length) walk.stack.push(frameOf(el, el.tagName, inBody));
}

function contentOf(el: Element): Tree.ParentNode {
  return 'content' in el ? (el as Tree.Template).content : el;
}

/** The frame of the document is never taken away: what the data says about `<body>` is done after the plug-ins. */
const skeleton = new Set(['html', 'head', 'body']);

function fateOf(rules: RuleSet, el: Element, frame: Frame): 'keep' | ElementRule['effect'] {
  const { tagName } = el;
  if (skeleton.has(tagName)) return 'keep';
  if (
    tagName === 'style' &&
    (rules.styleElements.has('everywhere') || (frame.inBody && rules.styleElements.has('body')))
  )
    return 'remove';
  if (tagName === 'source' && hasUnsupportedSource(rules, el)) return 'remove';
  for (const rule of rules.elements.get(tagName) ?? [])
    if (!rule.when || rule.when((name) => attributeOf(el, name), frame.parentName)) return rule.effect;
  return 'keep';
}

function dropStyle(style: Element, kept: Set<Element>): void {
  kept.delete(style);
  removeNode(style);
}

// ---- Attributes -----------------------------------------------------------------------------------------------

function filterAttributes(el: Element, filter: CssFilter): void {
  const { rules } = filter;
  const forced = rules.forced.get(el.tagName);
  if (forced) for (const rule of forced) setAttribute(el, rule.name, rule.value);
  let gone = false;
  for (const attr of el.attrs) {
    if (attr.name === 'style') {
      const text = editedInlineStyle(el) ?? attr.value;
      const left = filterInlineStyle(filter, text, el.tagName);
      if (left !== text) setAttribute(el, 'style', left);
      gone ||= left === '';
      continue;
    }
    for (const rule of rules.attributes.get(attr.name) ?? []) {
      if (!isAbout(rule, el.tagName, attr.value)) continue;
      if (!rule.effect) attr.name = GONE;
      else if (typeof rule.effect === 'function') attr.value = rule.effect(attr.value);
      else attr.name = rule.effect.rename;
      gone ||= attr.name === GONE;
    }
    if (rules.images.size && imageAttributes.has(attr.name)) filterImage(el, attr, rules);
  }
  if (gone) el.attrs = el.attrs.filter(({ name, value }) => name !== GONE && !(name === 'style' && value === ''));
}

/** Marks an attribute that is to be filtered out; no parser gives such a name. */
const GONE = ' ';

function isAbout({ elements, when }: AttributeRule, tag: string, value: string): boolean {
  return (!elements || appliesTo(elements, tag)) && (!when || when(value));
}

function appliesTo(limit: ElementLimit, tag: string): boolean {
  return 'only' in limit ? limit.only.includes(tag) : !limit.except.includes(tag);
}

const imageAttributes = new Set(['src', 'srcset', 'background', 'poster']);

function filterImage(el: Element, attr: { name: string; value: string }, rules: RuleSet): void {
  if (attr.name === 'srcset') {
    const candidates = attr.value
      .split(/,(?=\s)/)
      .filter((candidate) => !isUnsupportedImage(rules, candidate.trim().split(/\s/, 1)[0] ?? ''));
    attr.value = candidates.join(',');
    return;
  }
  if (attr.name === 'src' && el.tagName !== 'img' && el.tagName !== 'input') return;
  if (!isUnsupportedImage(rules, attr.value)) return;
  const renames = imageFormatsOf(attr.value).some((format) =>
    rules.images.get(format)?.some((rule) => rule.effect === 'no-source'),
  );
  if (renames && attr.name === 'src') attr.name = 'nosrc';
  else attr.value = NO_IMAGE;
}

function hasUnsupportedSource(rules: RuleSet, el: Element): boolean {
  if (!rules.images.size) return false;
  const format = imageFormatOfType(attributeOf(el, 'type') ?? '');
  if (format && rules.images.get(format)?.some((rule) => !rule.when)) return true;
  const first = attributeOf(el, 'srcset')?.trim().split(/[\s,]/, 1)[0];
  return first !== undefined && isUnsupportedImage(rules, first);
}

// ---- The document ---------------------------------------------------------------------------------------------

function dropDoctype({ document }: WorkingDocument): void {
  document.childNodes = document.childNodes.filter((node) => node.nodeName !== '#documentType');
  document.mode = 'quirks' as Tree.Document['mode'];
}

/** Addresses of links become absolute, and the `<base>` goes. */
function resolveBase({ document }: WorkingDocument): void {
  const bases = elementsOf(document).filter((el) => el.tagName === 'base');
  if (!bases.length) return;
  const base = bases.map((el) => attributeOf(el, 'href')).find((href) => href !== undefined);
  for (const el of base === undefined ? [] : elementsOf(document)) {
    const href = el.tagName === 'a' || el.tagName === 'area' ? attributeOf(el, 'href') : undefined;
    if (href !== undefined && URL.canParse(href, base)) setAttribute(el, 'href', new URL(href, base).href);
  }
  for (const el of bases) {
    removeAttribute(el, 'href');
    removeNode(el);
  }
}
