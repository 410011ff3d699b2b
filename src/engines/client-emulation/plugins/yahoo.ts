// Yahoo Mail and AOL Mail. Sources: data/clients/sources.json, yahoo-*.

import { walk, type Atrule, type CssNode, type List, type Rule, type Selector } from 'css-tree';
import { followsComment, parseStyleSheet } from '../../css/index.ts';
import { elementsOf, removeAttribute, type Plugin, type WorkingDocument } from '../working-document.ts';
import { dropDataPictures, inStyleElements, unwrapElements, type Habit } from './client-habits.ts';
import { linkText } from './link-text.ts';
import {
  prependRoot,
  renameNames,
  selectorsOf,
  styleRulesOf,
  unmatchBody,
  useClientDoctype,
  wrapBody,
} from './message-scope.ts';

/** Yahoo's own differs from message to message; this one only has to be the same every time. */
const SCOPE = 'yiv7301';

export const yahooPlugin: Plugin = (doc) => {
  unwrapElements(doc, new Set(['ins']));
  inStyleElements(doc, opensComments);
  dropDataPictures(doc);
  for (const style of doc.styles) {
    cutAtComma(doc, style.ast.children);
    acceptAnyImportance(style.ast);
  }
  linkText(doc, { kinds: ['url', 'email', 'domain'], attributes: () => ({}) });
  for (const el of elementsOf(doc.body)) if (el.tagName === 'img') removeAttribute(el, 'class');
  // A class that starts with "-" is taken from the HTML (email-bugs#22).
  renameNames(doc.body, (name) => (name.startsWith('-') ? undefined : SCOPE + name));
  for (const rule of styleRulesOf(doc)) {
    // The comment becomes one more scope before the selector (howtotarget#37), which then matches nothing.
    if (followsComment(rule)) rule.block.children.clear();
    readAmpersand(rule);
    for (const selector of selectorsOf(rule)) rewriteSelector(selector);
  }
  unmatchBody(doc);
  // What body says of its colors is lost (caniemail issue 212, 2021-11-30).
  wrapBody(doc, [{ id: SCOPE }], 'nothing');
  useClientDoctype(doc);
};

/** A comment in a value loses its marks, and its text is the value (howtotarget, 2020-03-23). */
const opensComments: Habit = (_property, value) =>
  value.includes('/*') ? value.replaceAll(/\/\*|\*\//g, ' ').trim() : undefined;

/**
 * The end of a sheet goes from a media query with a comma on: nothing after its first condition survives
 * (email-bugs#149).
 */
function cutAtComma(doc: WorkingDocument, nodes: List<CssNode>): void {
  let isCut = false;
  nodes.forEach((node, item, list) => {
    isCut ||= node.type === 'Atrule' && isMediaList(node);
    if (isCut) list.remove(item);
  });
  if (isCut) doc.notes.push('Yahoo drops everything in a style element from a media query with a comma on.');
}

function isMediaList(rule: Atrule): boolean {
  if (rule.name.toLowerCase() !== 'media' || !rule.prelude) return false;
  let conditions = 0;
  walk(rule.prelude, (node: CssNode) => {
    if (node.type === 'MediaQuery') conditions++;
  });
  return conditions > 1;
}

/** `red !yahoo` is a declaration like any other: any word may follow the exclamation mark. */
function acceptAnyImportance(sheet: CssNode): void {
  walk(sheet, (node: CssNode) => {
    if (node.type === 'Declaration' && typeof node.important === 'string') node.important = false;
  });
}

/** `.&` stands for the scope itself, which makes it a way to find this client. */
function readAmpersand(rule: Rule): void {
  if (rule.prelude.type !== 'Raw' || !rule.prelude.value.includes('.&')) return;
  const text = rule.prelude.value.replaceAll('.&', ' ');
  const sheet = parseStyleSheet(`${text || '*'}{}`).children.first;
  if (sheet?.type === 'Rule') rule.prelude = sheet.prelude;
}

/** Scopes a selector as Yahoo does, with its mistakes about names (email-bugs#22). */
function rewriteSelector(selector: Selector): void {
  selector.children.forEach((part, item, list) => {
    if (part.type === 'IdSelector') part.name = SCOPE + part.name;
    if (part.type !== 'ClassSelector') return;
    if (part.name.startsWith('_')) {
      list.replace(item, list.createItem({ type: 'TypeSelector', name: part.name.replace(/^_+/, '') || '*' }));
    } else part.name = SCOPE + part.name.replace(/__$/, '_');
  });
  prependRoot(selector, { id: SCOPE });
}
