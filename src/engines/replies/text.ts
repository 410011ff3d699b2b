import { LINES_MAX, quotationIn } from './quotations.ts';
import { signatureIn } from './signatures.ts';

interface StrippedText {
  /** Without quotations and signature. */
  text: string;
  signature: string;
}

/** Of a message; what is longer is quoted, or no reply. */
const TEXT_LENGTH_MAX = 200_000;

/**
 * What somebody wrote in a plain text. Where nothing would be left, or a text is longer than 200,000 characters or
 * 1,000 lines, the text stays as it is, up to there.
 */
export function stripText(given: string): StrippedText {
  const lines = given
    .slice(0, TEXT_LENGTH_MAX)
    .split(/\r\n|\r|\n/)
    .slice(0, LINES_MAX);
  const quoted = quotationIn(lines);
  const own = quoted ? [...lines.slice(0, quoted.from), ...lines.slice(quoted.to)] : lines;
  const written = own.some((line) => line.trim() !== '') ? own : lines;
  const start = signatureIn(written);
  const joined = (part: readonly string[]): string => part.join('\n').trim();
  return start === undefined
    ? { text: joined(written), signature: '' }
    : { text: joined(written.slice(0, start)), signature: joined(written.slice(start)) };
}
