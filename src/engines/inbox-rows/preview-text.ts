// The text that lists of messages take from the start of a message, the preheader that is made for it included.
import { lineOf, readableLine, wordCharacters, type MessageUnderCheck, type TextRun } from '../source/index.ts';

export interface Preheader {
  /** Hidden text at the start of the body, made for the inbox; empty without one. */
  text: string;
  /** The first text that readers see, 200 characters of it. */
  firstVisible: string;
  /** Blanks that nobody sees follow it and keep the body's text out of the inbox. */
  isPadded: boolean;
}

/** Text that clients look at for their preview, at most. */
export const LOOKED_AT = 2000;

export function readPreheader({ runs }: Pick<MessageUnderCheck, 'runs'>): Preheader {
  const hidden = leadingHidden(runs);
  const visible = runs.filter(({ isHidden }) => !isHidden);
  return {
    text: lineOf(hidden),
    firstVisible: lineOf(upTo(visible, LOOKED_AT)).slice(0, 200).trim(),
    isPadded: paddingOf(hidden) >= 20,
  };
}

/** Hidden runs before anything that readers see. */
function leadingHidden(runs: readonly TextRun[]): TextRun[] {
  const first = runs.findIndex(({ isHidden, text }) => !isHidden && wordCharacters(text.slice(0, LOOKED_AT)) > 0);
  return runs.slice(0, first < 0 ? runs.length : first).filter(({ isHidden }) => isHidden);
}

function upTo(runs: readonly TextRun[], characters: number): TextRun[] {
  let left = characters;
  const taken: TextRun[] = [];
  for (const run of runs) {
    if (left <= 0) break;
    taken.push(run.text.length > left * 4 ? { ...run, text: run.text.slice(0, left * 4) } : run);
    left -= run.text.length;
  }
  return taken;
}

/** Characters after the last letter that only take up room. */
function paddingOf(runs: readonly TextRun[]): number {
  const text = runs
    .map((run) => run.text)
    .join('')
    .replace(/[ \t\r\n]+/g, ' ');
  return text.length - text.search(/[^\p{L}\p{N}\p{P}\p{S}]*$/u);
}

/** The body's text as clients take it, hidden text and padding included; of a message without HTML its text part. */
export function previewSource(runs: readonly TextRun[], plainText = ''): string {
  const text =
    runs.length > 0
      ? upTo(runs, LOOKED_AT)
          .map((run) => (run.startsBlock ? ` ${run.text}` : run.text))
          .join('')
      : plainText.slice(0, LOOKED_AT * 4);
  return text
    .replace(/[ \t\r\n]+/g, ' ')
    .trimStart()
    .slice(0, LOOKED_AT);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters as readers count them, of the first 2,000 code units. */
export function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text.slice(0, LOOKED_AT)), ({ segment }) => segment);
}

/** A text on one line, without what nobody sees. */
export function shownLine(text: string): string {
  return readableLine(text);
}
