// Where a signature begins, after talon's rules without its classifier.

const LINES_MAX = 11;
const LINE_LENGTH_MAX = 60;
const OPENING =
  /^\s*-+\s*[a-z .]*$|^\s*(?:thanks|thank you|many thanks|regards|kind regards|cheers|sincerely|best[ a-z]*|mit freundlichen grüßen|viele grüße|cordialement|saludos|mvh)[\s,!.]*$/i;
const PHONE =
  /^\s*(?:sent from my[\s,!\w-]*|sent from mailbox for iphone.*|sent (?:\S* )?from my blackberry.*|enviado desde mi .*|sent from (?:outlook|yahoo mail|windows mail).*|get outlook for .*|von meinem \S+ gesendet\.?|envoyé de mon \S+\.?)$/i;

/** The line with which a signature begins; undefined: there is none. */
export function signatureIn(lines: readonly string[]): number | undefined {
  const filled = lines.flatMap((line, place) => (line.trim() === '' ? [] : [place]));
  const last = filled.at(-1);
  if (last === undefined || filled.length < 2) return undefined;
  let start: number | undefined;
  // Never the first line: whatever it says, it is what was written.
  for (const place of filled.slice(1).slice(-LINES_MAX).toReversed()) {
    const line = (lines[place] as string).trim();
    if (line.length > LINE_LENGTH_MAX) break;
    if (PHONE.test(line) || OPENING.test(line)) start = place;
    // A dash begins it for good; before that there is text.
    if (/^--+\s*$/.test(line)) break;
  }
  return start;
}
