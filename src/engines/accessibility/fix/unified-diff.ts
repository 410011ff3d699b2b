// A unified diff of an edited text, made from the edits themselves.

import { applyEdits, type Edit } from './source-edits.ts';

const CONTEXT_LINES = 3;
const NO_NEWLINE = '\\ No newline at end of file';

interface LineRange {
  /** From 0. */
  first: number;
  last: number;
  edits: Edit[];
}

/**
 * Writes what `patch` reads.
 * @param edits sorted, without overlaps.
 * @returns empty when nothing changes.
 */
export function unifiedDiff(text: string, edits: readonly Edit[], name = 'message.html'): string {
  const real = edits.filter(({ start, end, text: inserted }) => text.slice(start, end) !== inserted);
  if (real.length === 0) return '';
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  const hunks = hunksOf(rangesOf(real, starts), starts.length);
  const lines = (first: number, last: number) => text.slice(starts[first], starts[last + 1] ?? text.length);
  let shift = 0;
  const written = hunks.map((ranges) => {
    const first = Math.max(0, ranges[0]!.first - CONTEXT_LINES);
    const last = Math.min(starts.length - 1, ranges.at(-1)!.last + CONTEXT_LINES);
    const out: string[] = [];
    let at = first;
    let [before, after] = [0, 0];
    const push = (sign: string, piece: string) => {
      const list = splitLines(piece);
      for (const line of list)
        out.push(line.endsWith('\n') ? sign + line.slice(0, -1) : `${sign}${line}\n${NO_NEWLINE}`);
      if (sign !== '+') before += list.length;
      if (sign !== '-') after += list.length;
    };
    for (const range of ranges) {
      if (range.first > at) push(' ', lines(at, range.first - 1));
      const old = splitLines(lines(range.first, range.last));
      const edited = splitLines(
        applyEdits(text, range.edits, { start: starts[range.first]!, end: starts[range.last + 1] ?? text.length }),
      );
      const [head, tail] = sharedEnds(old, edited);
      push(' ', old.slice(0, head).join(''));
      push('-', old.slice(head, old.length - tail).join(''));
      push('+', edited.slice(head, edited.length - tail).join(''));
      push(' ', old.slice(old.length - tail).join(''));
      at = range.last + 1;
    }
    if (at <= last) push(' ', lines(at, last));
    const head = `@@ -${first + 1},${before} +${first + 1 + shift},${after} @@`;
    shift += after - before;
    return [head, ...out].join('\n');
  });
  return `--- a/${name}\n+++ b/${name}\n${written.join('\n')}\n`;
}

/** The lines that edits touch, joined where they meet. */
function rangesOf(edits: readonly Edit[], starts: readonly number[]): LineRange[] {
  const ranges: LineRange[] = [];
  let line = 0;
  for (const edit of edits) {
    while (starts[line + 1] !== undefined && starts[line + 1]! <= edit.start) line += 1;
    let last = line;
    while (starts[last + 1] !== undefined && starts[last + 1]! < edit.end) last += 1;
    const previous = ranges.at(-1);
    if (previous && previous.last >= line - 1) {
      previous.last = Math.max(previous.last, last);
      previous.edits.push(edit);
    } else ranges.push({ first: line, last, edits: [edit] });
  }
  return ranges;
}

/** Ranges whose contexts meet share a hunk. */
function hunksOf(ranges: readonly LineRange[], lineCount: number): LineRange[][] {
  const hunks: LineRange[][] = [];
  for (const range of ranges) {
    const previous = hunks.at(-1)?.at(-1);
    if (previous && range.first - previous.last <= 2 * CONTEXT_LINES && range.first < lineCount)
      hunks.at(-1)!.push(range);
    else hunks.push([range]);
  }
  return hunks;
}

/** How many lines at the start and at the end are the same. */
function sharedEnds(old: readonly string[], edited: readonly string[]): [head: number, tail: number] {
  const length = Math.min(old.length, edited.length);
  let head = 0;
  while (head < length && old[head] === edited[head]) head += 1;
  let tail = 0;
  while (tail < length - head && old[old.length - 1 - tail] === edited[edited.length - 1 - tail]) tail += 1;
  return [head, tail];
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
