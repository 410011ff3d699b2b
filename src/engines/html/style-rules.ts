// The style rules of a document, with where they stand in the source and whom they select.
import { parse, type Atrule, type CssNode, type Rule } from 'css-tree';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import {
  compileSelector,
  declarationsOf,
  type CompiledSelector,
  type CssDeclaration,
  type SelectorMode,
} from '../css/index.ts';
import { attributeOf } from './walk-elements.ts';

export interface StyleRule {
  /** One per selector of the list; `compiled` is missing for what has no meaning here. */
  selectors: { text: string; compiled: CompiledSelector | undefined }[];
  declarations: CssDeclaration[];
  /** Position in the cascade among all rules. */
  order: number;
  /** True inside at-rules, and in sheets whose media is not everywhere: then it stays where it is. */
  isConditional: boolean;
  /** Offsets into `sheet.css`. */
  start: number;
  preludeEnd: number;
  end: number;
  sheet: StyleSheetSource;
}

export interface StyleSheetSource {
  element: Tree.Element;
  css: string;
  /** Offset of `css` in the document. */
  offset: number;
}

/** More rules than this stay in their style sheets. */
const RULES_MAX = 20_000;
/** At-rules with rules inside that apply to elements; others, such as keyframes, are not looked into. */
const GROUPING = new Set(['media', 'supports', 'layer', 'container', 'scope', '-moz-document', 'document']);

/** All style rules in the order of the cascade. */
export function readStyleRules(sheets: StyleSheetSource[], mode: SelectorMode): StyleRule[] {
  const rules: StyleRule[] = [];
  for (const sheet of sheets) {
    const tree = parse(sheet.css, { positions: true, parseCustomProperty: false, onParseError: () => {} });
    const isConditional = !isForScreen(attributeOf(sheet.element, 'media'));
    readChildren(tree, { sheet, mode, rules, isConditional });
  }
  return rules;
}

interface Reading {
  sheet: StyleSheetSource;
  mode: SelectorMode;
  rules: StyleRule[];
  isConditional: boolean;
}

function readChildren(parent: CssNode, reading: Reading): void {
  if (parent.type !== 'StyleSheet' && parent.type !== 'Block') return;
  for (const node of parent.children) {
    if (reading.rules.length >= RULES_MAX) return;
    if (node.type === 'Rule') readRule(node, reading);
    else if (node.type === 'Atrule') readAtrule(node, reading);
  }
}

function readAtrule(node: Atrule, reading: Reading): void {
  if (node.block && GROUPING.has(node.name.toLowerCase()))
    readChildren(node.block, { ...reading, isConditional: true });
}

function readRule(node: Rule, { sheet, mode, rules, isConditional }: Reading): void {
  if (!node.loc || !node.prelude.loc || node.prelude.type !== 'SelectorList') return;
  const selectors = [...node.prelude.children].map((selector) => ({
    text: sheet.css.slice(selector.loc!.start.offset, selector.loc!.end.offset).trim(),
    compiled: selector.type === 'Selector' ? compileSelector(selector, mode) : undefined,
  }));
  // Nested rules would be lost with the rule they stand in.
  const hasNested = [...node.block.children].some((child) => child.type === 'Rule' || child.type === 'Atrule');
  rules.push({
    selectors,
    declarations: declarationsOf(node.block, sheet.css),
    order: rules.length,
    isConditional: isConditional || hasNested,
    start: node.loc.start.offset,
    preludeEnd: node.prelude.loc.end.offset,
    end: node.loc.end.offset,
    sheet,
  });
}

function isForScreen(media: string | undefined): boolean {
  const query = (media ?? '').trim().toLowerCase();
  return query === '' || query === 'all' || query === 'screen';
}
