// Which parts of a message conditional comments show to Word only, and which to all but Word.

import { resolveConditionals } from './conditional-comments.ts';
import type { Readers, WordVersion } from './readers.ts';

const WORD_VERSIONS: readonly WordVersion[] = [12, 14, 15, 16];
export const EVERYBODY: Readers = { word: WORD_VERSIONS, others: true };

/** A conditional comment's marker as an HTML parser sees it: a comment, or a bogus one. */
export interface ConditionalMarker {
  start: number;
  end: number;
  /** Text of the comment node. */
  data: string;
  inBody: boolean;
}

/** A comment that hides HTML from all but Word. */
interface HiddenBlock {
  /** Offsets of the HTML inside. */
  start: number;
  end: number;
  word: readonly WordVersion[];
  inBody: boolean;
}

/** From `start` on, up to the next range, these read the message. */
interface Range {
  start: number;
  word: readonly WordVersion[];
}

export interface ConditionalRanges {
  /** Every comment that looks like a marker, broken ones too. */
  markers: readonly ConditionalMarker[];
  hidden: HiddenBlock[];
  revealed: readonly Range[];
}

type MarkerKind =
  /** `<!--[if mso]>…<![endif]-->`: all in one comment. */
  | 'hidden'
  /** `<!--[if !mso]><!-->`, `<![if !mso]>`: what follows is HTML to browsers. */
  | 'opening'
  /** `<!--<![endif]-->`, `<![endif]>`. */
  | 'closing'
  /** A comment for Word that ends before its `<![endif]`. */
  | 'cut'
  /** Looks like a condition, and Word takes it for a comment like any other. */
  | 'plain';

export function markerKind({ data }: ConditionalMarker, source: string, start: number): MarkerKind {
  const opening = OPENING.exec(data);
  if (!opening) return CLOSING.test(data) ? 'closing' : 'plain';
  if (HIDDEN_END.test(data)) return 'hidden';
  const isBogus = !source.startsWith('<!--', start);
  return isBogus || /^\s*(?:<!\s*)?-{0,2}\s*$/.test(data.slice(opening[0].length)) ? 'opening' : 'cut';
}

/** The text between `[if` and `]`. */
export function conditionOf({ data }: ConditionalMarker): string | undefined {
  return OPENING.exec(data)?.[1];
}

/** Word knows a condition only right after `<!--` or `<!`. */
const OPENING = /^\[if([^\]<>]{0,400})\]>?/i;
const CLOSING = /^\s{0,16}(?:<!)?\[endif\][\s-]*$/i;
const HIDDEN_END = /<!\[endif\]\s*$/i;

const known = new Map<string, readonly WordVersion[]>();
const KNOWN_MAX = 1000;

/** The Word versions for which the text between `[if` and `]` holds. */
export function wordVersionsOf(expression: string): readonly WordVersion[] {
  let versions = known.get(expression);
  if (!versions) {
    if (known.size >= KNOWN_MAX) known.clear();
    const probe = `<!--[if${expression}]>x<![endif]-->`;
    known.set(
      expression,
      (versions = WORD_VERSIONS.filter((mso) => resolveConditionals(probe, { mso }).startsWith('x'))),
    );
  }
  return versions;
}

/**
 * @param markers every comment of the message, in the order of the source.
 * @param source the message; offsets of `markers` are into it.
 */
export function readConditionals(markers: readonly ConditionalMarker[], source: string): ConditionalRanges {
  const hidden: HiddenBlock[] = [];
  const revealed: Range[] = [];
  const open: (readonly WordVersion[])[] = [];
  const change = (start: number) => void revealed.push({ start, word: open.at(-1) ?? WORD_VERSIONS });
  for (const marker of markers) {
    const opening = OPENING.exec(marker.data);
    if (opening && HIDDEN_END.test(marker.data))
      hidden.push(blockOf(marker, { opening, source, around: open.at(-1) ?? WORD_VERSIONS }));
    else if (opening) {
      const around = open.at(-1) ?? WORD_VERSIONS;
      open.push(wordVersionsOf(opening[1]!).filter((version) => around.includes(version)));
      change(marker.end);
    } else if (open.length && CLOSING.test(marker.data)) {
      open.pop();
      change(marker.start);
    }
  }
  return { markers, hidden, revealed };
}

function blockOf(
  marker: ConditionalMarker,
  { opening, source, around }: { opening: RegExpExecArray; source: string; around: readonly WordVersion[] },
): HiddenBlock {
  const text = source.slice(marker.start, marker.end);
  const start = marker.start + text.indexOf(']>', text.indexOf('[')) + 2;
  const closing = text.lastIndexOf('<![');
  return {
    start,
    end: marker.start + closing,
    word: wordVersionsOf(opening[1]!).filter((version) => around.includes(version)),
    inBody: marker.inBody,
  };
}

/** Who reads what stands at an offset outside hidden blocks. */
export function readersAt({ revealed }: ConditionalRanges, offset: number): Readers {
  if (!revealed.length || offset < revealed[0]!.start) return EVERYBODY;
  let low = 0;
  let high = revealed.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (revealed[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  const { word } = revealed[low]!;
  return word.length === WORD_VERSIONS.length ? EVERYBODY : { word, others: true };
}

/** Everybody who reads the one or the other. */
export function joinReaders(a: Readers, b: Readers): Readers {
  if (a === b) return a;
  const word = WORD_VERSIONS.filter((version) => a.word.includes(version) || b.word.includes(version));
  const others = a.others || b.others;
  return others && word.length === WORD_VERSIONS.length ? EVERYBODY : { word, others };
}
