// Whether a change of colors makes a message worse in some client's dark mode.

import { eachDarkVariant } from '../dark-variants.ts';
import { attr } from '../elements.ts';
import { MARK_ATTRIBUTE, sourceMark } from '../mark-elements.ts';
import { readMail, type Mail } from '../read-mail.ts';
import { textContrasts } from '../static-contrast.ts';

interface Ratio {
  ratio: number;
  required: number;
}

/** A variant's ratios by the number of the element that holds the text. */
export type DarkRatios = ReadonlyMap<number, Ratio>[];

/** Lower than this is no difference that anybody sees. */
const DIFFERENCE = 0.05;

/** The contrasts of every text in every kind of dark mode; gives way after each. */
export function* darkRatios(mail: Mail): Generator<undefined, DarkRatios> {
  const numbers = new Map(
    mail.elements.flatMap(({ start, index, isRepeated }) =>
      start === undefined || isRepeated ? [] : [[start, index] as const],
    ),
  );
  const variants: Map<number, Ratio>[] = [];
  for (const { html, widthPx } of eachDarkVariant(mail.html)) {
    const ratios = new Map<number, Ratio>();
    for (const { at, ratio, required, isOverPicture } of textContrasts(
      readMail(html, { colorScheme: 'dark', widthPx }),
    )) {
      const number = numbers.get(sourceMark(attr(at, MARK_ATTRIBUTE)));
      if (number !== undefined && !isOverPicture) ratios.set(number, { ratio, required });
    }
    variants.push(ratios);
    yield;
  }
  return variants;
}

/** Numbers of elements whose text fails in a variant, and stood out more before. */
export function worseInTheDark(before: DarkRatios, after: DarkRatios): Set<number> {
  const worse = new Set<number>();
  for (const [place, ratios] of after.entries()) {
    for (const [number, { ratio, required }] of ratios) {
      const was = before[place]?.get(number);
      if (was && ratio < required && ratio < was.ratio - DIFFERENCE) worse.add(number);
    }
  }
  return worse;
}
