// Widths of text in Roboto, the font of Android's lists, and where a text ends that has room for so much.
import roboto from '../../../data/inbox-rows/roboto-widths.json' with { type: 'json' };
import { charactersOf } from './preview-text.ts';

type Weight = 'regular' | 'bold';

const UNITS = roboto.unitsPerEm;
const widths: Record<Weight, ReadonlyMap<number, number>> = {
  regular: widthsOf(roboto.regular),
  bold: widthsOf(roboto.bold),
};

function widthsOf(runs: readonly (readonly number[])[]): Map<number, number> {
  return new Map(runs.flatMap(([first = 0, ...run]) => run.map((width, place) => [first + place, width] as const)));
}

const marks = /^[\p{M}\p{Cf}]/u;
/** Letters that Roboto lacks come from other fonts: those of East Asia and emoji are a square wide, others about half. */
const square =
  /^[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}！-～]/u;

function characterWidth(character: string, weight: Weight): number {
  const known = widths[weight].get(character.codePointAt(0) ?? 0);
  if (known !== undefined) return known;
  if (marks.test(character)) return 0;
  return square.test(character) ? UNITS : UNITS * 0.55;
}

interface Font {
  /** In CSS pixels. */
  fontSize: number;
  weight: Weight;
}

/** The width of a text in CSS pixels; kerning is not counted. */
export function widthOf(text: string, { fontSize, weight }: Font): number {
  return (charactersOf(text).reduce((sum, one) => sum + characterWidth(one, weight), 0) * fontSize) / UNITS;
}

export interface Cut {
  shown: string;
  isCut: boolean;
}

/** What fits into a number of characters, the dots included. */
export function cutAtCharacters(text: string, count: number): Cut {
  const characters = charactersOf(text);
  if (characters.length <= count) return { shown: text, isCut: false };
  return {
    shown: `${characters
      .slice(0, count - 1)
      .join('')
      .trimEnd()}…`,
    isCut: true,
  };
}

/**
 * What fits into lines of a width, broken between words, and within a word that no line holds; the dots stand in the
 * last line. `taken` is the width of what stands before the text in the first line.
 */
export function cutAtWidth(
  text: string,
  { pixels, lines, taken = 0, ...font }: Font & { pixels: number; lines: number; taken?: number },
): Cut {
  const characters = charactersOf(text).map((one) => ({ one, width: widthOf(one, font) }));
  const dots = widthOf('…', font);
  let start = 0;
  for (let line = 1; line <= lines; line += 1) {
    const room = pixels - (line === 1 ? Math.min(taken, pixels) : 0);
    const fits = fitting(characters, start, room);
    if (fits >= characters.length) return { shown: text, isCut: false };
    if (line === lines) {
      const end = fitting(characters, start, room - dots);
      const shown = characters.slice(0, Math.max(end, start)).map(({ one }) => one);
      return { shown: `${shown.join('').trimEnd()}…`, isCut: true };
    }
    start = breakBefore(characters, start, fits);
  }
  return { shown: '', isCut: text !== '' };
}

type Measured = readonly { one: string; width: number }[];

/** The place of the first character that has no room. */
function fitting(characters: Measured, start: number, room: number): number {
  let [place, left] = [start, room];
  while (place < characters.length && characters[place]!.width <= left) {
    left -= characters[place]!.width;
    place += 1;
  }
  return place;
}

/** Where the next line starts: behind the last blank that fits, or in the middle of a word without one. */
function breakBefore(characters: Measured, start: number, end: number): number {
  if (characters[end]?.one === ' ') return end + 1;
  for (let place = end; place > start; place -= 1) if (characters[place - 1]!.one === ' ') return place;
  return end;
}
