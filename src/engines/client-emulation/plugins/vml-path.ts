// VML paths and lines as SVG.

import type { Stroke } from './vml-fill.ts';
import { round } from './word-values.ts';

const COMMANDS_MAX = 2000;
const SEGMENT = /(nf|ns|[mlcxetrv])([^a-z]*)/gi;
/** VML command -> SVG command, and how many numbers it takes at a time. */
const SVG: Record<string, [command: string, numbers: number]> = {
  m: ['M', 2],
  l: ['L', 2],
  c: ['C', 6],
  t: ['m', 2],
  r: ['l', 2],
  v: ['c', 6],
  x: ['Z', 0],
};

/**
 * A VML path (ECMA-376 part 4, path/v) as SVG path data, or undefined when it uses formulas or commands beyond lines
 * and curves. Missing numbers, as in `m,l5,5`, are zeros.
 */
export function svgPath(path: string): string | undefined {
  if (path.length > 20_000 || /[^\smlcxetrvnfs\d.,+-]/i.test(path)) return undefined;
  let data = '';
  let commands = 0;
  for (const [, name, args] of path.matchAll(SEGMENT)) {
    const svg = SVG[name!.toLowerCase()];
    if (!svg) continue;
    if (++commands > COMMANDS_MAX) return undefined;
    const numbers = numbersOf(args!);
    if (svg[1] > 0 && (numbers.length === 0 || numbers.length % svg[1] !== 0 || numbers.some(Number.isNaN)))
      return undefined;
    data += svg[0] + (svg[1] > 0 ? numbers.join(' ') : '');
  }
  return data.startsWith('M') ? data : undefined;
}

function numbersOf(args: string): number[] {
  if (args.trim() === '') return [];
  return args.split(',').flatMap((part) => {
    const words = part.trim().split(/\s+/);
    return words.map((word) => (word === '' ? 0 : Number(word)));
  });
}

interface SvgLook {
  fill: string | undefined;
  stroke: Stroke | undefined;
}

function paint(look: SvgLook): string {
  const line = look.stroke
    ? ` stroke="${look.stroke.color}" stroke-width="${look.stroke.widthPx}" ` +
      `vector-effect="non-scaling-stroke"${look.stroke.dash === 'solid' ? '' : ' stroke-dasharray="4 3"'}`
    : '';
  return `fill="${look.fill ?? 'none'}"${line}`;
}

/** An svg that stretches a path over its box. */
export function svgShape(
  data: string,
  view: [x: number, y: number, width: number, height: number],
  look: SvgLook,
): string {
  return (
    `<svg viewBox="${view.join(' ')}" preserveAspectRatio="none" style="position:absolute;left:0;top:0;width:100%;` +
    'height:100%;overflow:visible">' +
    `<path d="${data}" ${paint(look)}/></svg>`
  );
}

/** A line between two points, in pixels, in a box of its own size. */
export function svgLine(
  from: [number, number],
  to: [number, number],
  stroke: Stroke,
): { svg: string; width: number; height: number } {
  const left = Math.min(from[0], to[0]);
  const top = Math.min(from[1], to[1]);
  const width = round(Math.abs(to[0] - from[0]));
  const height = round(Math.abs(to[1] - from[1]));
  const points = [from[0] - left, from[1] - top, to[0] - left, to[1] - top].map(round);
  const svg =
    `<svg width="${Math.max(width, 1)}" height="${Math.max(height, 1)}" style="display:block;overflow:visible">` +
    `<line x1="${points[0]}" y1="${points[1]}" x2="${points[2]}" y2="${points[3]}" ` +
    `${paint({ fill: undefined, stroke })}/></svg>`;
  return { svg, width, height };
}
