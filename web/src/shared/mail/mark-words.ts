// The words that rules are about, marked in the source of a message: around words in its text, in the start tag
// elsewhere.
import { MARK } from '../report/place-marks.ts';

interface WordPlace {
  offset?: number | undefined;
  length?: number | undefined;
}

interface Piece {
  from: number;
  to: number;
  numbers: number[];
}

/** Elements whose content is not markup. */
const RAW = ['style', 'script', 'title', 'textarea'];

function isInRawText(source: string, at: number): boolean {
  const before = source.slice(0, at).toLowerCase();
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->')) return true;
  return RAW.some((name) => before.lastIndexOf(`<${name}`) > before.lastIndexOf(`</${name}`));
}

/** The offset of the tag that contains this character, if one does. */
function tagAt(source: string, at: number): number | undefined {
  if (source[at] === '<') return /[a-z]/i.test(source[at + 1] ?? '') ? at : undefined;
  const open = source.lastIndexOf('<', at);
  if (open < 0 || !/[a-z]/i.test(source[open + 1] ?? '')) return undefined;
  return source
    .slice(open, at)
    .replaceAll(/"[^"]*"|'[^']*'/g, '')
    .includes('>')
    ? undefined
    : open;
}

/** The stretches of text between two characters, without the tags between them. */
function textPieces(source: string, from: number, to: number): { from: number; to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  let at = from;
  for (const { index, 0: tag } of source.slice(from, to).matchAll(/<[^>]*>?/g)) {
    if (source.slice(at, from + index).trim()) pieces.push({ from: at, to: from + index });
    at = from + index + tag.length;
  }
  if (source.slice(at, to).trim()) pieces.push({ from: at, to });
  return pieces;
}

/** A place that overlaps another takes part in it: marks never cross each other. */
function add(pieces: Piece[], { from, to }: { from: number; to: number }, number: number): void {
  const known = pieces.find((piece) => from < piece.to && to > piece.from);
  if (!known) pieces.push({ from, to, numbers: [number] });
  else if (!known.numbers.includes(number)) known.numbers.push(number);
}

/** The source with the numbers of places in it; `undefined` places are skipped. */
export function markWords(source: string, places: readonly (WordPlace | undefined)[]): string {
  const words: Piece[] = [];
  const tags = new Map<number, number[]>();
  places.forEach((place, number) => {
    if (place?.offset === undefined || place.offset >= source.length) return;
    const tag = tagAt(source, place.offset);
    if (tag !== undefined) tags.set(tag, [...(tags.get(tag) ?? []), number]);
    else if (!isInRawText(source, place.offset))
      for (const piece of textPieces(source, place.offset, place.offset + Math.max(1, place.length ?? 1)))
        add(words, piece, number);
  });
  const changes = [
    ...words.flatMap(({ from, to, numbers }) => [
      { at: from, text: `<span ${MARK}="${numbers.join(' ')}" style="background:#ffe3a8;color:#1d1b18">` },
      { at: to, text: '</span>' },
    ]),
    ...[...tags].map(([tag, numbers]) => ({
      at: tag + (/^<[a-z][^\s/>]*/i.exec(source.slice(tag, tag + 100))?.[0].length ?? 1),
      text: ` ${MARK}="${numbers.join(' ')}"`,
    })),
  ].sort((a, b) => a.at - b.at);
  let marked = '';
  let done = 0;
  for (const { at, text } of changes) {
    marked += source.slice(done, at) + text;
    done = at;
  }
  return marked + source.slice(done);
}
