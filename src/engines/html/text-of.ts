import { convert, type TextFormatter } from 'html-to-text';

/** A picture says what its alternative text says. */
const alternative: TextFormatter = (element, _walk, builder) => {
  const text = element.attribs.alt?.trim();
  if (text) builder.addInline(text);
};

/**
 * The plain text of an HTML message: blocks as paragraphs, links with their address in brackets, pictures as their
 * alternative text, lines of 78 characters. Nesting beyond 1000 elements is left out with an ellipsis.
 */
export function textOf(html: string): string {
  const text = convert(html, {
    wordwrap: 78,
    limits: { maxDepth: 1000, ellipsis: '…' },
    formatters: { alternative },
    selectors: [
      { selector: 'img', format: 'alternative' },
      { selector: 'a', options: { noAnchorUrl: true, hideLinkHrefIfSameAsText: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  return text
    .split('\n')
    .map(withoutPadding)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Preheaders are padded with invisible characters; those at the ends of a line and empty lines made of them go. */
function withoutPadding(line: string): string {
  let end = line.length;
  while (end > 0 && !VISIBLE.test(line[end - 1]!)) end--;
  const start = /^[\s\p{Default_Ignorable_Code_Point}]*/u.exec(line)![0];
  // Plain blanks at the start indent a list.
  return /^ *$/.test(start) ? line.slice(0, end) : line.slice(start.length, Math.max(start.length, end));
}

const VISIBLE = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u;
