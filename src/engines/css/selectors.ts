// Matches CSS selectors against a parsed document, without a browser (Selectors Level 4, what does not depend on
// state).
import {
  ident,
  type AttributeSelector,
  type CssNode,
  type Nth,
  type PseudoClassSelector,
  type Selector,
} from 'css-tree';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** Counts [ids, classes, types], compared from the left. */
export type Specificity = readonly [number, number, number];

/** How much matching may go on; shared by all selectors of a document, so that no pair of lists can take forever. */
export interface MatchBudget {
  stepsLeft: number;
}

export interface CompiledSelector {
  specificity: Specificity;
  /** False when the match depends on state (`:hover`), on a pseudo-element, or on something unknown. */
  isStatic: boolean;
  /** True when it selects a pseudo-element, which has no style attribute. */
  isPseudoElement: boolean;
  /** Whether an element matches, taking state for granted. Always false once the budget is spent. */
  matches(element: Tree.Element, budget: MatchBudget): boolean;
  /** The same for the last compound alone, whatever stands around the element. */
  matchesSubject(element: Tree.Element, budget: MatchBudget): boolean;
}

export interface SelectorMode {
  /** Quirks mode: classes and ids ignore case. */
  isQuirks: boolean;
}

type Test = (element: Tree.Element, budget: MatchBudget) => boolean;

interface Compound {
  tests: Test[];
  /** How it follows the compound to its left; empty for the first. */
  combinator: string;
}

/** Longer selectors are not written by anyone, and matching is recursive. */
const COMPOUNDS_MAX = 64;

interface Draft {
  compounds: Compound[];
  specificity: [number, number, number];
  isStatic: boolean;
  isPseudoElement: boolean;
  mode: SelectorMode;
}

/** Undefined for a selector that has no meaning here (nesting, namespaces, unknown functions). */
export function compileSelector(selector: Selector, mode: SelectorMode): CompiledSelector | undefined {
  const draft: Draft = {
    compounds: [{ tests: [], combinator: '' }],
    specificity: [0, 0, 0],
    isStatic: true,
    isPseudoElement: false,
    mode,
  };
  for (const node of selector.children) if (!add(draft, node)) return undefined;
  if (draft.compounds.length > COMPOUNDS_MAX) return undefined;
  const { compounds, specificity, isStatic, isPseudoElement } = draft;
  const last = compounds.length - 1;
  if (compounds.some((compound) => compound.tests.length === 0)) return undefined;
  return {
    specificity,
    isStatic,
    isPseudoElement,
    matches: (element, budget) => matchFrom(compounds, last, { element, budget }),
    matchesSubject: (element, budget) => passes(compounds[last]!, element, budget),
  };
}

/** Negative when `a` is weaker. */
export function compareSpecificity(a: Specificity, b: Specificity): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function passes(compound: Compound, element: Tree.Element, budget: MatchBudget): boolean {
  return compound.tests.every((test) => budget.stepsLeft-- > 0 && test(element, budget));
}

function matchFrom(compounds: Compound[], index: number, at: { element: Tree.Element; budget: MatchBudget }): boolean {
  const { element, budget } = at;
  const compound = compounds[index]!;
  if (!passes(compound, element, budget)) return false;
  if (index === 0) return true;
  const isOnce = compound.combinator === '>' || compound.combinator === '+';
  const isSideways = compound.combinator === '+' || compound.combinator === '~';
  if (isSideways) budget.stepsLeft -= element.parentNode?.childNodes.length ?? 0;
  const step = isSideways ? previousElement : parentElement;
  for (let next = step(element); next; next = step(next)) {
    if (matchFrom(compounds, index - 1, { element: next, budget })) return true;
    if (isOnce || budget.stepsLeft <= 0) return false;
  }
  return false;
}

function parentElement(element: Tree.Element): Tree.Element | undefined {
  const parent = element.parentNode;
  return parent && 'tagName' in parent ? parent : undefined;
}

function siblingsOf(element: Tree.Element): Tree.Element[] {
  return (element.parentNode?.childNodes ?? [element]).filter((node) => 'tagName' in node);
}

function previousElement(element: Tree.Element): Tree.Element | undefined {
  const siblings = element.parentNode?.childNodes ?? [];
  for (let index = siblings.indexOf(element) - 1; index >= 0; index--) {
    const node = siblings[index]!;
    if ('tagName' in node) return node;
  }
  return undefined;
}

function add(draft: Draft, node: CssNode): boolean {
  const { tests } = draft.compounds.at(-1)!;
  const fold = (text: string) => (draft.mode.isQuirks ? text.toLowerCase() : text);
  switch (node.type) {
    case 'TypeSelector': {
      const name = ident.decode(node.name).toLowerCase();
      // After other tests, or with a namespace, it is none to browsers (the habitual `v\\:*` is such a case).
      if (name.includes('|') || tests.length > 0) return false;
      if (name !== '*') draft.specificity[2] += 1;
      tests.push((element) => name === '*' || element.tagName.toLowerCase() === name);
      return true;
    }
    case 'ClassSelector': {
      const name = fold(ident.decode(node.name));
      draft.specificity[1] += 1;
      tests.push((element) => words(fold(valueOf(element, 'class') ?? '')).includes(name));
      return true;
    }
    case 'IdSelector': {
      const name = fold(ident.decode(node.name));
      draft.specificity[0] += 1;
      tests.push((element) => fold(valueOf(element, 'id') ?? '') === name);
      return true;
    }
    case 'AttributeSelector':
      draft.specificity[1] += 1;
      tests.push(attributeTest(node));
      return true;
    case 'PseudoElementSelector':
      draft.specificity[2] += 1;
      draft.isStatic = false;
      draft.isPseudoElement = true;
      tests.push(() => true);
      return true;
    case 'PseudoClassSelector':
      return addPseudoClass(draft, node);
    case 'Combinator':
      draft.compounds.push({ tests: [], combinator: node.name.trim() });
      return [' ', '>', '+', '~'].includes(node.name);
    default:
      return false;
  }
}

function valueOf(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

function words(text: string): string[] {
  return text.split(/[ \t\n\f\r]+/).filter(Boolean);
}

function attributeTest(node: AttributeSelector): Test {
  const name = ident.decode(node.name.name).toLowerCase();
  const wanted =
    node.value === null ? '' : node.value.type === 'String' ? node.value.value : ident.decode(node.value.name);
  const isFolded = node.flags?.toLowerCase() === 'i';
  const fold = (text: string) => (isFolded ? text.toLowerCase() : text);
  const expected = fold(wanted);
  return (element) => {
    const value = valueOf(element, name);
    return value !== undefined && compareAttribute(fold(value), node.matcher, expected);
  };
}

function compareAttribute(value: string, matcher: string | null, expected: string): boolean {
  switch (matcher) {
    case null:
      return true;
    case '=':
      return value === expected;
    case '~=':
      return words(value).includes(expected);
    case '|=':
      return value === expected || value.startsWith(`${expected}-`);
    case '^=':
      return expected !== '' && value.startsWith(expected);
    case '$=':
      return expected !== '' && value.endsWith(expected);
    case '*=':
      return expected !== '' && value.includes(expected);
    default:
      return false;
  }
}

/** The old spelling with a single colon. */
const OLD_PSEUDO_ELEMENTS = new Set(['before', 'after', 'first-line', 'first-letter']);
const ALIKE = new Set(['is', 'where', 'matches', 'any', '-webkit-any', '-moz-any']);

const PLAIN_PSEUDO_CLASSES = new Map<string, Test>([
  ['root', (element) => parentElement(element) === undefined],
  ['any-link', (element) => ['a', 'area'].includes(element.tagName) && valueOf(element, 'href') !== undefined],
  [
    'empty',
    (element) =>
      element.childNodes.every((node) => node.nodeName === '#comment' || ('value' in node && node.value === '')),
  ],
  ['first-child', (element) => positionOf(element, { isLast: false, isOfType: false }) === 1],
  ['last-child', (element) => positionOf(element, { isLast: true, isOfType: false }) === 1],
  ['only-child', (element) => siblingsOf(element).length === 1],
  ['first-of-type', (element) => positionOf(element, { isLast: false, isOfType: true }) === 1],
  ['last-of-type', (element) => positionOf(element, { isLast: true, isOfType: true }) === 1],
  [
    'only-of-type',
    (element) => siblingsOf(element).filter((sibling) => sibling.tagName === element.tagName).length === 1,
  ],
]);

function addPseudoClass(draft: Draft, node: PseudoClassSelector): boolean {
  const name = ident.decode(node.name).toLowerCase();
  const { tests } = draft.compounds.at(-1)!;
  const plain = PLAIN_PSEUDO_CLASSES.get(name);
  if (OLD_PSEUDO_ELEMENTS.has(name)) return add(draft, { type: 'PseudoElementSelector', name, children: null });
  if (name === 'not' || ALIKE.has(name)) return addList(draft, name, node);
  draft.specificity[1] += 1;
  if (plain) {
    tests.push(counted(plain));
    return true;
  }
  const argument = node.children?.first;
  if (/^nth-(last-)?(child|of-type)$/.test(name) && argument?.type === 'Nth' && argument.selector === null) {
    const place = { isLast: name.includes('last'), isOfType: name.endsWith('type') };
    const isWanted = progression(argument);
    tests.push(counted((element) => isWanted(positionOf(element, place))));
    return true;
  }
  // The rest is state (`:hover`) or unknown; with an argument its meaning cannot be guessed.
  draft.isStatic = false;
  tests.push(() => true);
  return node.children === null;
}

/** Looking at siblings costs as much as there are. */
function counted(test: Test): Test {
  return (element, budget) => {
    budget.stepsLeft -= element.parentNode?.childNodes.length ?? 0;
    return test(element, budget);
  };
}

function addList(draft: Draft, name: string, node: PseudoClassSelector): boolean {
  const list = node.children?.first;
  if (list?.type !== 'SelectorList') return false;
  const inner = [...list.children].map((child) =>
    child.type === 'Selector' ? compileSelector(child, draft.mode) : undefined,
  );
  if (inner.some((compiled) => compiled === undefined || compiled.isPseudoElement)) return false;
  const compiled = inner as CompiledSelector[];
  const strongest = compiled
    .map(({ specificity }) => specificity)
    .sort(compareSpecificity)
    .at(-1) ?? [0, 0, 0];
  if (name !== 'where') for (const place of [0, 1, 2] as const) draft.specificity[place] += strongest[place];
  if (compiled.some((selector) => !selector.isStatic)) draft.isStatic = false;
  const some: Test = (element, budget) => compiled.some((selector) => selector.matches(element, budget));
  draft.compounds.at(-1)!.tests.push(name === 'not' ? (element, budget) => !some(element, budget) : some);
  return true;
}

function positionOf(element: Tree.Element, place: { isLast: boolean; isOfType: boolean }): number {
  const siblings = siblingsOf(element).filter((sibling) => !place.isOfType || sibling.tagName === element.tagName);
  const index = siblings.indexOf(element);
  return place.isLast ? siblings.length - index : index + 1;
}

/** `an+b`: true for the positions it names, counted from 1. */
function progression({ nth }: Nth): (position: number) => boolean {
  if (nth.type === 'Identifier') return (position) => position % 2 === (nth.name === 'odd' ? 1 : 0);
  const a = Number(nth.a ?? 0);
  const b = Number(nth.b ?? 0);
  return (position) => (a === 0 ? position === b : (position - b) % a === 0 && (position - b) / a >= 0);
}
