// Turns what the data says of one client into look-ups for the filter. Done once per client, kept in a small cache.

import { freshSupport } from './freshness.ts';
import { familyOf, features, type Feature, type Support } from './support-data.ts';
import { atRuleRules, selectorRules } from './css-selectors.ts';
import { propertyRules, valueRules } from './css-properties.ts';
import { attributeRules, elementRules, otherRules, traceless } from './html-elements.ts';
import { imageRules } from './image-formats.ts';
import { reasons, type Account, type NoteReading } from './note-reading.ts';
import { readNote } from './notes.ts';
import type {
  AtRuleRule,
  AttributeRule,
  DeclarationRule,
  DocumentRule,
  ElementRule,
  FeatureRule,
  ForcedAttributeRule,
  ImageRule,
  MediaRule,
  NestingRule,
  RuleTable,
  SelectorRule,
  StyleElementRule,
  StyleRuleRule,
} from './rule.ts';

/** Every feature of the data, and what a client without it does. */
export const ruleTable: RuleTable = {
  ...propertyRules,
  ...valueRules,
  ...selectorRules,
  ...atRuleRules,
  ...elementRules,
  ...attributeRules,
  ...imageRules,
  ...otherRules,
};

export interface SupportKey {
  family: string;
  platform: string;
  version: string;
  account: Account;
}

/** A cell of the data that the filter leaves alone although the client may not support the feature. */
export interface UndecidedCell {
  slug: string;
  title: string;
  reason: string;
  lastTestDate: string;
  /** False: the data has no row of the feature for this client at all. */
  hasRow: boolean;
  /** False: whatever the client does with it, a picture is no other, or the engine and its plug-in decide. */
  mayShow: boolean;
}

export interface RuleSet {
  byProperty: Map<string, DeclarationRule[]>;
  byToken: Map<string, DeclarationRule[]>;
  anyDeclaration: DeclarationRule[];
  selectorTokens: Map<string, SelectorRule>;
  selectorTests: SelectorRule[];
  styleRules: StyleRuleRule[];
  dropsCommentedAttributes: boolean;
  nesting: NestingRule[];
  atRules: AtRuleRule[];
  dropsPercentageKeyframes: boolean;
  media: MediaRule[];
  elements: Map<string, ElementRule[]>;
  attributes: Map<string, AttributeRule[]>;
  forced: Map<string, ForcedAttributeRule[]>;
  images: Map<string, ImageRule[]>;
  styleElements: Set<StyleElementRule['where']>;
  document: Set<DocumentRule['effect']>;
  undecided: UndecidedCell[];
  /** Features that the data has a row of for this client, and when the oldest and newest of them were tried. */
  known: { cells: number; testedFrom: string; testedTo: string };
}

/** Reasons that leave nothing open about a still picture. */
const SHOWN_ANYWAY: ReadonlySet<string> = new Set([
  reasons.static,
  reasons.traceless,
  reasons.engine,
  reasons.plugin,
  reasons.limit,
  reasons.style,
  reasons.converted,
]);
/** Features that a still picture does not show: what the pointer, the keyboard, a reader or a click does. */
const NEVER_SEEN =
  /^(?:css-(?:at-media-hover|cursor|pseudo-class-(?:active|focus.*|hover|lang|target|visited)|resize|scroll-snap|transition|user-select)|html-(?:anchor-links|aria-.*|lang|mailto-links|required|role|target))$/;

const compiled = new Map<string, RuleSet>();
/** More clients than any catalog has. */
const CACHE_MAX = 1000;

export function rulesFor(key: SupportKey): RuleSet {
  const id = `${key.family}|${key.platform}|${key.version}|${key.account}`;
  let set = compiled.get(id);
  if (!set) {
    if (compiled.size >= CACHE_MAX) compiled.clear();
    compiled.set(id, (set = compile(key)));
  }
  return set;
}

function compile(key: SupportKey): RuleSet {
  const set = emptySet();
  for (const feature of features) {
    const { support, stale } = freshSupport(feature, key);
    const { rules, undecided: open } = rulesOfCell(feature, support, key.account);
    const undecided = stale ?? open;
    const hasRow = feature.stats.get(familyOf(key.family))?.has(key.platform) ?? false;
    if (hasRow) know(set, feature.lastTestDate);
    for (const rule of rules) add(set, rule);
    if (undecided)
      set.undecided.push({
        slug: feature.slug,
        title: feature.title,
        reason: undecided,
        lastTestDate: feature.lastTestDate,
        hasRow,
        mayShow: !SHOWN_ANYWAY.has(undecided) && !NEVER_SEEN.test(feature.slug),
      });
  }
  // Rewriting comes first: `fixed` turned into `absolute` must not be dropped as `fixed`.
  for (const list of set.byProperty.values()) list.sort((a, b) => rank(a) - rank(b));
  return set;
}

function know({ known }: RuleSet, date: string): void {
  known.cells++;
  if (!known.testedFrom || date < known.testedFrom) known.testedFrom = date;
  if (date > known.testedTo) known.testedTo = date;
}

function rank(rule: DeclarationRule): number {
  return typeof rule.effect === 'function' ? 0 : 1;
}

/**
 * What one cell of the data means: the rules that apply, and why it can't be decided, if so.
 * A supported feature may still carry notes that take something away.
 */
function rulesOfCell(
  feature: Feature,
  support: Support,
  account: Account,
): { rules: readonly FeatureRule[]; undecided?: string } {
  if (support.level === 'u') return { rules: [], undecided: 'not tested' };
  const own = ruleTable[feature.slug] ?? [];
  if (traceless.has(feature.slug)) return { rules: [], undecided: reasons.traceless };
  const readings = support.notes.map((number) => readNote(feature.slug, number, feature.notes.get(number)));
  if (support.level === 'n') return { rules: unsupportedRules(own, readings, account) };
  const lacking = readings.find((reading) => reading?.kind === 'account' && !reading.supported(account));
  if (lacking?.kind === 'account') return { rules: lacking.lacks ?? own };
  const rules = readings.flatMap((reading) => (reading?.kind === 'rules' ? reading.rules : []));
  if (support.level === 'y') return { rules };
  const why = whyUndecided(feature, support, readings);
  return why ? { rules, undecided: why } : { rules };
}

function whyUndecided(feature: Feature, support: Support, readings: (NoteReading | undefined)[]): string | undefined {
  if (!readings.length || support.notes.some((number) => !feature.notes.has(number))) return reasons.missing;
  if (readings.includes(undefined)) return reasons.unread;
  for (const reading of readings) if (reading?.kind === 'undecided') return reading.why;
  return undefined;
}

function unsupportedRules(
  own: readonly FeatureRule[],
  readings: (NoteReading | undefined)[],
  account: Account,
): readonly FeatureRule[] {
  const lacks = readings.some((reading) => reading?.kind === 'account' && !reading.supported(account));
  if (lacks) return own;
  if (readings.some((reading) => reading?.kind === 'account' && reading.instead)) return [];
  const instead = readings.flatMap((reading) => (reading?.kind === 'rules' && reading.instead ? [reading] : []));
  return instead.length ? instead.flatMap((reading) => reading.rules) : own;
}

function emptySet(): RuleSet {
  return {
    byProperty: new Map(),
    byToken: new Map(),
    anyDeclaration: [],
    selectorTokens: new Map(),
    selectorTests: [],
    styleRules: [],
    dropsCommentedAttributes: false,
    nesting: [],
    atRules: [],
    dropsPercentageKeyframes: false,
    media: [],
    elements: new Map(),
    attributes: new Map(),
    forced: new Map(),
    images: new Map(),
    styleElements: new Set(),
    document: new Set(),
    undecided: [],
    known: { cells: 0, testedFrom: '', testedTo: '' },
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function add(set: RuleSet, rule: FeatureRule): void {
  switch (rule.on) {
    case 'declaration':
      return addDeclaration(set, rule);
    case 'selector':
      if (rule.token) set.selectorTokens.set(rule.token, rule);
      else set.selectorTests.push(rule);
      break;
    case 'style-rule':
      set.styleRules.push(rule);
      break;
    case 'inline-comment':
      set.dropsCommentedAttributes = true;
      break;
    case 'nesting':
      set.nesting.push(rule);
      break;
    case 'at-rule':
      set.atRules.push(rule);
      break;
    case 'keyframe':
      set.dropsPercentageKeyframes = true;
      break;
    case 'media':
      set.media.push(rule);
      break;
    case 'element':
      for (const name of rule.names) push(set.elements, name, rule);
      break;
    case 'attribute':
      for (const name of rule.names) push(set.attributes, name, rule);
      break;
    case 'forced-attribute':
      for (const name of rule.elements) push(set.forced, name, rule);
      break;
    case 'image':
      push(set.images, rule.format, rule);
      break;
    case 'style-element':
      set.styleElements.add(rule.where);
      break;
    case 'document':
      set.document.add(rule.effect);
      break;
    default:
      rule satisfies never;
  }
}

function addDeclaration(set: RuleSet, rule: DeclarationRule): void {
  if (rule.token) push(set.byToken, rule.token, rule);
  else if (rule.properties.includes('*')) set.anyDeclaration.push(rule);
  else for (const name of rule.properties) push(set.byProperty, name, rule);
}
