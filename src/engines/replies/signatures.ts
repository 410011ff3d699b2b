// Where a signature begins, after talon's rules without its classifier.

const LINES_MAX = 11;
const LINE_LENGTH_MAX = 60;
const PHONE_LENGTH_MAX = 120;
/** A dash and a name, a row of dashes; a list when several lines begin so. */
const DASHED = /^\s*-+\s*[a-z .]*$/i;
const OPENING =
  /^\s*(?:thanks|thank you|many thanks|regards|kind regards|cheers|sincerely|best[ a-z]*|mit freundlichen grüßen|viele grüße|cordialement|saludos|mvh)[\s,!.]*$/i;
/** What phones and programs write under a message. */
const PHONE =
  /^[\s<(]*(?:sent (?:from my|from a|from mobile|via mobile|with airmail|by galaxy)\b.*|sent from (?:mailbox|outlook|yahoo mail|windows mail|mail|\[mail\]|proton|typeapp|samsung).*|sent (?:\S* )?from my blackberry.*|get \[?outlook for .*|enviado (?:desde|do|a partir d[oe]) .*|von meinem .* gesendet\.?|gesendet von (?:outlook|mail|meinem) .*|diese nachricht wurde von meinem .* gesendet\.?|envoyé (?:de|depuis|à partir d[e’']) ?(?:mon |outlook|yahoo).*|inviato da(?:l mio)? .*|verzonden (?:vanaf mijn|met|vanuit) .*|sendt fra min .*|skickat från min .*|lähetetty .*(?:puhelimesta|iphonesta).*|wysłane z .*|отправлено с .*|從我的 .* 傳送|从我的.*发送)$/i;

const isListed = (line: string, isList: boolean): boolean => isList && !line.startsWith('--');

/** The line with which a signature begins; undefined: there is none. */
export function signatureIn(lines: readonly string[]): number | undefined {
  const filled = lines.flatMap((line, place) => (line.trim() === '' ? [] : [place]));
  const last = filled.at(-1);
  if (last === undefined || filled.length < 2) return undefined;
  let start: number | undefined;
  const isList = lines.filter((line) => /^\s*-\s?[^-\s]/.test(line)).length > 1;
  // Never the first line: whatever it says, it is what was written.
  for (const place of filled.slice(1).slice(-LINES_MAX).toReversed()) {
    const line = (lines[place] as string).trim();
    if (line.length > LINE_LENGTH_MAX && !(line.length <= PHONE_LENGTH_MAX && PHONE.test(line))) break;
    if (PHONE.test(line) || OPENING.test(line) || (DASHED.test(line) && !isListed(line, isList))) start = place;
    // A dash begins it for good; before that there is text.
    if (/^--+\s*$/.test(line)) break;
  }
  return start;
}
