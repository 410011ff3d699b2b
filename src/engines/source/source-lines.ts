// Lines and columns of offsets into a text.

/** Offsets where the lines of a text start. `\n`, `\r\n` and a lone `\r` end a line, as in the HTML standard. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}

/** Line and column of an offset, both from 1. */
export function lineColumnAt(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}

const SNIPPET_MAX = 120;

/** The source between two offsets on one line, shortened. */
export function snippetOf(source: string, start: number, end: number): string {
  const piece = source.slice(start, Math.min(end, start + 4 * SNIPPET_MAX));
  const text = /\s\s|[\t\r\n\f]/.test(piece) ? piece.replace(/\s+/g, ' ').trim() : piece.trim();
  return text.length > SNIPPET_MAX ? `${text.slice(0, SNIPPET_MAX - 1)}…` : text;
}
