// Moves style sheets into style attributes, editing the source in place: all that need not change stays byte for byte.
import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  compareSpecificity,
  overlaps,
  parseStyleAttribute,
  type CssDeclaration,
  type MatchBudget,
  type Specificity,
} from '../css/index.ts';
import type { ReadDocument } from './read-document.ts';
import { readStyleRules, type StyleRule, type StyleSheetSource } from './style-rules.ts';
import { attributeOf, conditionalContent, textInside } from './walk-elements.ts';

/** Elements that are never seen, so that no style belongs on them. */
const UNSEEN = new Set([
  'head',
  'title',
  'meta',
  'base',
  'link',
  'style',
  'script',
  'noscript',
  'template',
  'param',
  'source',
  'track',
]);
const HTML = 'http://www.w3.org/1999/xhtml';
/** Enough for the largest real mails many times over; what is not matched by then stays in its style sheet. */
const MATCH_STEPS_MAX = 30_000_000;

/**
 * The parser clears a buffer as large as the largest text it ever saw for every text it reads, so that one huge text
 * makes all later ones slow. Larger style sheets and attributes are left alone.
 */
const SHEET_LENGTH_MAX = 200_000;
const ATTRIBUTE_LENGTH_MAX = 20_000;

/** What an applied declaration costs of the same budget, besides its length: it bounds the memory as well. */
const STEPS_PER_DECLARATION = 20;

interface Applied {
  declaration: CssDeclaration;
  specificity: Specificity;
  order: number;
}

interface Styled {
  element: Tree.Element;
  own: CssDeclaration[];
  applied: Applied[];
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Page {
  html: string;
  styled: Styled[];
  /** Elements in conditional comments, which other clients see. */
  hidden: Tree.Element[];
  sheets: StyleSheetSource[];
  isQuirks: boolean;
}

/**
 * The document with its style sheets applied to style attributes, by the rules of the cascade (CSS Cascade 4 §6). What
 * an attribute cannot express stays in its style element: at-rules, states such as `:hover`, rules that select nothing
 * here or something in a conditional comment. Declarations that stay and used to win are made important where they have
 * to be. Line ends become LF.
 */
export function inlineStyles(html: string): string {
  const text = html.replace(/\r\n?/g, '\n');
  const page = readPage(text, parse(text, OPTIONS));
  const { kept, budget } = applyAll(page);
  const edits = [
    ...page.styled.filter(({ applied }) => applied.length > 0).map((styled) => attributeEdit(styled, page.html)),
    ...page.sheets.flatMap((sheet) => sheetEdits(sheet, { kept, page, budget })),
  ];
  return applyEdits(page.html, edits);
}

const OPTIONS = { sourceCodeLocationInfo: true, scriptingEnabled: false };

/**
 * The style attributes that {@link inlineStyles} changes, by where the element's tag stands in the source. `known` is
 * the same HTML, read already.
 */
export function inlinedAttributes(html: string, known?: ReadDocument): Map<number, string> {
  const page = readPage(html, known?.isComplete ? known.document : parse(html, OPTIONS));
  applyAll(page);
  const changed = page.styled.filter(({ applied }) => applied.length > 0);
  return new Map(
    changed.map((styled) => [styled.element.sourceCodeLocation!.startTag!.startOffset, tidy(styleOf(styled))]),
  );
}

/** Applies every rule, and answers the selectors of each that stay. */
function applyAll(page: Page): Pick<Remains, 'kept' | 'budget'> {
  const rules = readStyleRules(page.sheets, { isQuirks: page.isQuirks });
  const budget: MatchBudget = { stepsLeft: MATCH_STEPS_MAX };
  return { kept: new Map(rules.map((rule) => [rule, apply(rule, page, budget)])), budget };
}

function readPage(html: string, document: Tree.Document): Page {
  const page: Page = { html, styled: [], hidden: [], sheets: [], isQuirks: document.mode === 'quirks' };
  const starts = new Set<number>();
  const own = new Map<string, CssDeclaration[]>();
  const ownOf = (style: string) => {
    const known = own.get(style) ?? parseStyleAttribute(style);
    own.set(style, known);
    return known;
  };
  const stack: Tree.Node[] = [...document.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#comment') page.hidden.push(...elementsInComment((node as Tree.CommentNode).data));
    if (!('tagName' in node)) continue;
    const start = node.sourceCodeLocation?.startTag?.startOffset;
    // Misnested formatting makes two elements of one tag, which has but one style attribute.
    const style = attributeOf(node, 'style') ?? '';
    if (
      start !== undefined &&
      !starts.has(start) &&
      !UNSEEN.has(node.tagName) &&
      style.length <= ATTRIBUTE_LENGTH_MAX
    ) {
      starts.add(start);
      page.styled.push({ element: node, own: ownOf(style), applied: [] });
    }
    if (node.tagName === 'style' && node.namespaceURI === HTML) addSheet(page, node);
    for (let index = node.childNodes.length - 1; index >= 0; index--) stack.push(node.childNodes[index]!);
  }
  return page;
}

function addSheet(page: Page, element: Tree.Element): void {
  const type = attributeOf(element, 'type')?.trim().toLowerCase() ?? '';
  const offset = element.childNodes[0]?.sourceCodeLocation?.startOffset;
  const css = textInside(element);
  const isCss = (type === '' || type === 'text/css') && css.length <= SHEET_LENGTH_MAX;
  if (isCss && offset !== undefined) page.sheets.push({ element, css, offset });
}

function elementsInComment(comment: string): Tree.Element[] {
  const content = conditionalContent(comment);
  if (content === undefined) return [];
  const found: Tree.Element[] = [];
  const stack: Tree.Node[] = [parseFragment(content)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) stack.push(child);
  }
  return found;
}

/** Applies what can be applied of a rule and returns the selectors that must stay. */
function apply(rule: StyleRule, page: Page, budget: MatchBudget): StyleRule['selectors'] {
  if (rule.isConditional || rule.declarations.length === 0) return rule.selectors;
  const weight = rule.declarations.reduce(
    (sum, { property, value }) => sum + property.length + value.length + STEPS_PER_DECLARATION,
    0,
  );
  return rule.selectors.filter(({ compiled }) => {
    if (!compiled?.isStatic || budget.stepsLeft <= 0) return true;
    const matched = page.styled.filter(({ element }) => compiled.matches(element, budget));
    const isHidden = page.hidden.some((element) => compiled.matchesSubject(element, budget));
    budget.stepsLeft -= matched.length * weight;
    if (budget.stepsLeft <= 0) return true;
    const { specificity } = compiled;
    for (const { applied } of matched) {
      for (const declaration of rule.declarations) applied.push({ declaration, specificity, order: rule.order });
    }
    return matched.length === 0 || isHidden;
  });
}

/** The style of an element after what was applied to it. */
function styleOf({ element, own, applied }: Styled): string {
  const inOrder = applied.sort((a, b) => compareSpecificity(a.specificity, b.specificity) || a.order - b.order);
  const declarations = inOrder.map(({ declaration }) => declaration);
  const written = attributeOf(element, 'style')?.trim() ?? '';
  const added = withoutOverridden(declarations, own).map(
    ({ property, value, isImportant }) => `${property}: ${value}${isImportant ? ' !important' : ''}`,
  );
  return [...added, written].filter(Boolean).join('; ');
}

function attributeEdit(styled: Styled, html: string): Edit {
  const { element } = styled;
  const attribute = `style="${escapeAttribute(tidy(styleOf(styled)))}"`;
  const location = element.sourceCodeLocation!;
  const old = location.attrs?.['style'];
  if (old) return { start: old.startOffset, end: old.endOffset, text: attribute };
  // Right after the name: at the end of a tag, a slash may belong to an unquoted value.
  const nameEnd =
    location.startTag!.startOffset + 1 + /^[^\s/>]*/.exec(html.slice(location.startTag!.startOffset + 1))![0].length;
  return { start: nameEnd, end: nameEnd, text: ` ${attribute}` };
}

/** Drops what another valid declaration of the same property overrides anyway; fallbacks for old clients stay. */
function withoutOverridden(declarations: CssDeclaration[], own: CssDeclaration[]): CssDeclaration[] {
  const propertiesOf = (list: CssDeclaration[]) =>
    new Set(list.filter(({ isValid }) => isValid).map(({ property }) => property));
  const ownImportant = propertiesOf(own.filter(({ isImportant }) => isImportant));
  const important = propertiesOf([...declarations, ...own].filter(({ isImportant }) => isImportant));
  const later = { normal: propertiesOf(own), important: ownImportant };
  const keptFromLast: CssDeclaration[] = [];
  for (const declaration of declarations.toReversed()) {
    const { property, isImportant, isValid } = declaration;
    const stronger = isImportant ? later.important : later.normal;
    if (stronger.has(property) || (!isImportant && important.has(property))) continue;
    keptFromLast.push(declaration);
    if (isValid) stronger.add(property);
  }
  return keptFromLast.reverse();
}

/** On one line; double quotes become single ones where that is possible, as entities in styles are hard to read. */
function tidy(style: string): string {
  const quoted = style.includes("'") ? style : style.replaceAll('"', "'");
  return quoted.replaceAll(/\s*\n\s*/g, ' ');
}

const escapeAttribute = (style: string): string => style.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

interface Remains {
  /** The selectors of each rule that stay. */
  kept: Map<StyleRule, StyleRule['selectors']>;
  page: Page;
  budget: MatchBudget;
}

function sheetEdits(sheet: StyleSheetSource, { kept, page, budget }: Remains): Edit[] {
  const edits: Edit[] = [];
  for (const [rule, selectors] of kept) {
    if (rule.sheet !== sheet) continue;
    if (selectors.length === 0) edits.push({ start: rule.start, end: rule.end, text: '' });
    else if (selectors.length < rule.selectors.length) {
      edits.push({ start: rule.start, end: rule.preludeEnd, text: selectors.map(({ text }) => text).join(', ') });
    }
    const raised = raisedBy({ rule, selectors }, page, budget);
    edits.push(...raised.map(({ valueEnd }) => ({ start: valueEnd, end: valueEnd, text: ' !important' })));
  }
  const rest = applyEdits(sheet.css, edits);
  if (edits.some(({ text }) => text === '') && isEmptyCss(rest)) {
    const { startOffset, endOffset } = sheet.element.sourceCodeLocation!;
    return [{ start: startOffset, end: endOffset, text: '' }];
  }
  return edits.map(({ start, end, text }) => ({ start: start + sheet.offset, end: end + sheet.offset, text }));
}

/**
 * The declarations that stay, and would now lose against attributes although they used to win. Where that is so for
 * some elements and importance would be wrong for others, the greater number decides.
 */
function raisedBy(
  { rule, selectors }: Pick<StyleRule, 'selectors'> & { rule: StyleRule },
  { styled }: Page,
  budget: MatchBudget,
): CssDeclaration[] {
  const candidates = rule.declarations.filter(({ isImportant }) => !isImportant);
  const balances = new Map<CssDeclaration, number>();
  for (const { compiled } of selectors) {
    if (!compiled || compiled.isPseudoElement || candidates.length === 0) continue;
    for (const { element, own, applied } of styled) {
      budget.stepsLeft -= 1;
      const isConcerned = applied.length > 0 && compiled.matches(element, budget);
      if (isConcerned) budget.stepsLeft -= candidates.length * (applied.length + own.length);
      if (budget.stepsLeft <= 0) return [];
      if (!isConcerned) continue;
      for (const declaration of candidates) {
        const isRival = ({ property, isImportant }: CssDeclaration) =>
          !isImportant && overlaps(property, declaration.property);
        // From the same rule comes the same value.
        const rivals = applied.filter((entry) => entry.order !== rule.order && isRival(entry.declaration));
        const wins = (rival: Applied) =>
          (compareSpecificity(rival.specificity, compiled.specificity) || rival.order - rule.order) < 0;
        const isLostAnyway = own.some(({ property }) => overlaps(property, declaration.property));
        const change = isLostAnyway ? -1 : rivals.length === 0 ? 0 : rivals.every(wins) ? 1 : -1;
        balances.set(declaration, (balances.get(declaration) ?? 0) + change);
      }
    }
  }
  return candidates.filter((declaration) => (balances.get(declaration) ?? 0) > 0);
}

function isEmptyCss(css: string): boolean {
  return (
    css
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/<!--|-->/g, '')
      .trim() === ''
  );
}

function applyEdits(text: string, edits: Edit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, text: inserted } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(position, start) + inserted;
    position = end;
  }
  return result + text.slice(position);
}
