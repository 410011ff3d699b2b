// Looks for features in one piece of CSS. Offsets are from the start of the piece.

import { parse, string, tokenize, tokenTypes, url as urlToken, type Selector } from 'css-tree';
import { imageFormatsOf, type DeclarationFacts } from '../caniemail/index.ts';
import {
  readCss,
  readMediaText,
  readSelector,
  readValue,
  type CssDeclarationPlace,
  type CssPlace,
  type CssPrelude,
  type ValueFacts,
} from '../css/index.ts';
import { detectors, type DeclarationDetector } from './detectors.ts';

/** A use of a feature, or (`slug#2`) of what one of its notes is about. */
interface CssHit {
  key: string;
  start: number;
  end: number;
  /** In a style sheet, inside `@media`. */
  isInMedia?: boolean;
}

/** What was once worked out about texts that repeat all over a message. */
export interface CssMemory {
  values: Map<string, ReadValue>;
  inline: Map<string, readonly CssHit[]>;
}

interface ReadValue {
  facts: ValueFacts;
  /** The first place of each of `facts.tokens`. */
  tokenStarts: ReadonlyMap<string, number>;
  urls: readonly string[];
}

export interface CssSource {
  text: string;
  memory: CssMemory;
  /** Formats that were measured, by image address. */
  imageFormats: ReadonlyMap<string, string> | undefined;
  /** Names of the elements that have a class (`.one`) or id (`#two`). */
  tagsOf: (name: string) => readonly string[];
}

interface Search extends CssSource {
  hits: CssHit[];
  isInline: boolean;
  /** Elements that the declarations are for; undefined when it may be any. */
  tags: readonly string[] | undefined;
}

/** Brackets nested deeper than this are an attack on the selector parser. */
const DEPTH_MAX = 64;
/** Reading a media query is not linear; honest ones have a few words. */
const QUERY_MAX = 1000;

export function newCssMemory(): CssMemory {
  return { values: new Map(), inline: new Map() };
}

export function searchStyleSheet(source: CssSource): CssHit[] {
  const search: Search = { ...source, hits: [], isInline: false, tags: undefined };
  readCss(source.text, 'sheet', {
    comment: (start, end) => void search.hits.push({ key: 'css-comments', start, end }),
    rule: (prelude, at) => markMedia(search, at, () => searchRule(search, prelude, at)),
    keyframe: (prelude) => searchKeyframe(search, prelude),
    declaration: (declaration, at) => markMedia(search, at, () => searchDeclaration(search, declaration)),
    atRule: (name, prelude, at) => searchAtRule(search, { name, prelude }, at),
  });
  return search.hits;
}

/** Marks the hits of a search that takes place inside `@media`. */
function markMedia({ hits }: Search, { around }: { around: readonly string[] }, run: () => void): void {
  const before = hits.length;
  run();
  if (around.includes('media')) for (let i = before; i < hits.length; i++) hits[i]!.isInMedia = true;
}

/** @param tag the element that the `style` attribute stands on. */
export function searchInlineStyle(source: CssSource, tag: string): readonly CssHit[] {
  const key = `${tag} ${source.text}`;
  const known = source.memory.inline.get(key);
  if (known) return known;
  const search: Search = { ...source, hits: [], isInline: true, tags: [tag] };
  readCss(source.text, 'declarations', {
    comment: (start, end) => {
      for (const note of ['css-comments', ...detectors.inlineComments]) search.hits.push({ key: note, start, end });
    },
    rule: () => {},
    declaration: (declaration) => searchDeclaration(search, declaration),
    atRule: () => {},
  });
  source.memory.inline.set(key, search.hits);
  return search.hits;
}

/** The features that a list of media queries uses, also that of a `media` attribute. */
export function searchMedia(text: string): CssHit[] {
  const hits: CssHit[] = [];
  let start = 0;
  for (const query of text.split(',')) {
    const end = start + query.length;
    if (query.length <= QUERY_MAX) {
      const facts = readMediaText(query);
      const from = start + query.length - query.trimStart().length;
      for (const { key, when } of detectors.media) if (when(facts)) hits.push({ key, start: from, end });
    }
    start = end + 1;
  }
  return hits;
}

// ---- Declarations ---------------------------------------------------------------------------------------------

function searchDeclaration(search: Search, declaration: CssDeclarationPlace): void {
  const property = declaration.property.startsWith('--') ? declaration.property : declaration.property.toLowerCase();
  const { facts: value, tokenStarts, urls } = readValueOf(search.memory, declaration.value);
  const facts: DeclarationFacts = {
    property,
    base: property.replace(/^-(?:webkit|moz|ms|o)-/, ''),
    value,
    important: declaration.important,
    tight: declaration.isTight,
  };
  const hit = (list: readonly (DeclarationDetector & { key: string })[] | undefined, start: number) => {
    for (const detector of list ?? []) {
      if (matches(detector, facts, search)) search.hits.push({ key: detector.key, start, end: declaration.end });
    }
  };
  hit(detectors.byProperty.get(property.startsWith('--') ? '--*' : facts.base), declaration.start);
  for (const token of value.tokens) {
    const list = detectors.byToken.get(token);
    if (list) hit(list, declaration.valueStart + (tokenStarts.get(token) ?? 0));
  }
  if (declaration.important || value.spacedColors.size || value.fourArgumentColors.size || value.functions.length) {
    hit(detectors.everyDeclaration, declaration.important ? declaration.importantStart : declaration.valueStart);
  }
  for (const url of urls) searchImage(search, url, declaration);
}

const RESET = /^(?:0(?:px|em|%)?(?:\s+|$))+$/i;

function matches(detector: DeclarationDetector, facts: DeclarationFacts, { isInline, tags }: Search): boolean {
  if (detector.place && detector.place !== (isInline ? 'inline' : 'sheet')) return false;
  if (detector.properties && !detector.properties.includes(facts.base)) return false;
  if (detector.when && !detector.when(facts)) return false;
  const { elements } = detector;
  if (!elements) return true;
  // An element that ignores a size mostly has none: losing `margin:0` is no loss.
  if (RESET.test(facts.value.text)) return false;
  if (!tags) return true;
  return tags.some((tag) => ('only' in elements ? elements.only.includes(tag) : !elements.except.includes(tag)));
}

function searchImage(search: Search, url: string, at: { start: number; end: number }): void {
  for (const key of imageKeysOf(url, search.imageFormats)) search.hits.push({ key, start: at.start, end: at.end });
}

/** Keys of the image features that an address shows, or that its measured format is. */
export function imageKeysOf(url: string, measured: ReadonlyMap<string, string> | undefined): string[] {
  const format = measured?.get(url);
  const formats =
    format === undefined ? imageFormatsOf(url) : [format, ...imageFormatsOf(url).filter((name) => name === 'base64')];
  const keys = formats.flatMap((name) =>
    (detectors.images.get(name) ?? []).filter(({ when }) => !when || when(url)).map(({ key }) => key),
  );
  return isAnimatedPng(url, format) ? [...keys.filter((key) => key !== 'image-png'), 'image-apng'] : keys;
}

/** By measure, by its file extension, or by the frame control chunk in a data URL. */
function isAnimatedPng(url: string, measured: string | undefined): boolean {
  if (measured !== undefined) return measured === 'apng';
  if (/^\s*data:image\/apng[;,]/i.test(url)) return true;
  const data = /^\s*data:image\/png;base64,([\w+/=\s]{40,})/i.exec(url.slice(0, 2000))?.[1];
  if (data) return Buffer.from(data, 'base64').includes('acTL');
  return /^[^?#]*\.apng$/i.test(url.slice(0, 2000).split(/[?#]/, 1)[0]!.trim());
}

function readValueOf(memory: CssMemory, text: string): ReadValue {
  let known = memory.values.get(text);
  if (!known) memory.values.set(text, (known = { facts: readValue(text), ...placesOf(text) }));
  return known;
}

function placesOf(text: string): Omit<ReadValue, 'facts'> {
  const tokenStarts = new Map<string, number>();
  const urls: string[] = [];
  let inUrl = false;
  const place = (token: string, start: number) => {
    if (!tokenStarts.has(token)) tokenStarts.set(token, start);
  };
  tokenize(text, (type, start, end) => {
    if (type === tokenTypes.Dimension)
      place(`unit:${/[a-z]+$/i.exec(text.slice(start, end))?.[0].toLowerCase() ?? ''}`, start);
    else if (type === tokenTypes.Percentage) place('unit:%', start);
    else if (type === tokenTypes.Function) place(`function:${text.slice(start, end - 1).toLowerCase()}`, start);
    else if (type === tokenTypes.Url) urls.push(urlToken.decode(text.slice(start, end)));
    else if (type === tokenTypes.String && inUrl) urls.push(string.decode(text.slice(start, end)));
    if (type !== tokenTypes.WhiteSpace) inUrl = type === tokenTypes.Function && /^url\($/i.test(text.slice(start, end));
  });
  return { tokenStarts, urls };
}

// ---- Rules ----------------------------------------------------------------------------------------------------

function searchRule(search: Search, prelude: CssPrelude, at: CssPlace): void {
  const end = prelude.start + prelude.text.length;
  const hit = (key: string) => search.hits.push({ key, start: prelude.start, end });
  if (at.around.includes('rule')) searchNesting(prelude.text, hit);
  if (at.afterComment) detectors.afterComment.forEach(hit);
  search.tags = undefined;
  if (prelude.depth > DEPTH_MAX || !prelude.text) return;
  const selectors = parseSelectors(prelude.text);
  search.tags = subjectTags(selectors, search.tagsOf);
  const facts = selectors.map((selector) => readSelector(selector));
  if (selectors.length > 1) for (const { key, test } of detectors.grouped) if (!test || test(facts)) hit(key);
  selectors.forEach((selector, nth) => {
    const { tokens } = facts[nth]!;
    const start = prelude.start + (selector.loc?.start.offset ?? 0);
    const stop = prelude.start + (selector.loc?.end.offset ?? prelude.text.length);
    for (const token of tokens)
      for (const key of detectors.bySelectorToken.get(token) ?? []) search.hits.push({ key, start, end: stop });
    for (const { key, test } of detectors.bySelectorTest)
      if (test(facts[nth]!)) search.hits.push({ key, start, end: stop });
  });
}

/** Names of the elements that a rule may style, by the last part of its selectors; undefined when it may be any. */
function subjectTags(selectors: readonly Selector[], tagsOf: CssSource['tagsOf']): string[] | undefined {
  const tags: string[] = [];
  for (const selector of selectors) {
    const found = subjectOf(selector, tagsOf);
    if (!found) return undefined;
    tags.push(...found);
  }
  return tags.length ? tags : undefined;
}

function subjectOf(selector: Selector, tagsOf: CssSource['tagsOf']): readonly string[] | undefined {
  let named: string | undefined;
  for (const part of selector.children.toArray().reverse()) {
    if (part.type === 'Combinator') break;
    if (part.type === 'TypeSelector' && !part.name.endsWith('*')) return [part.name.toLowerCase()];
    if (part.type === 'ClassSelector') named = `.${part.name}`;
    if (part.type === 'IdSelector') named = `#${part.name}`;
  }
  return named === undefined ? undefined : tagsOf(named);
}

function parseSelectors(text: string): Selector[] {
  try {
    const list = parse(text, { context: 'selectorList', positions: true });
    return list.type === 'SelectorList' ? list.children.toArray().filter((node) => node.type === 'Selector') : [];
  } catch (error) {
    // What no parser can read, no client can either.
    if (error instanceof Error && error.name === 'SyntaxError') return [];
    throw error;
  }
}

function searchNesting(prelude: string, hit: (key: string) => void): void {
  for (const { key, effect, test } of detectors.nesting) {
    if (effect === 'drop-at-rules') continue;
    if (!test || test(prelude.split('&').length - 1, prelude.startsWith('&'))) hit(key);
  }
}

function searchKeyframe(search: Search, prelude: CssPrelude): void {
  search.tags = undefined;
  if (!prelude.text.includes('%')) return;
  for (const key of detectors.percentageKeyframes)
    search.hits.push({ key, start: prelude.start, end: prelude.start + prelude.text.length });
}

function searchAtRule(
  search: Search,
  { name, prelude }: { name: string; prelude: CssPrelude },
  at: CssPlace & { start: number; blockStart: number },
): void {
  const end = prelude.start + prelude.text.length;
  for (const { key, nested, when } of detectors.atRules.get(name) ?? []) {
    if (nested && !at.around.includes(name)) continue;
    if (when && !(at.blockStart >= 0 && when(blockText(search.text, at.blockStart)))) continue;
    search.hits.push({ key, start: at.start, end });
  }
  if (at.around.includes('rule') && at.blockStart >= 0) {
    for (const { key, effect, test } of detectors.nesting) {
      if (effect === 'drop-at-rules' || !test) search.hits.push({ key, start: at.start, end });
    }
  }
  if (name === 'media')
    for (const hit of searchMedia(prelude.text))
      search.hits.push({ key: hit.key, start: prelude.start + hit.start, end: prelude.start + hit.end });
}

/** The block that opens at an offset, to its `}` or for some thousand characters. */
function blockText(text: string, from: number): string {
  const end = text.indexOf('}', from);
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + 10_000));
}
