// Draws VML, the vector markup inside `[if mso]`: bulletproof buttons and backgrounds, images, lines, simple shapes.
// Each shape becomes a `vml-shape` box, its text a `vml-text` box: names that no style sheet of a message selects and
// that end no paragraph when the browser parses them. Sources: ECMA-376 part 4 (VML reference material) for defaults;
// buttons.cm and backgrounds.cm for the usual patterns; what Word adds of its own is marked [k] (common knowledge).

import {
  append,
  attributeOf,
  createElement,
  elementsOf,
  fragmentOf,
  isElement,
  removeAttribute,
  removeNode,
  renameElement,
  setAttribute,
  setInlineDeclaration,
  type Element,
  type Node,
  type Plugin,
  type WorkingDocument,
} from '../working-document.ts';
import { fillColorOf, fillStyle, shadowStyle, strokeOf, type Paint, type Style } from './vml-fill.ts';
import { svgLine, svgPath, svgShape } from './vml-path.ts';
import { flagOf, fractionOf, pairOf, sizeOf, vmlStyleOf } from './vml-values.ts';
import { lengthOf, pixelsOf, round } from './word-values.ts';

/** More than any message draws; the rest stays undrawn. */
const SHAPES_MAX = 3000;

const SHAPES = new Set(['v:rect', 'v:roundrect', 'v:oval', 'v:shape', 'v:image', 'v:group', 'v:line']);
/** Shapes that are not drawn; their text is. */
const UNDRAWN = new Set(['v:arc', 'v:curve', 'v:polyline']);
/** Describe a shape; without a closing tag they swallow its content, which goes back to the shape. */
const PARTS = new Set([
  'v:fill',
  'v:stroke',
  'v:imagedata',
  'v:shadow',
  'v:path',
  'v:textpath',
  'v:extrusion',
  'o:lock',
  'o:extrusion',
  'w:anchorlock',
  'w:wrap',
  'w10:wrap',
  'w10:anchorlock',
  'o:left',
  'o:top',
  'o:right',
  'o:bottom',
  'o:fill',
]);
const NEVER_SHOWN = new Set(['v:shapetype', 'v:formulas', 'v:handles']);

/** Where a group puts the coordinates of its shapes. */
interface Space {
  x: number;
  y: number;
  perUnitX: number;
  perUnitY: number;
}

interface Shape {
  doc: WorkingDocument;
  el: Element;
  name: string;
  style: Map<string, string>;
  paint: Paint;
  path: Element | undefined;
  space: Space | undefined;
}

/** Draws what VML there is; without any it changes nothing. */
export const vmlPlugin: Plugin = (doc, client) => {
  const spaces = new WeakMap<Element, Space>();
  const undrawn = new Set<string>();
  const elements = elementsOf(doc.document);
  // Windows Mail draws fills without their image (maizzle.com, "VML Components", read 2026-11-21).
  if (client.support?.platform === 'windows-mail')
    for (const el of elements) if (el.tagName === 'v:fill') removeAttribute(el, 'src');
  let drawn = 0;
  for (const el of elements) {
    const name = el.tagName;
    if (name === 'vml-center') drawCenter(el);
    if (!name.includes(':')) continue;
    if (name === 'v:background') paintPage(doc, el);
    else if (NEVER_SHOWN.has(name)) becomeNothing(el);
    else if (SHAPES.has(name) && isInTextbox(el)) becomeSpan(el);
    else if (SHAPES.has(name) && drawn++ < SHAPES_MAX) drawShape(doc, el, spaces);
    else if (PARTS.has(name) || UNDRAWN.has(name) || name === 'v:textbox') becomeSpan(el);
    if (UNDRAWN.has(name)) undrawn.add(name);
  }
  for (const name of undrawn) doc.notes.push(`A VML shape of kind ${name} is not drawn here; Outlook draws it.`);
};

/** VML in the text box of VML is not drawn; its text is (Good Email Code, "MSO Outlook background images", 2025). */
function isInTextbox(el: Element): boolean {
  let steps = 0;
  for (let up = el.parentNode as Element | null; up && steps++ < 200; up = up.parentNode as Element | null)
    if (up.tagName === 'vml-text') return true;
  return false;
}

function becomeSpan(el: Element): void {
  el.attrs = [];
  renameElement(el, 'span');
}

/** Cheaper than taking the element out of a parent that may have very many children. */
function becomeNothing(el: Element): void {
  el.childNodes = [];
  becomeSpan(el);
}

/** A label `<center>` straight inside a shape. */
function drawCenter(el: Element): void {
  const style = attributeOf(el, 'style')?.trimEnd() ?? '';
  renameElement(el, 'span');
  setAttribute(
    el,
    'style',
    `${style}${style === '' || style.endsWith(';') ? '' : ';'}display:block;text-align:-webkit-center`,
  );
}

/** `<v:background>` fills the page behind the message. */
function paintPage(doc: WorkingDocument, el: Element): void {
  const fill = el.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'v:fill');
  const paint: Paint = { fill, stroke: undefined, image: undefined, shadow: undefined };
  const color = fillColorOf(el, fill);
  for (const [property, value] of fillStyle(el, paint)) {
    if (property !== 'background-color' || color !== 'white') setInlineDeclaration(doc, doc.body, property, value);
  }
  if (fill) removeNode(fill);
  becomeSpan(el);
}

function drawShape(doc: WorkingDocument, el: Element, spaces: WeakMap<Element, Space>): void {
  const parts = takeParts(el);
  const part = (name: string): Element | undefined => parts.find((one) => one.tagName === name);
  const paint: Paint = {
    fill: part('v:fill'),
    stroke: part('v:stroke'),
    image: part('v:imagedata'),
    shadow: part('v:shadow'),
  };
  const parent = el.parentNode;
  const space = parent && isElement(parent) ? spaces.get(parent) : undefined;
  const shape: Shape = { doc, el, name: el.tagName, style: vmlStyleOf(el), paint, path: part('v:path'), space };
  const style: Style = [];
  if (isInvisible(shape)) {
    becomeNothing(el);
    return;
  }
  if (shape.name === 'v:line') drawLine(shape, style);
  else {
    const box = boxOf(shape);
    place(shape, box, style);
    if (shape.name === 'v:group') spaces.set(el, groupSpace(shape, box));
    else drawBox(shape, box, style);
  }
  el.attrs = [];
  renameElement(el, 'vml-shape');
  setAttribute(el, 'style', style.map(([property, value]) => `${property}:${value}`).join(';'));
}

/** Takes the describing elements out of a shape and answers them. */
function takeParts(shape: Element): Element[] {
  const parts: Element[] = [];
  const left: Node[] = [];
  const stack: Node[] = [...shape.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node) || !PARTS.has(node.tagName)) {
      left.push(node);
      continue;
    }
    parts.push(node);
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
    node.childNodes = [];
    node.parentNode = null;
  }
  for (const node of left) node.parentNode = shape;
  shape.childNodes = left;
  return parts;
}

function isInvisible({ style }: Shape): boolean {
  return (
    /^hidden$/i.test(style.get('visibility') ?? '') ||
    /^none$/i.test(style.get('display') ?? '') ||
    /^all$/i.test(style.get('mso-hide') ?? '')
  );
}

// ---- Geometry -------------------------------------------------------------------------------------------------

interface Box {
  /** CSS sizes; undefined where the content decides. */
  width: string | undefined;
  height: string | undefined;
  textbox: Element | undefined;
  hasContent: boolean;
}

function boxOf({ el, style, space }: Shape): Box {
  const textbox = el.childNodes.find((node): node is Element => isElement(node) && node.tagName === 'v:textbox');
  const fits =
    flagOf(style.get('mso-fit-shape-to-text')) ?? (textbox && flagOf(vmlStyleOf(textbox).get('mso-fit-shape-to-text')));
  // Thousandths of the width that the column offers.
  const share = Number(style.get('mso-width-percent') ?? 0) / 10;
  let width = share > 0 ? `${round(share)}%` : sizeOf(style.get('width'));
  let height = fits ? undefined : sizeOf(style.get('height'));
  if (space) {
    width = `${round((lengthOf(style.get('width') ?? '')?.amount ?? 0) * space.perUnitX)}px`;
    height = `${round((lengthOf(style.get('height') ?? '')?.amount ?? 0) * space.perUnitY)}px`;
  }
  const hasContent = el.childNodes.some(
    (node) => isElement(node) || (node.nodeName === '#text' && /\S/.test((node as { value: string }).value)),
  );
  if (!width && textbox && !/none/i.test(style.get('mso-wrap-style') ?? '')) width = '100%';
  return { width, height, textbox, hasContent };
}

/** Puts the box in its line, in its group, or behind the text around it. */
function place({ doc, el, style, space }: Shape, box: Box, css: Style): void {
  css.push(['display', 'inline-block'], ['box-sizing', 'border-box'], ['vertical-align', 'bottom']);
  if (box.width) css.push(['width', box.width]);
  if (box.height) css.push(['height', box.height]);
  if (space) {
    css.push(
      ['position', 'absolute'],
      ['left', `${round(((lengthOf(style.get('left') ?? '')?.amount ?? 0) - space.x) * space.perUnitX)}px`],
    );
    css.push(['top', `${round(((lengthOf(style.get('top') ?? '')?.amount ?? 0) - space.y) * space.perUnitY)}px`]);
  } else if (/^absolute$/i.test(style.get('position') ?? '') && !box.hasContent) {
    // A picture behind the content: it starts where its cell starts.
    const parent = el.parentNode;
    if (parent && isElement(parent)) {
      setInlineDeclaration(doc, parent, 'position', 'relative');
      setInlineDeclaration(doc, parent, 'isolation', 'isolate');
    }
    css.push(['position', 'absolute'], ['z-index', '-1'], ['top', offset(style, 'top', 'margin-top')]);
    if (/center/i.test(style.get('mso-position-horizontal') ?? ''))
      css.push(['left', '0'], ['right', '0'], ['margin', '0 auto']);
    else css.push(['left', offset(style, 'left', 'margin-left')]);
  } else {
    css.push(['position', 'relative']);
    for (const side of ['margin-left', 'margin-top', 'margin-right', 'margin-bottom']) {
      const pixels = pixelsOf(style.get(side) ?? '');
      if (pixels) css.push([side, `${pixels}px`]);
    }
  }
  const turn = Number(style.get('rotation') ?? 0);
  if (turn) css.push(['transform', `rotate(${round(turn % 360)}deg)`]);
}

function offset(style: Map<string, string>, ...properties: string[]): string {
  return `${round(properties.reduce((sum, property) => sum + (pixelsOf(style.get(property) ?? '') ?? 0), 0))}px`;
}

function groupSpace({ el }: Shape, box: Box): Space {
  const numbers = (name: string, otherwise: [number, number]): [number, number] => {
    const pair = pairOf(attributeOf(el, name))?.map(Number);
    return pair?.every(Number.isFinite) ? (pair as [number, number]) : otherwise;
  };
  const [width, height] = numbers('coordsize', [1000, 1000]);
  const [x, y] = numbers('coordorigin', [0, 0]);
  return {
    x,
    y,
    perUnitX: (pixelsOf(box.width ?? '') ?? 0) / (width || 1000),
    perUnitY: (pixelsOf(box.height ?? '') ?? 0) / (height || 1000),
  };
}

// ---- Drawing --------------------------------------------------------------------------------------------------

function drawBox(shape: Shape, box: Box, css: Style): void {
  const { el, name, paint } = shape;
  drawText(shape, box, css);
  const stroke = name === 'v:image' ? undefined : strokeOf(el, paint.stroke);
  if (name === 'v:shape') drawPath(shape, box, css);
  else if (name === 'v:image') drawImage(shape, attributeOf(el, 'src'), box);
  else {
    css.push(...fillStyle(el, paint), ...shadowStyle(paint.shadow));
    if (stroke) css.push(['border', `${stroke.widthPx}px ${stroke.dash} ${stroke.color}`]);
    const radius = name === 'v:oval' ? '50%' : name === 'v:roundrect' ? cornerOf(el, box) : undefined;
    if (radius) css.push(['border-radius', radius]);
  }
}

/**
 * Corners are a part of the shorter side; half of it makes a pill. ECMA-376 says "of half the smaller dimension", but
 * Word draws it as buttons.cm computes it: radius by height.
 */
function cornerOf(el: Element, box: Box): string | undefined {
  const part = Math.min(0.5, Math.max(0, fractionOf(attributeOf(el, 'arcsize')) ?? 0.2));
  const sides = [box.width, box.height].map((side) => pixelsOf(side ?? '')).filter((side) => side !== undefined);
  const shorter = sides.length > 0 ? Math.min(...sides) : 40;
  return part > 0 ? `${round(part * shorter)}px` : undefined;
}

const ANCHORS: Record<string, string> = { top: 'flex-start', middle: 'center', bottom: 'flex-end' };

/** The text of a shape: inside its insets, held at top, middle or bottom; what doesn't fit is cut off. */
function drawText({ el, style, name }: Shape, box: Box, css: Style): void {
  if (!box.hasContent) return;
  const inner = box.textbox ?? wrapContent(el);
  const own = vmlStyleOf(inner);
  const anchor = (style.get('v-text-anchor') ?? own.get('v-text-anchor') ?? 'top').toLowerCase();
  if (box.height) {
    css[0] = ['display', 'inline-flex'];
    css.push(
      ['flex-direction', 'column'],
      ['justify-content', ANCHORS[anchor.split('-')[0]!] ?? 'flex-start'],
      ['overflow', 'hidden'],
    );
  }
  if (/none/i.test(style.get('mso-wrap-style') ?? '')) css.push(['white-space', 'nowrap']);
  // Text straight in a shape: buttons.cm sets labels as high as the button, so it has no inset above and below [k].
  const inset = box.textbox ? insetOf(attributeOf(inner, 'inset')) : name === 'v:shape' ? '0' : '0 9.6px';
  const text: Style = [
    ['display', 'block'],
    ['box-sizing', 'border-box'],
    ['width', '100%'],
    ['flex', 'none'],
    ['padding', inset],
  ];
  if (anchor.includes('center')) text.push(['text-align', '-webkit-center']);
  inner.attrs = [];
  renameElement(inner, 'vml-text');
  setAttribute(inner, 'style', text.map(([property, value]) => `${property}:${value}`).join(';'));
}

function wrapContent(el: Element): Element {
  const text = createElement('vml-text');
  const children = el.childNodes;
  el.childNodes = [];
  text.childNodes = children;
  for (const child of children) child.parentNode = text;
  append(el, text);
  return text;
}

/** `inset="left,top,right,bottom"`; missing ones are 0.1in, 0.05in, 0.1in, 0.05in (ECMA-376, textbox/inset). */
function insetOf(value: string | undefined): string {
  const given = value?.split(',') ?? [];
  const [left, top, right, bottom] = ['0.1in', '0.05in', '0.1in', '0.05in'].map(
    (otherwise, i) => `${pixelsOf(given[i] ?? '') ?? pixelsOf(otherwise)!}px`,
  );
  return `${top} ${right} ${bottom} ${left}`;
}

/** A picture stretched over its box, or as high as its width makes it. */
function drawImage({ doc, el }: Shape, src: string | undefined, box: Box): void {
  if (!src?.trim()) return;
  const img = createElement('img', { src: src.trim(), alt: attributeOf(el, 'alt') ?? '' });
  for (const [side, size] of [
    ['width', box.width],
    ['height', box.height],
  ] as const) {
    setInlineDeclaration(doc, img, side, size ? '100%' : 'auto', true);
  }
  setInlineDeclaration(doc, img, 'display', 'block');
  el.childNodes.unshift(img);
  img.parentNode = el;
}

function drawPath(shape: Shape, box: Box, css: Style): void {
  const { el, paint, path } = shape;
  if (paint.image) {
    drawImage(shape, attributeOf(paint.image, 'src'), box);
    return;
  }
  const data = svgPath(attributeOf(el, 'path') ?? (path && attributeOf(path, 'v')) ?? '');
  if (!data) {
    if (paint.fill) css.push(...fillStyle(el, paint));
    return;
  }
  const size = pairOf(attributeOf(el, 'coordsize'))?.map(Number) ?? [1000, 1000];
  const origin = pairOf(attributeOf(el, 'coordorigin'))?.map(Number) ?? [0, 0];
  const view = [...origin, ...size].map((one) => (Number.isFinite(one) ? one : 0)) as [number, number, number, number];
  const svg = svgShape(data, view, { fill: fillColorOf(el, paint.fill), stroke: strokeOf(el, paint.stroke) });
  const drawing = fragmentOf(svg)[0]!;
  drawing.parentNode = el;
  el.childNodes.unshift(drawing);
}

function drawLine({ el, paint }: Shape, css: Style): void {
  const stroke = strokeOf(el, paint.stroke);
  const point = (name: string, otherwise: string): [number, number] => {
    const [x, y] = pairOf(attributeOf(el, name) ?? otherwise) ?? ['0', '0'];
    return [pixelsOf(x) ?? 0, pixelsOf(y) ?? 0];
  };
  css.push(['display', 'inline-block'], ['vertical-align', 'top']);
  if (!stroke) return;
  const { svg, width, height } = svgLine(point('from', '0,0'), point('to', '10,10'), stroke);
  css.push(['width', `${width}px`], ['height', `${Math.max(height, stroke.widthPx)}px`]);
  el.childNodes = [];
  append(el, ...fragmentOf(svg));
}
