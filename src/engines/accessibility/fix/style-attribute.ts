// Edits of a style attribute's text, so that what is not edited stays as it was written.

import { replaceColors, type Color } from '../../color/index.ts';

interface Piece {
  /** Offset of the value in the style. */
  start: number;
  /** Where it ends, without `!important` and blanks. */
  end: number;
  name: string;
  value: string;
  isImportant: boolean;
}

/** The other property that draws text, which wins over `color` where it is known. */
const ALSO: Readonly<Record<string, string>> = { color: '-webkit-text-fill-color' };

/**
 * A style in which `property` has the value: in the place of the one that counts, or at the end.
 * @param isImportant asks for `!important`; what has it keeps it
 */
export function withDeclaration(
  style: string,
  property: string,
  { value, isImportant = false }: { value: string; isImportant?: boolean },
): string {
  const pieces = piecesOf(style);
  const own = pieces.filter(({ name }) => name === property);
  const winner = own.findLast((piece) => piece.isImportant) ?? own.at(-1);
  // A shorthand behind it counts instead, so that the value must stand behind that.
  const isOverruled =
    winner &&
    pieces
      .slice(pieces.indexOf(winner) + 1)
      .some(({ name }) => name === 'font' && (property === 'font-size' || property === 'line-height'));
  if (!winner || isOverruled || (isImportant && !winner.isImportant))
    return appended(
      style,
      `${property}:${pieces.some(({ start }) => style[start - 1] === ' ') ? ' ' : ''}${value}` +
        `${isImportant || winner?.isImportant ? ' !important' : ''}`,
    );
  const changed = [winner, ...pieces.filter(({ name }) => name === ALSO[property])].sort((a, b) => b.start - a.start);
  return changed.reduce((text, { start, end }) => text.slice(0, start) + value + text.slice(end), style);
}

/** A style whose grounds and borders of one color have another. */
export function withGround(style: string, from: Color, to: Color): string {
  const isSame = ({ r, g, b, a }: Color): boolean => a === from.a && r === from.r && g === from.g && b === from.b;
  const grounds = piecesOf(style).filter(({ name }) =>
    /^(?:background(?:-color)?|border(?:-(?:top|right|bottom|left))?(?:-color)?)$/.test(name),
  );
  return grounds
    .toReversed()
    .reduce(
      (text, { start, end, value }) =>
        text.slice(0, start) + replaceColors(value, (color) => (isSame(color) ? to : undefined)) + text.slice(end),
      style,
    );
}

function appended(style: string, declaration: string): string {
  const kept = style.trimEnd();
  if (kept === '') return declaration;
  const blank = kept.includes('; ') ? ' ' : '';
  return kept.endsWith(';') ? `${kept}${blank}${declaration};` : `${kept};${blank}${declaration}`;
}

/** Declarations: strings, brackets and comments may hold semicolons. */
function piecesOf(style: string): Piece[] {
  const pieces: Piece[] = [];
  const token = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\/\*[^]*?(?:\*\/|$)|[();]|[^"'/();]+|\//g;
  let [from, depth] = [0, 0];
  for (const { 0: text, index } of style.matchAll(token)) {
    if (text === '(') depth += 1;
    else if (text === ')') depth = Math.max(0, depth - 1);
    else if (text === ';' && depth === 0) {
      pieces.push(...pieceOf(style, from, index));
      from = index + 1;
    }
  }
  return [...pieces, ...pieceOf(style, from, style.length)];
}

function pieceOf(style: string, from: number, to: number): Piece[] {
  const match = /^((?:\s|\/\*[^]*?\*\/)*)([-\w]+)(\s*:\s*)/.exec(style.slice(from, to));
  if (!match) return [];
  const start = from + match[0].length;
  const written = style.slice(start, to).trimEnd();
  const important = /\s*!\s*important$/i.exec(written);
  const end = start + (important ? important.index : written.length);
  return [
    { start, end, name: match[2]!.toLowerCase(), value: style.slice(start, end), isImportant: important !== null },
  ];
}
