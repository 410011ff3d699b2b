// Turns the tables of client emulation round: they say what a client without a feature takes away, so what they would
// take away is where the feature is used. Keys are slugs, and `slug#2` for what a note of the data is about.

import {
  features,
  readNote,
  ruleTable,
  type AtRuleRule,
  type DeclarationFacts,
  type DeclarationRule,
  type ElementLimit,
  type ElementRule,
  type FeatureRule,
  type NestingRule,
  type StyleRuleRule,
} from '../caniemail/index.ts';
import type { MediaFacts, SelectorFacts } from '../css/index.ts';

type Keyed<Rule> = Rule & { key: string };

interface Detectors {
  /** Detectors by property name without vendor prefix; `--*` for custom properties. */
  byProperty: Map<string, Keyed<DeclarationDetector>[]>;
  /** Detectors by token of the value, such as `unit:vh`. */
  byToken: Map<string, Keyed<DeclarationDetector>[]>;
  everyDeclaration: Keyed<DeclarationDetector>[];
  bySelectorToken: Map<string, string[]>;
  bySelectorTest: Keyed<{ test: (facts: SelectorFacts) => boolean }>[];
  grouped: Keyed<{ test?: StyleRuleRule['test'] }>[];
  afterComment: string[];
  nesting: Keyed<NestingRule>[];
  percentageKeyframes: string[];
  atRules: Map<string, Keyed<AtRuleRule>[]>;
  media: Keyed<{ when: (query: MediaFacts) => boolean }>[];
  elements: Map<string, Keyed<{ when?: ElementRule['when'] }>[]>;
  attributes: Map<string, Keyed<AttributeDetector>[]>;
  images: Map<string, Keyed<{ when?: (url: string) => boolean }>[]>;
  styleElements: Record<'everywhere' | 'body' | 'after-content', string[]>;
  inlineComments: string[];
  bodyElement: string[];
}

export interface DeclarationDetector {
  when?: (facts: DeclarationFacts) => boolean;
  place?: DeclarationRule['place'];
  elements?: ElementLimit;
  properties?: readonly string[];
}

interface AttributeDetector {
  elements?: ElementLimit;
  when?: (value: string) => boolean;
}

/** If an element only occurs inside others of the same feature, the outer one is counted. */
const countedElements: Record<string, readonly string[]> = {
  'html-table': ['table'],
  'html-lists': ['ul', 'ol', 'dl'],
  'html-select': ['select'],
  'html-object': ['object'],
  'html-picture': ['picture'],
  'html-video': ['video'],
  'html-audio': ['audio'],
  'html-ruby': ['ruby'],
};

export const detectors: Detectors = compile();

function compile(): Detectors {
  const found: Detectors = {
    byProperty: new Map(),
    byToken: new Map(),
    everyDeclaration: [],
    bySelectorToken: new Map(),
    bySelectorTest: [],
    grouped: [],
    afterComment: [],
    nesting: [],
    percentageKeyframes: [],
    atRules: new Map(),
    media: [],
    elements: new Map(),
    attributes: new Map(),
    images: new Map(),
    styleElements: { everywhere: [], body: [], 'after-content': [] },
    inlineComments: [],
    bodyElement: [],
  };
  for (const { slug, notes } of features) {
    for (const rule of ruleTable[slug] ?? []) add(found, slug, rule);
    for (const [number, text] of notes) {
      const reading = readNote(slug, number, text);
      const rules = reading?.kind === 'rules' ? reading.rules : reading?.kind === 'account' ? reading.lacks : undefined;
      for (const rule of rules ?? []) add(found, `${slug}#${number}`, rule);
    }
  }
  return found;
}

function push<T>(map: Map<string, T[]>, name: string, value: T): void {
  const list = map.get(name);
  if (list) list.push(value);
  else map.set(name, [value]);
}

function add(found: Detectors, key: string, rule: FeatureRule): void {
  switch (rule.on) {
    case 'declaration':
      return addDeclaration(found, key, rule);
    case 'selector':
      if (rule.token) push(found.bySelectorToken, rule.token, key);
      else if (rule.when) found.bySelectorTest.push({ key, test: rule.when });
      break;
    case 'style-rule':
      if (rule.when === 'grouped') found.grouped.push({ key, ...(rule.test && { test: rule.test }) });
      else if (rule.when === 'after-comment') found.afterComment.push(key);
      break;
    case 'inline-comment':
      if (key.includes('#')) found.inlineComments.push(key);
      break;
    case 'nesting':
      found.nesting.push({ ...rule, key });
      break;
    case 'keyframe':
      found.percentageKeyframes.push(key);
      break;
    case 'at-rule':
      for (const name of rule.names) push(found.atRules, name, { ...rule, key });
      break;
    case 'media':
      found.media.push({ key, when: rule.when });
      break;
    case 'element':
      for (const name of rule.names)
        if (countedElements[key]?.includes(name) ?? true)
          push(found.elements, name, { key, ...(rule.when && { when: rule.when }) });
      break;
    case 'attribute':
      addAttribute(found, key, rule);
      break;
    // Clients that set an attribute themselves overwrite the message's.
    case 'forced-attribute':
      push(found.attributes, rule.name, {
        key,
        elements: { only: rule.elements },
        when: (value) => value !== rule.value,
      });
      break;
    case 'image':
      push(found.images, rule.format, { key, ...(rule.when && { when: rule.when }) });
      break;
    case 'style-element':
      found.styleElements[rule.where].push(key);
      break;
    case 'document':
      if (rule.effect === 'body-to-div') found.bodyElement.push(key);
      break;
    default:
      rule satisfies never;
  }
}

function addAttribute(found: Detectors, key: string, rule: Extract<FeatureRule, { on: 'attribute' }>): void {
  const { effect, when } = rule;
  // A value that the client would write just so is none of the note's business.
  const changes =
    typeof effect === 'function' && key.includes('#') ? (value: string) => effect(value) !== value : undefined;
  const test = changes && when ? (value: string) => when(value) && changes(value) : (changes ?? when);
  for (const name of rule.names)
    push(found.attributes, name, {
      key,
      ...(rule.elements && { elements: rule.elements }),
      ...(test && { when: test }),
    });
}

function addDeclaration(found: Detectors, key: string, rule: DeclarationRule): void {
  const { effect, when } = rule;
  const changes =
    typeof effect === 'function' && key.includes('#')
      ? (facts: DeclarationFacts) => isChanged(effect(facts), facts)
      : undefined;
  const test = changes && when ? (facts: DeclarationFacts) => when(facts) && changes(facts) : (changes ?? when);
  const detector: Keyed<DeclarationDetector> = {
    key,
    ...(test && { when: test }),
    ...(rule.place && { place: rule.place }),
    ...(rule.elements && { elements: rule.elements }),
    ...(rule.token && rule.properties[0] !== '*' && { properties: rule.properties }),
  };
  if (rule.token) push(found.byToken, rule.token, detector);
  else if (rule.properties.includes('*')) found.everyDeclaration.push(detector);
  else for (const name of rule.properties) push(found.byProperty, name, detector);
}

function isChanged(left: { property?: string; value: string } | null, facts: DeclarationFacts): boolean {
  return !left || left.value !== facts.value.text || (left.property !== undefined && left.property !== facts.property);
}
