// The paragraphs of a message as a reader sees them: texts that share a block.

import { isSeen, plain } from './elements.ts';
import type { Mail, MailElement, MailText } from './read-mail.ts';

export interface TextBlock {
  /** The nearest element around that is not inline. */
  element: MailElement;
  texts: MailText[];
  /** The visible text, on one line. */
  text: string;
  /** The same by `<br>`. */
  lines: string[];
  /** Whose style most of the text has. */
  main: MailElement;
}

const blocksOfMail = new WeakMap<Mail, TextBlock[]>();

/** In document order; worked out once for a message. */
export function textBlocks(mail: Mail): readonly TextBlock[] {
  const known = blocksOfMail.get(mail);
  if (known) return known;
  const byElement = new Map<MailElement, MailText[]>();
  for (const text of mail.texts) {
    if (!isShown(mail, text)) continue;
    const element = blockAround(mail, text.parent);
    const list = byElement.get(element);
    if (list) list.push(text);
    else byElement.set(element, [text]);
  }
  const blocks = [...byElement].map(([element, texts]) => blockOf(element, texts)).filter(({ text }) => text !== '');
  blocksOfMail.set(mail, blocks);
  return blocks;
}

/** Whether a reader sees the text. */
export function isShown(mail: Mail, { parent, value }: MailText): boolean {
  return (
    isSeen(mail, parent) &&
    mail.styleOf(parent).fontSizePx > 1 &&
    mail.styleOf(parent).color.a > 0 &&
    plain(value) !== ''
  );
}

function blockAround(mail: Mail, element: MailElement): MailElement {
  let at = element;
  while (at.parent && isInline(mail.styleOf(at).display)) at = at.parent;
  return at;
}

function isInline(display: string): boolean {
  return display === 'inline' || display === 'contents';
}

function blockOf(element: MailElement, texts: MailText[]): TextBlock {
  const lines = new Map<number, string>();
  const lengths = new Map<MailElement, number>();
  for (const { value, parent, line } of texts) {
    lines.set(line, `${lines.get(line) ?? ''}${value}`);
    lengths.set(parent, (lengths.get(parent) ?? 0) + value.trim().length);
  }
  const main = [...lengths].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
  return {
    element,
    texts,
    main,
    text: plain([...lines.values()].join(' ')),
    lines: [...lines.values()].map(plain).filter(Boolean),
  };
}

/** The font size that most of the text has, in pixels; 16 for a message without text. */
export function usualFontSizePx(mail: Mail): number {
  const characters = new Map<number, number>();
  for (const text of mail.texts) {
    if (!isShown(mail, text)) continue;
    const size = Math.round(mail.styleOf(text.parent).fontSizePx);
    characters.set(size, (characters.get(size) ?? 0) + plain(text.value).length);
  }
  return [...characters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [16, 0])[0]!;
}
