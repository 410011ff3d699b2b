// The styles of every element, as far as accessibility depends on them, computed without a browser: cascade,
// inheritance, presentational attributes and the browsers' own styles. Layout is not known; what depends on it is left
// to a browser.

import { parseColor, parseLegacyColor, type Color } from '../color/index.ts';
import { compareSpecificity, type MatchBudget, type Specificity } from '../css/index.ts';
import type { MailElement } from './read-mail.ts';
import { readRules, readStyleAttribute, rulesFor, type AppliedRule, type WeightedLonghand } from './style-rules.ts';
import { fontSizePx, lengthPx } from './style-values.ts';
import { browserStyle, hintsOf } from './browser-styles.ts';

export interface ComputedStyle {
  color: Color;
  /** The element's own; alpha 0 when it has none. */
  backgroundColor: Color;
  /** `url(…)` or the start of a gradient, of the element's own background. */
  backgroundImage: string | undefined;
  fontSizePx: number;
  fontWeight: number;
  /** Times the font size; undefined for `normal`. */
  lineHeight: number | undefined;
  /** Set if the value is a length, which is inherited as a length. */
  lineHeightPx: number | undefined;
  textAlign: string;
  letterSpacingPx: number;
  wordSpacingPx: number;
  textTransform: string;
  /** Set by the element or an ancestor. */
  isUnderlined: boolean;
  display: string;
  /** Neither seen nor read out: `display: none`, `visibility: hidden`, `hidden`. */
  isGone: boolean;
  /** Invisible, although a screen reader may read it: transparent, clipped, outside of the page, or tiny. */
  isUnseen: boolean;
  widthPx: number | undefined;
  heightPx: number | undefined;
  /** Top, right, bottom, left. */
  paddingPx: readonly [number, number, number, number];
  hasBorder: boolean;
  hasBottomBorder: boolean;
  animation: string | undefined;
  /** Where what texts inherit is said for this element itself, as far as anything says it. */
  origins: ReadonlyMap<string, Origin>;
}

/** What says a property of an element. */
export interface Origin {
  value: string;
  isImportant: boolean;
  /** 0 the browser's, 1 presentational attributes, 2 style sheets, 3 the style attribute. */
  level: number;
}

const TRACED = [
  'color',
  'background-color',
  'font-size',
  'line-height',
  'text-align',
  'text-transform',
  'text-decoration',
];
const NO_ORIGINS: ReadonlyMap<string, Origin> = new Map();

/** Enough for the largest real mails many times over; what is not matched by then has no style. */
const MATCH_STEPS_MAX = 2_000_000;
const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
const NONE: Color = { r: 0, g: 0, b: 0, a: 0 };

interface Mode {
  isQuirks: boolean;
  colorScheme: 'light' | 'dark';
  widthPx: number;
}

/** Styles by element. `elements` are in document order, so that parents come before their children. */
export function computeStyles(elements: readonly MailElement[], mode: Mode): ReadonlyMap<MailElement, ComputedStyle> {
  const sheets = elements
    .filter(({ tag, isCommented }) => tag === 'style' && !isCommented)
    .map(({ node }) => ({
      css: node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''),
      media: node.attrs.find(({ name }) => name === 'media')?.value ?? '',
    }));
  const rules = readRules(sheets, { isQuirks: mode.isQuirks, screen: mode });
  const budget: MatchBudget = { stepsLeft: MATCH_STEPS_MAX };
  const own = new Map<string, WeightedLonghand[]>();
  const computed = new Map<MailElement, ComputedStyle>();
  const body = elements.find(({ tag, isCommented }) => tag === 'body' && !isCommented);
  for (const element of elements) {
    const style = element.node.attrs.find(({ name }) => name === 'style')?.value ?? '';
    let declared = own.get(style);
    if (!declared) own.set(style, (declared = readStyleAttribute(style)));
    const values = cascade(element, {
      rules: element.isCommented || budget.stepsLeft <= 0 ? [] : rulesFor(rules, element),
      declared,
      budget,
    });
    computed.set(
      element,
      compute({
        element,
        values,
        parent: element.parent && computed.get(element.parent),
        isQuirks: mode.isQuirks,
        body,
      }),
    );
  }
  return computed;
}

interface Sources {
  rules: readonly AppliedRule[];
  declared: readonly WeightedLonghand[];
  budget: MatchBudget;
}

interface Winner extends Origin {
  specificity: Specificity;
}

const NO_SPECIFICITY: Specificity = [0, 0, 0];

/** The value that wins for each longhand. */
function cascade(element: MailElement, { rules, declared, budget }: Sources): Map<string, Winner> {
  const winners = new Map<string, Winner>();
  const offer = (name: string, candidate: Winner): void => {
    const winner = winners.get(name);
    const isStronger =
      !winner ||
      Number(candidate.isImportant) - Number(winner.isImportant) > 0 ||
      (candidate.isImportant === winner.isImportant &&
        (candidate.level - winner.level || compareSpecificity(candidate.specificity, winner.specificity)) >= 0);
    if (isStronger) winners.set(name, candidate);
  };
  for (const [name, value] of browserStyle(element))
    offer(name, { value, isImportant: false, level: 0, specificity: NO_SPECIFICITY });
  for (const [name, value] of hintsOf(element))
    offer(name, { value, isImportant: false, level: 1, specificity: NO_SPECIFICITY });
  for (const { selector, longhands } of rules) {
    if (budget.stepsLeft <= 0) break;
    if (!selector.matches(element.node, budget)) continue;
    for (const {
      longhand: [name, value],
      isImportant,
    } of longhands)
      offer(name, { value, isImportant, level: 2, specificity: selector.specificity });
  }
  for (const {
    longhand: [name, value],
    isImportant,
  } of declared)
    offer(name, { value, isImportant, level: 3, specificity: NO_SPECIFICITY });
  return winners;
}

interface Computing {
  element: MailElement;
  values: ReadonlyMap<string, Winner>;
  parent: ComputedStyle | undefined;
  isQuirks: boolean;
  body: MailElement | undefined;
}

const INHERITED_WORDS = new Set(['inherit', 'unset']);

function compute({ element, values, parent, isQuirks, body }: Computing): ComputedStyle {
  // In quirks mode tables start anew from the browser's text styles (HTML Standard, 15.3.12).
  const isReset = isQuirks && element.tag === 'table';
  const value = (name: string): string | undefined => {
    const found = values.get(name)?.value;
    return found === undefined || INHERITED_WORDS.has(found) ? undefined : found;
  };
  const parentPx = isReset ? 16 : (parent?.fontSizePx ?? 16);
  const written = value('font-size');
  const size =
    written === undefined ? parentPx : written === 'initial' ? 16 : (fontSizePx(written, parentPx) ?? parentPx);
  const base = { em: size };
  const inheritedColor = isReset && !values.has('color') ? bodyText(body) : (parent?.color ?? BLACK);
  const color = colorOf(value('color'), inheritedColor) ?? inheritedColor;
  const image = value('background-image');
  const spacing = (name: 'letter-spacing' | 'word-spacing', inherited: number | undefined): number =>
    (value(name) === 'normal' ? 0 : lengthPx(value(name), { em: size, percent: size })) ?? inherited ?? 0;
  const display = value('display') ?? 'inline';
  const decoration = value('text-decoration');
  return {
    color,
    backgroundColor: colorOf(value('background-color'), color) ?? NONE,
    backgroundImage: image === undefined || image === 'none' || image === 'initial' ? undefined : image,
    fontSizePx: size,
    fontWeight: weightOf(value('font-weight'), isReset ? 400 : (parent?.fontWeight ?? 400)),
    ...lineHeightOf(value('line-height'), size, isReset ? undefined : parent),
    textAlign: alignOf(value('text-align')) ?? (isReset ? 'start' : (parent?.textAlign ?? 'start')),
    letterSpacingPx: spacing('letter-spacing', parent?.letterSpacingPx),
    wordSpacingPx: spacing('word-spacing', parent?.wordSpacingPx),
    textTransform: value('text-transform') ?? parent?.textTransform ?? 'none',
    isUnderlined:
      /underline/.test(decoration ?? '') ||
      (parent?.isUnderlined === true && display !== 'inline-block' && !(element.tag === 'a' && decoration === 'none')),
    display,
    ...visibilityOf({ element, value, parent, base }),
    widthPx: lengthPx(value('width'), base),
    heightPx: lengthPx(value('height'), base),
    paddingPx: [
      lengthPx(value('padding-top'), base) ?? 0,
      lengthPx(value('padding-right'), base) ?? 0,
      lengthPx(value('padding-bottom'), base) ?? 0,
      lengthPx(value('padding-left'), base) ?? 0,
    ],
    hasBorder: value('border') === 'yes',
    hasBottomBorder: value('border-bottom') === 'yes',
    animation: value('animation'),
    origins: originsOf(values, isReset),
  };
}

function originsOf(values: ReadonlyMap<string, Winner>, isReset: boolean): ReadonlyMap<string, Origin> {
  let origins: Map<string, Origin> | undefined;
  for (const name of TRACED) {
    const found = values.get(name);
    if (found ? !INHERITED_WORDS.has(found.value) : isReset)
      (origins ??= new Map()).set(name, found ?? { value: 'initial', isImportant: false, level: 0 });
  }
  return origins ?? NO_ORIGINS;
}

function bodyText(body: MailElement | undefined): Color {
  const text = body?.node.attrs.find(({ name }) => name === 'text')?.value;
  return (text && parseLegacyColor(text)) || BLACK;
}

function colorOf(value: string | undefined, current: Color): Color | undefined {
  if (value === undefined) return undefined;
  return value === 'currentcolor' ? current : parseColor(value);
}

function weightOf(value: string | undefined, inherited: number): number {
  if (value === undefined) return inherited;
  if (value === 'bold') return 700;
  if (value === 'bolder') return inherited < 350 ? 400 : inherited < 550 ? 700 : 900;
  if (value === 'lighter') return inherited < 550 ? 100 : inherited < 750 ? 400 : 700;
  return Number(value) || 400;
}

function lineHeightOf(
  value: string | undefined,
  size: number,
  parent: ComputedStyle | undefined,
): Pick<ComputedStyle, 'lineHeight' | 'lineHeightPx'> {
  const ofLength = (px: number | undefined) => ({
    lineHeight: px === undefined || size === 0 ? undefined : px / size,
    lineHeightPx: px,
  });
  if (value === undefined)
    return parent?.lineHeightPx === undefined
      ? { lineHeight: parent?.lineHeight, lineHeightPx: undefined }
      : ofLength(parent.lineHeightPx);
  if (/^[\d.]+$/.test(value)) return { lineHeight: Number(value), lineHeightPx: undefined };
  return ofLength(value === 'normal' || value === 'initial' ? undefined : lengthPx(value, { em: size, percent: size }));
}

function alignOf(value: string | undefined): string | undefined {
  return value?.replace(/^-(?:webkit|moz)-/, '');
}

interface Visibility {
  element: MailElement;
  value: (name: string) => string | undefined;
  parent: ComputedStyle | undefined;
  base: { em: number };
}

function visibilityOf({ element, value, parent, base }: Visibility): { isGone: boolean; isUnseen: boolean } {
  const visibility = value('visibility');
  const isHidden =
    visibility === 'hidden' || visibility === 'collapse' || element.node.attrs.some(({ name }) => name === 'hidden');
  const cutsOff = value('overflow') === 'hidden' || value('overflow') === 'clip';
  const isFlat = ['max-height', 'height', 'width', 'max-width'].some((name) => (lengthPx(value(name), base) ?? 9) <= 1);
  const isAway = (lengthPx(value('left'), base) ?? 0) <= -999 || (lengthPx(value('text-indent'), base) ?? 0) <= -999;
  const isClipped = /^rect\(\s*(?:0|1px)[\s,]/.test(value('clip') ?? '') && value('position') === 'absolute';
  return {
    isGone: (parent?.isGone ?? false) || value('display') === 'none' || isHidden,
    isUnseen:
      (parent?.isUnseen ?? false) ||
      Number(value('opacity') ?? 1) <= 0.01 ||
      (cutsOff && isFlat) ||
      isAway ||
      isClipped,
  };
}
