// A source colored, line by line.
import highlight from 'highlight.js/lib/core';
import css from 'highlight.js/lib/languages/css';
import html from 'highlight.js/lib/languages/xml';
import { plainLines, withOneLineEnd } from './plain-lines.ts';

highlight.registerLanguage('css', css);
highlight.registerLanguage('html', html);

/** Coloring more than this takes longer than reading it does. */
const COLORED_CHARACTERS_MAX = 400_000;

/** HTML of each line. The colors that reach over several lines are closed and opened again at each end. */
export function sourceLines(source: string): string[] {
  const text = withOneLineEnd(source);
  if (text.length > COLORED_CHARACTERS_MAX) return plainLines(source);
  const open: string[] = [];
  return highlight
    .highlight(text, { language: 'html' })
    .value.split('\n')
    .map((line) => {
      const before = open.join('');
      for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
        if (tag === '</span>') open.pop();
        else open.push(tag);
      }
      return `${before}${line}${'</span>'.repeat(open.length)}`;
    });
}
