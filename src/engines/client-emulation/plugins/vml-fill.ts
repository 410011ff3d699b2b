// How a VML shape is filled and outlined, as CSS.

import { attributeOf, type Element } from '../working-document.ts';
import { colorOf, cssUrl, flagOf, fractionOf, pairOf, percent, sizeOf } from './vml-values.ts';
import { lengthOf, pixelsOf, round } from './word-values.ts';

export type Style = [property: string, value: string][];

/** A shape's own paint elements. */
export interface Paint {
  fill: Element | undefined;
  stroke: Element | undefined;
  image: Element | undefined;
  shadow: Element | undefined;
}

/** The plain color of a shape, or undefined when it isn't filled. */
export function fillColorOf(shape: Element, fill: Element | undefined): string | undefined {
  const isFilled =
    flagOf(attributeOf(fill ?? shape, 'on')) ??
    flagOf(attributeOf(shape, 'filled')) ??
    flagOf(attributeOf(shape, 'fill'));
  if (isFilled === false) return undefined;
  const color = colorOf(fill && attributeOf(fill, 'color')) ?? colorOf(attributeOf(shape, 'fillcolor')) ?? 'white';
  if (color === 'none') return undefined;
  const opacity = fractionOf(fill && attributeOf(fill, 'opacity'));
  if (opacity === undefined || opacity >= 1) return color;
  return `color-mix(in srgb,${color} ${percent(Math.max(0, opacity))},transparent)`;
}

/** Background declarations of a shape: color, image or gradient. */
export function fillStyle(shape: Element, paint: Paint): Style {
  const { fill, image } = paint;
  const color = fillColorOf(shape, fill);
  const style: Style = [];
  const isOff = flagOf(attributeOf(shape, 'filled')) === false || flagOf(attributeOf(shape, 'fill')) === false;
  const type = (fill && attributeOf(fill, 'type')?.trim().toLowerCase()) || 'solid';
  const src = fill && attributeOf(fill, 'src')?.trim();
  if (fill && !isOff && type.startsWith('gradient')) style.push(['background', gradient(fill, type, color ?? 'white')]);
  else if (color && !(image && !fill)) style.push(['background-color', color]);
  if (fill && !isOff && src && /^(?:tile|frame|pattern)$/.test(type))
    style.push(...imageStyle(fill, type === 'frame', src));
  const picture = image && attributeOf(image, 'src')?.trim();
  if (picture)
    style.push(
      ['background-image', cssUrl(picture)],
      ['background-size', '100% 100%'],
      ['background-repeat', 'no-repeat'],
    );
  return style;
}

/**
 * `aspect` at least/at most is CSS cover/contain; `frame` alone stretches; positions of a tile count from 0 to 1, those
 * of a frame from -0.5 to 0.5 around the middle (hteumeuleu.com, "Background properties in VML", 2021).
 */
function imageStyle(fill: Element, isFrame: boolean, src: string): Style {
  const style: Style = [
    ['background-image', cssUrl(src)],
    ['background-repeat', isFrame ? 'no-repeat' : 'repeat'],
  ];
  const aspect = attributeOf(fill, 'aspect')?.trim().toLowerCase();
  const size = pairOf(attributeOf(fill, 'size'));
  if (aspect === 'atleast') style.push(['background-size', 'cover']);
  else if (aspect === 'atmost') style.push(['background-size', 'contain']);
  else if (size) style.push(['background-size', `${fillSize(size[0])} ${fillSize(size[1])}`]);
  else if (isFrame) style.push(['background-size', '100% 100%']);
  const position = pairOf(attributeOf(fill, 'position'))?.map(fractionOf);
  const isPlaced = position?.every((one) => one !== undefined);
  const start = isFrame ? 0.5 : 0;
  if (isPlaced) style.push(['background-position', position!.map((one) => percent(one! + start)).join(' ')]);
  else if (isFrame) style.push(['background-position', '50% 50%']);
  return style;
}

/** Bare numbers are parts of the shape. */
function fillSize(value: string): string {
  const length = lengthOf(value);
  if (length?.unit === '') return percent(length.amount);
  return sizeOf(value) ?? 'auto';
}

/** From bottom to top, turning counter-clockwise with the angle (ECMA-376, ST_FillType and fill/angle). */
function gradient(fill: Element, type: string, color: string): string {
  const other = colorOf(attributeOf(fill, 'color2')) ?? 'white';
  const focus = fractionOf(attributeOf(fill, 'focus')) ?? 0;
  let stops = colorStops(attributeOf(fill, 'colors')) ?? [color, other === 'none' ? 'transparent' : other];
  if (Math.abs(focus) === 1) stops = stops.reverse();
  else if (focus !== 0)
    stops = [...stops, ...stops.slice(0, -1).reverse()].map((stop) => stop.replace(/ [\d.]+%$/, ''));
  if (type === 'gradientradial') return `radial-gradient(${stops.reverse().join(',')})`;
  const angle = fractionOf(attributeOf(fill, 'angle')) ?? 0;
  return `linear-gradient(${round(-angle % 360)}deg,${stops.join(',')})`;
}

/** `0 #f00;.5 #0f0;1 blue`. */
function colorStops(value: string | undefined): string[] | undefined {
  const stops: string[] = [];
  for (const part of value?.slice(0, 1000).split(';') ?? []) {
    const found = /^\s*(\S+)\s+(\S+)/.exec(part);
    const at = fractionOf(found?.[1]);
    const color = colorOf(found?.[2]);
    if (at !== undefined && color && color !== 'none') stops.push(`${color} ${percent(at)}`);
  }
  return stops.length > 1 ? stops : undefined;
}

export interface Stroke {
  color: string;
  widthPx: number;
  dash: 'solid' | 'dashed' | 'dotted';
}

/** A shape's outline: black and 0.75pt unless said otherwise; undefined when it has none. */
export function strokeOf(shape: Element, stroke: Element | undefined): Stroke | undefined {
  const isOn =
    flagOf(stroke && attributeOf(stroke, 'on')) ??
    flagOf(attributeOf(shape, 'stroked')) ??
    flagOf(attributeOf(shape, 'stroke')) ??
    true;
  const color =
    colorOf(stroke && attributeOf(stroke, 'color')) ?? colorOf(attributeOf(shape, 'strokecolor')) ?? 'black';
  if (!isOn || color === 'none') return undefined;
  const weight = (stroke && attributeOf(stroke, 'weight')) ?? attributeOf(shape, 'strokeweight');
  const widthPx = Math.min(100, pixelsOf(weight ?? '0.75pt', 'pt') ?? 1);
  const dashes = (stroke && attributeOf(stroke, 'dashstyle')?.toLowerCase()) || 'solid';
  const dash = /dot/.test(dashes) && !/dash/.test(dashes) ? 'dotted' : dashes === 'solid' ? 'solid' : 'dashed';
  return widthPx > 0 ? { color, widthPx, dash } : undefined;
}

export function shadowStyle(shadow: Element | undefined): Style {
  if (!shadow || flagOf(attributeOf(shadow, 'on')) !== true) return [];
  const offset = pairOf(attributeOf(shadow, 'offset')) ?? ['2pt', '2pt'];
  const [x, y] = offset.map((one) => round(pixelsOf(one, 'pt') ?? 0));
  return [['box-shadow', `${x}px ${y}px 0 ${colorOf(attributeOf(shadow, 'color')) ?? 'gray'}`]];
}
