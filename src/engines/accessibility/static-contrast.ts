// The contrast of every text with what is behind it, worked out from styles alone. Overlapping and positioned boxes are
// not known here; where a picture or a gradient lies behind, the contrast with the color under it is.

import { contrastOf, type Color } from '../color/index.ts';
import { isAriaHidden } from './elements.ts';
import type { Mail, MailElement } from './read-mail.ts';
import { isShown } from './text-blocks.ts';

export interface TextContrast {
  /** The element that holds the text. */
  at: MailElement;
  text: string;
  foreground: Color;
  /** The nearest color behind, pictures left out. */
  background: Color;
  /** 1–21. */
  ratio: number;
  /** 4.5, or 3 for large text (WCAG 1.4.3). */
  required: number;
  fontSizePx: number;
  fontWeight: number;
  /** A picture or gradient lies between the text and the color. */
  isOverPicture: boolean;
  /** The picture has a color of its own under it, for when it isn't shown. */
  hasFallback: boolean;
}

interface Ground {
  color: Color;
  isPicture: boolean;
  hasFallback: boolean;
}

const LARGE_PX = 24;
/** 14 pt. */
const LARGE_BOLD_PX = 18.66;

/** One entry for each element with text of its own that is seen. `page` is the color of the empty page. */
export function textContrasts(mail: Mail, page: Color = { r: 255, g: 255, b: 255, a: 1 }): TextContrast[] {
  const grounds = new Map<MailElement, Ground>();
  const seen = new Map<MailElement, string>();
  for (const text of mail.texts) {
    // Bars and dots between links are decoration.
    if (/[\p{L}\p{N}]/u.test(text.value) && isShown(mail, text) && !isAriaHidden(text.parent) && !seen.has(text.parent))
      seen.set(text.parent, text.value.trim());
  }
  return [...seen].map(([at, text]) => {
    const style = mail.styleOf(at);
    const ground = groundOf(mail, at, { grounds, page });
    const foreground = over(style.color, ground.color);
    const isLarge = style.fontSizePx >= LARGE_PX || (style.fontSizePx >= LARGE_BOLD_PX && style.fontWeight >= 700);
    return {
      at,
      text,
      foreground,
      background: ground.color,
      ratio: contrastOf(foreground, ground.color),
      required: isLarge ? 3 : 4.5,
      fontSizePx: style.fontSizePx,
      fontWeight: style.fontWeight,
      isOverPicture: ground.isPicture,
      hasFallback: ground.hasFallback,
    };
  });
}

interface Grounds {
  grounds: Map<MailElement, Ground>;
  page: Color;
}

/** What is behind an element's content; worked out from the outside in, once for each element. */
function groundOf(mail: Mail, element: MailElement, { grounds, page }: Grounds): Ground {
  const path: MailElement[] = [];
  let at: MailElement | undefined = element;
  while (at && !grounds.has(at)) {
    path.push(at);
    at = at.parent;
  }
  let ground: Ground = at ? grounds.get(at)! : { color: page, isPicture: false, hasFallback: true };
  for (let step = path.pop(); step; step = path.pop()) {
    const { backgroundColor, backgroundImage } = mail.styleOf(step);
    if (backgroundColor.a === 1 || backgroundImage) {
      ground = {
        color: over(backgroundColor, ground.color),
        isPicture: backgroundImage !== undefined || (backgroundColor.a < 1 && ground.isPicture),
        hasFallback: backgroundColor.a === 1,
      };
    } else if (backgroundColor.a > 0) ground = { ...ground, color: over(backgroundColor, ground.color) };
    grounds.set(step, ground);
  }
  return ground;
}

/** One color laid over an opaque one. */
function over(top: Color, bottom: Color): Color {
  if (top.a === 1) return top;
  const mix = (a: number, b: number) => a * top.a + b * (1 - top.a);
  return { r: mix(top.r, bottom.r), g: mix(top.g, bottom.g), b: mix(top.b, bottom.b), a: 1 };
}
