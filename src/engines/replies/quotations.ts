// Which lines of a reply are its own, and which it quotes.
import { splitterAt } from './splitters.ts';

/** What comes after so many lines is quoted, or too long to be read. */
export const LINES_MAX = 1000;
const FORWARDED = /^-+ *Forwarded message *-+\s*$/i;
/** Programs break marked lines that are about as long. */
const BROKEN_LENGTH_MIN = 60;
const LINK = /\(https?:\/\//;

/** A letter for each line: empty, marked by `>`, of a splitter, forwarded, or text. */
function marksOf(lines: readonly string[]): string {
  let marks = '';
  while (marks.length < lines.length) {
    const at = marks.length;
    const line = lines[at] as string;
    if (line.trim() === '') marks += 'e';
    else if (/^\s{0,3}>+ ?/.test(line)) marks += 'm';
    else if (FORWARDED.test(line.slice(0, 200))) marks += 'f';
    else {
      const count = splitterAt(lines, at);
      marks += count > 0 ? 's'.repeat(Math.min(count, lines.length - at)) : 't';
    }
  }
  return marks;
}

/** From one line up to before another, which are quoted. */
interface Quotation {
  from: number;
  to: number;
}

/** Whether a line is the end of a long marked line that a program broke. */
const isBroken = (marked: string, line: string): boolean =>
  marked.length >= BROKEN_LENGTH_MIN && /^\p{Ll}/u.test(line.slice(0, 2));

/** Whether text stands between lines that are marked, and is no part of a link that was broken there. */
function isAnsweredInline(lines: readonly string[], marks: string): boolean {
  for (const { index, 0: between } of marks.matchAll(/(?<=m)e*t[te]*(?=m)/g)) {
    const first = index + between.indexOf('t');
    const before = (lines[first - 1] ?? '').slice(-500);
    if (isBroken(before, lines[first] as string) && between.length === 1) continue;
    if (!LINK.test(before) && !/^\(?https?:\/\//.test((lines[first] as string).trim().slice(0, 20))) return true;
  }
  return false;
}

/** What a reply quotes; undefined where nothing is, or where what it says stands between what it quotes. */
export function quotationIn(lines: readonly string[]): Quotation | undefined {
  let marks = marksOf(lines);
  if (!marks.includes('s') && !/(?:me*){3}/.test(marks)) marks = marks.replaceAll('m', 't');
  if (/^[te]*f/.test(marks)) return undefined;
  if (isAnsweredInline(lines, marks)) return undefined;
  const unmarked = /(?:se*)+(?:[tf]e*)+/.exec(marks);
  if (unmarked) return { from: unmarked.index, to: lines.length };
  const first = firstQuoted(marks);
  if (first === undefined) return undefined;
  const last = marks.lastIndexOf('m');
  return { from: first, to: last < first ? lines.length : last + 1 };
}

/** The splitter before marked lines, or the first of two marked lines or more. */
function firstQuoted(marks: string): number | undefined {
  const splitter = marks.indexOf('s');
  const marked = /(?:me*){2}/.exec(marks)?.index;
  if (splitter < 0) return marked;
  return marked === undefined ? splitter : Math.min(splitter, marked);
}
