// Thunderbird's dark mode: it takes colors away, and the page behind is dark. It recolors nothing, so that what is dark
// already stays as it is. The rule is published with the program (source: thunderbird-dark).

import type { CssNode, List } from 'css-tree';
import { parseColor, replaceColors, type Color } from '../color/index.ts';
import {
  attributeOf,
  declarationOf,
  elementsOf,
  inlineStyleOf,
  removeAttribute,
  removeInlineDeclaration,
  setAttribute,
  setValue,
  valueOf,
  type Element,
  type WorkingDocument,
} from './working-document.ts';

/** Brighter than this, of 255, is too bright for a ground, and bright enough for text. */
const BRIGHT = 200;
/** Between text and its own ground; of plain brightness, not of luminance as in WCAG. */
const CONTRAST_MIN = 3.5;
/** A ground that lets this much or more of what is behind it through is none. */
const SEEN_FROM = 0.2;
/** Rules without declarations of their own: Thunderbird stops at the first of them, and leaves the rest as it is. */
const STOPS = /^(?:import|namespace|property|counter-style|(?:-(?:webkit|moz)-)?keyframes)$/i;

/** Takes colors out of a message as Thunderbird does in dark mode, in place. */
export function clearForDark(doc: WorkingDocument): void {
  for (const name of ['bgcolor', 'text', 'link', 'vlink']) removeAttribute(doc.body, name);
  for (const property of ['background-color', 'color']) removeInlineDeclaration(doc, doc.body, property);
  for (const el of [doc.html, ...elementsOf(doc.html)]) clearElement(doc, el);
  for (const { ast } of doc.styles) if (!clearSheet(ast.children)) return;
}

function clearElement(doc: WorkingDocument, el: Element): void {
  if (el.tagName === 'text') {
    const fill = attributeOf(el, 'fill');
    if (fill !== undefined && brightnessOf(fill) <= BRIGHT) setAttribute(el, 'fill', 'currentColor');
  }
  if (el.tagName === 'button') return;
  const style = attributeOf(el, 'style');
  const isColored = style !== undefined && /color|background/.test(style);
  if (!isColored && attributeOf(el, 'bgcolor') === undefined && attributeOf(el, 'color') === undefined) return;
  removeAttribute(el, 'bgcolor');
  removeAttribute(el, 'color');
  const declarations = inlineStyleOf(doc, el)?.children;
  if (declarations) clearBlock(declarations);
}

/** False: Thunderbird stops here, also for the sheets that follow. */
function clearSheet(nodes: List<CssNode>): boolean {
  for (const node of nodes.toArray()) {
    if (node.type === 'Atrule' && STOPS.test(node.name)) return false;
    if (node.type === 'Rule') clearBlock(node.block.children);
  }
  return true;
}

interface Painted {
  color: string;
  /** `background` says a color and nothing else, be it that there is none. */
  isPlain: boolean;
  /** What the ground is painted with: of `background` and of its parts, the last counts. */
  ground: string;
  image: string;
}

function paintedBy(nodes: List<CssNode>): Painted {
  const painted: Painted = { color: '', isPlain: false, ground: '', image: '' };
  nodes.forEach((node) => {
    if (node.type !== 'Declaration') return;
    const value = valueOf(node).trim();
    switch (node.property.toLowerCase()) {
      case 'color':
        painted.color = value;
        break;
      case 'background-color':
        painted.ground = value;
        break;
      case 'background-image':
        painted.image = value;
        break;
      case 'background':
        painted.ground = colorTextIn(value);
        painted.isPlain = parseColor(value) !== undefined;
        painted.image = /url\(|gradient/i.test(value) ? value : 'none';
        break;
      default:
    }
  });
  return painted;
}

/** The color that a `background` names. */
function colorTextIn(value: string): string {
  let found: Color | undefined;
  replaceColors(
    value,
    (color) => {
      found ??= color;
      return undefined;
    },
    { keepGradients: true },
  );
  return found ? `rgba(${found.r},${found.g},${found.b},${found.a})` : 'transparent';
}

const brightness = ({ r, g, b }: Color): number => 0.2125 * r + 0.7154 * g + 0.0721 * b;

/** Of what is no color by itself (`inherit`), 0. */
function brightnessOf(value: string): number {
  const color = parseColor(value);
  return color ? brightness(color) : 0;
}

function contrastBetween(one: string, other: string): number {
  const [low, high] = [brightnessOf(one), brightnessOf(other)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function clearBlock(nodes: List<CssNode>): void {
  const { color, isPlain, ground, image } = paintedBy(nodes);
  if (!color && !ground && !image) return;
  const hasGradient = /gradient/i.test(image);
  // How bright a picture is can't be known, so it goes.
  if (image && image !== 'none' && !hasGradient) removePictures(nodes, ground);
  const isDim = color !== '' && brightnessOf(color) <= BRIGHT;
  const shown = parseColor(ground);
  if (!hasGradient && !isPlain && !(shown && shown.a > SEEN_FROM)) {
    if (isDim) remove(nodes, /^color$/);
    return;
  }
  if (shown && (brightness(shown) > BRIGHT || (color && contrastBetween(color, ground) < CONTRAST_MIN))) {
    remove(nodes, /^background/);
    if (isDim) remove(nodes, /^color$/);
  }
  if (hasGradient) remove(nodes, /^background(?:-image)?$/);
}

function remove(nodes: List<CssNode>, property: RegExp): void {
  nodes.forEach((node, item) => {
    if (node.type === 'Declaration' && property.test(node.property.toLowerCase())) nodes.remove(item);
  });
}

const REPEAT = /^(?:repeat(?:-[xy])?|no-repeat|space|round)$/i;
const PLACE = /^(?:left|right|top|bottom|center|-?[\d.]+(?:px|%|em|rem|pt|vw|vh)?)$/i;
const SIZE = /^(?:auto|cover|contain|-?[\d.]+(?:px|%|em|rem|pt|vw|vh)?)$/i;

/** Of `background` everything else stays: the attribute of that name still shows its picture, sized and placed by it. */
function removePictures(nodes: List<CssNode>, ground: string): void {
  remove(nodes, /^background-image$/);
  nodes.forEach((node, item) => {
    if (node.type !== 'Declaration' || node.property.toLowerCase() !== 'background') return;
    const words = (text = ''): string[] => text.trim().split(/\s+/);
    const [before, after] = valueOf(node)
      .replaceAll(/[\w-]+\([^()]*\)/g, ' ')
      .split('/');
    const parts: [string, string[]][] = [
      ['background-repeat', [...words(before), ...words(after)].filter((word) => REPEAT.test(word))],
      ['background-position', words(before).filter((word) => PLACE.test(word))],
      ['background-size', words(after).filter((word) => SIZE.test(word))],
    ];
    for (const [property, found] of parts)
      if (found.length > 0)
        nodes.insertData(declarationOf(property, found.slice(0, 2).join(' '), node.important !== false), item);
    node.property = 'background-color';
    setValue(node, ground);
  });
}
