// Marks that lead from elements of a rendered document back to the source, through emulation and the browser.

import { readMail, type Mail } from './read-mail.ts';

/** The attribute that carries a mark. */
export const MARK_ATTRIBUTE = 'data-source-at';

/**
 * Gives elements of a message, read or not, an attribute with the offset of their start tag. Nothing else changes, and the attribute is one that
 * neither styles nor clients know.
 * @param which `text`: only elements with text of their own, which is enough for contrast and keeps the message small.
 */
export function markElements(given: string | Mail, which: 'all' | 'text' = 'all'): string {
  const mail = typeof given === 'string' ? readMail(given) : given;
  const { html } = mail;
  const holders = new Set(mail.texts.map(({ parent }) => parent));
  let marked = '';
  let from = 0;
  const starts = mail.elements
    .filter(
      (element) =>
        element.start !== undefined &&
        !element.isCommented &&
        !element.isRepeated &&
        (which === 'all' || holders.has(element)),
    )
    .map(({ start }) => start!)
    .sort((a, b) => a - b);
  for (const start of starts) {
    const end = start + /^<[^\s/>]*/.exec(html.slice(start, start + 100))![0].length;
    marked += `${html.slice(from, end)} ${MARK_ATTRIBUTE}="${start}"`;
    from = end;
  }
  return marked + html.slice(from);
}

/** The offset of a mark; NaN without one. */
export function sourceMark(mark: string | undefined): number {
  return mark === undefined ? NaN : Number(mark);
}
