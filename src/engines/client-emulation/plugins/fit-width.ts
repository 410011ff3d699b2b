// Mail apps on phones zoom a message out until it fits the screen (data/clients/sources.json, gmail-auto-fit). Nothing
// is laid out here, so the width that a message insists on is worked out from what it says: widths in pixels, unless
// something in force at this screen makes the element fluid.

import { generate, type Atrule, type CssNode, type List, type Rule } from 'css-tree';
import { appearanceOf } from '../appearance.ts';
import { indexElements, subjectsOf } from '../selector-subjects.ts';
import type { ClientProfile } from '../types.ts';
import {
  attributeOf,
  elementsOf,
  inlineStyleOf,
  setInlineDeclaration,
  valueOf,
  type Element,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';

/** A message hardly wider than the screen is left alone. */
const WORTH_ZOOMING = 1.02;
/** Wider than any screen that a message is made for: most likely a mistake, and not what the app lays out. */
const WIDTH_MAX = 2000;

/** Not cells: what they say of their width gives way to their table's. Not inline elements: they have none. */
const SIZED = new Set(['table', 'div', 'img', 'p', 'center', 'section', 'hr', 'h1', 'h2', 'h3', 'ul', 'ol', 'video']);

/** Zooms the page out when the message insists on more width than the screen has. */
export const fitWidthPlugin: Plugin = (doc, client) => {
  const screen = client.viewport.width;
  const insisted = insistedWidth(doc, client);
  const needed = insisted + 2 * marginOf(client);
  if (insisted === 0 || needed <= screen * WORTH_ZOOMING) return;
  const zoom = screen / needed;
  setInlineDeclaration(doc, doc.html, 'zoom', zoom.toFixed(4));
  doc.notes.push(
    `The message is ${insisted} px wide whatever the screen; the app zooms it out to ${Math.round(zoom * 100)} %.`,
  );
};

function marginOf(client: ClientProfile): number {
  return Number.parseFloat(appearanceOf(client).body['margin'] ?? '8') || 0;
}

/** The widest element that can't be narrower, in CSS pixels; 0 when everything is fluid. */
function insistedWidth(doc: WorkingDocument, client: ClientProfile): number {
  const sheet = widthsInSheets(doc, client);
  let widest = 0;
  for (const el of elementsOf(doc.body)) {
    if (!SIZED.has(el.tagName)) continue;
    // Samsung fits a table with a width attribute as a whole, whatever media queries say (email-bugs#73, 2022-02-15).
    const least = client.family === 'Samsung Email' && el.tagName === 'table' ? (attributeWidth(el)?.pixels ?? 0) : 0;
    const width = Math.max(least, widthOf(doc, el, sheet.get(el)));
    if (width > widest && width <= WIDTH_MAX) widest = width;
  }
  return widest;
}

/** What style sheets say of an element's width at this screen: later and important rules win. */
interface SheetWidth {
  width?: Size;
  maxWidth?: Size;
  minWidth?: Size;
  hidden?: boolean;
}

interface Size {
  /** Undefined for percentages, `auto` and everything else that follows the screen. */
  pixels?: number;
  important: boolean;
}

function widthOf(doc: WorkingDocument, el: Element, sheet: SheetWidth = {}): number {
  const inline: SheetWidth = {};
  const style = inlineStyleOf(doc, el);
  if (style) readBlock(style.children, inline);
  const width = winner(sheet.width, inline.width) ?? attributeWidth(el);
  const most = winner(sheet.maxWidth, inline.maxWidth);
  const least = winner(sheet.minWidth, inline.minWidth)?.pixels ?? 0;
  if (sheet.hidden || inline.hidden) return 0;
  // A limit that follows the screen makes the element fluid; one in pixels bounds it.
  const pixels = most && most.pixels === undefined ? 0 : Math.min(width?.pixels ?? 0, most?.pixels ?? Infinity);
  return Math.max(pixels, least);
}

function winner(sheet: Size | undefined, inline: Size | undefined): Size | undefined {
  if (!inline) return sheet;
  return sheet?.important && !inline.important ? sheet : inline;
}

function attributeWidth(el: Element): Size | undefined {
  const value = /^\s*(\d{1,5})(?:px)?\s*$/.exec(attributeOf(el, 'width') ?? '')?.[1];
  return value === undefined ? undefined : { pixels: Number(value), important: false };
}

const fieldOf: Record<string, 'width' | 'maxWidth' | 'minWidth'> = {
  width: 'width',
  'max-width': 'maxWidth',
  'min-width': 'minWidth',
};

function readBlock(nodes: List<CssNode>, into: SheetWidth): void {
  nodes.forEach((node) => {
    if (node.type !== 'Declaration') return;
    const property = node.property.toLowerCase();
    const important = node.important === true;
    if (property === 'display' && /^\s*none\s*$/i.test(valueOf(node))) into.hidden = true;
    const field = fieldOf[property];
    if (!field || (into[field]?.important && !important)) return;
    const value = valueOf(node).trim();
    if (field === 'maxWidth' && /^none$/i.test(value)) delete into.maxWidth;
    else into[field] = { ...pixelsIn(value), important };
  });
}

function pixelsIn(value: string): { pixels?: number } {
  const match = /^(\d+(?:\.\d+)?)(px|pt)?$/i.exec(value);
  if (!match) return {};
  return { pixels: Number(match[1]) * (match[2]?.toLowerCase() === 'pt' ? 4 / 3 : 1) };
}

function widthsInSheets(doc: WorkingDocument, client: ClientProfile): Map<Element, SheetWidth> {
  const found = new Map<Element, SheetWidth>();
  const index = indexElements(doc);
  for (const style of doc.styles) {
    for (const rule of rulesInForce(style.ast.children, client)) {
      const said: SheetWidth = {};
      readBlock(rule.block.children, said);
      if (Object.keys(said).length === 0) continue;
      for (const el of subjectsOf(index, rule)) {
        const known = found.get(el) ?? {};
        readBlock(rule.block.children, known);
        found.set(el, known);
      }
    }
  }
  return found;
}

/** The style rules that apply at the client's screen, in order. */
function rulesInForce(nodes: List<CssNode>, client: ClientProfile): Rule[] {
  const rules: Rule[] = [];
  nodes.forEach((node) => {
    if (node.type === 'Rule') rules.push(node);
    if (node.type === 'Atrule' && node.block && node.name.toLowerCase() === 'media' && isInForce(node, client)) {
      node.block.children.forEach((inner) => {
        if (inner.type === 'Rule') rules.push(inner);
      });
    }
  });
  return rules;
}

/** Media queries of widths and of nothing else; any other condition is taken as not met. */
function isInForce(rule: Atrule, client: ClientProfile): boolean {
  if (!rule.prelude) return true;
  return generate(rule.prelude)
    .toLowerCase()
    .split(',')
    .some((query) => {
      const rest = query
        .replace(/^\s*only\s+/, '')
        .replace(/\((min|max)-(?:device-)?width:\s*([\d.]+)px\)/g, (found, bound: string, px: string) => {
          const isMet = bound === 'max' ? client.viewport.width <= Number(px) : client.viewport.width >= Number(px);
          return isMet ? '' : found;
        });
      return /^(?:screen|all|and|\s)*$/.test(rest);
    });
}
