import { LINES_MAX, quotationIn } from './quotations.ts';
import { signatureIn } from './signatures.ts';

interface StrippedText {
  /** Without quotations and signature. */
  text: string;
  signature: string;
}

/** Of a message; what is longer is quoted, or no reply. */
const TEXT_LENGTH_MAX = 200_000;

/** Some programs write `On …, … wrote:` after the last words of a reply, without a new line. */
const SHARED = /^(.{0,400}?[^\s>-])(?:-{2,}| ) ?(On (?:\p{L}{3},|\p{L}{3,9} \d|\d).{8,200} (?:wrote|sent):\s*)$/u;

/** The lines of a text; those that a reply shares with what it quotes are two. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).slice(0, LINES_MAX);
  return lines.flatMap((line) => (line.length <= 600 ? SHARED.exec(line)?.slice(1) : undefined) ?? [line]);
}

/**
 * What somebody wrote in a plain text. Where nothing would be left, or a text is longer than 200,000 characters or
 * 1,000 lines, the text stays as it is, up to there.
 */
export function stripText(given: string): StrippedText {
  const lines = linesOf(given.slice(0, TEXT_LENGTH_MAX));
  const quoted = quotationIn(lines);
  const own = quoted ? [...lines.slice(0, quoted.from), ...lines.slice(quoted.to)] : lines;
  const written = own.some((line) => line.trim() !== '') ? own : lines;
  const start = signatureIn(written);
  const joined = (part: readonly string[]): string => part.join('\n').trim();
  return start === undefined
    ? { text: joined(written), signature: '' }
    : { text: joined(written.slice(0, start)), signature: joined(written.slice(start)) };
}
