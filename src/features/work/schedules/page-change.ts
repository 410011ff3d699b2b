// What changed in the text of a page; pure.
import type { PageChange } from './contract.ts';

const LINES_SHOWN = 20;
const LINE_LENGTH_SHOWN = 300;

/** Lines with how often they stand there; empty ones do not count. */
function linesOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const words = line.trim();
    if (words !== '') counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}

/** Each line of the first text as often as the other one lacks it. */
function linesBeyond(lines: Map<string, number>, others: Map<string, number>): { shown: string[]; count: number } {
  const shown: string[] = [];
  let count = 0;
  for (const [line, times] of lines) {
    const more = times - (others.get(line) ?? 0);
    if (more <= 0) continue;
    count += more;
    if (shown.length < LINES_SHOWN) shown.push(line.slice(0, LINE_LENGTH_SHOWN));
  }
  return { shown, count };
}

/**
 * Compares the visible text of a page with what it was, line by line, in linear time. Undefined: every line stands in
 * both as often; that lines only changed places is no change.
 */
export function changeOfPage(before: string, after: string): PageChange | undefined {
  const [old, current] = [linesOf(before), linesOf(after)];
  const [added, removed] = [linesBeyond(current, old), linesBeyond(old, current)];
  if (added.count + removed.count === 0) return undefined;
  return {
    added: added.shown,
    removed: removed.shown,
    added_count: added.count,
    removed_count: removed.count,
  };
}
