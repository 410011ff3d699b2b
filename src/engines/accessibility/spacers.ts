// Which pictures need no alternative text.

import { fileStem } from '../html/index.ts';
import { attr, sizeOf } from './elements.ts';
import type { Mail, MailElement } from './read-mail.ts';

const SPACER_NAME = /^(?:spacer|blank|clear|transparent|shim|trans|space|dot|pixel|1x1|empty)(?:[-_.\d]|$)/i;
const DOT_MAX = 2;

/** Holds a place open or reports the opening: nothing that a reader should hear of. */
export function isSpacer(mail: Mail, image: MailElement): boolean {
  const { width = Infinity, height = Infinity } = sizeOf(mail, image);
  if (width <= DOT_MAX && height <= DOT_MAX) return true;
  // A line of one pixel is a rule or a gap.
  return Math.min(width, height) <= DOT_MAX || SPACER_NAME.test(fileStem(attr(image, 'src') ?? ''));
}
