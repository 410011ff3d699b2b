// Lines that stand between what somebody writes and what they quote, such as `On 1 May, Ann wrote:`.

/** Longer lines are looked at up to here. */
const LOOKED_AT = 500;

const OPENINGS = /^\s*-*>?[ ]?(?:On|Le|W dniu|Op|Am|På|Den|El|Em|Il|Dne)[ ]/i;
const SEPARATORS = /,|użytkownik/;
const VERBS =
  /(?:wrote|sent|a écrit|napisał\(?a?\)?|schreef|verzond|geschreven|schrieb|skrev|escribió|escreveu|ha scritto|napsal)[^:\n]{0,100}:?-*\s*$|(?:wrote|a écrit|schrieb|skrev|escribió|escreveu|ha scritto):/;
const BORDER =
  /^\s*-+ *(?:Original Message|Reply Message|Ursprüngliche Nachricht|Antwort Nachricht|Oprindelig meddelelse|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht) *-+/i;
const ANDROID = /^\s*-+.*wrote *-+/i;
const FIELD =
  /^\s*:?\*?(?:From|Van|De|Von|Fra|Från|Da|Date|Sent|Datum|Envoyé|Skickat|Sendt|Gesendet|Verzonden|To|Til|Till|An|Aan|À|Subject|Betreff|Objet|Ämne|Emne|Onderwerp|Asunto|Cc|Fecha|Enviado|Para)\s?:/i;
const FIRST_FIELD =
  /^\s*:?\*?(?:From|Van|De|Von|Fra|Från|Da|Date|Sent|Datum|Envoyé|Skickat|Sendt|Gesendet|Verzonden|Enviado)\s?:/i;
const DATED = [
  /^(?:\d+\/\d+\/\d+|\d+\.\d+\.\d+).*\s\S+@\S+/,
  /^\d{4}-\d{2}-\d{2}\s+\d{2}:\d{2}\s+GMT.*\s\S+@\S+/,
  /^\S{3,10}, \d\d? \S{3,10} 20\d\d,? \d\d?:\d\d(?::\d\d)?(?: \S+){3,6}@\S+:/,
  /^Sent from Samsung.{0,200} \S+@\S+> wrote/,
];

/** How many lines from `at` on are `On …, … wrote:`. */
function introduction(lines: readonly string[], at: number): number {
  if (!OPENINGS.test(lines[at] as string)) return 0;
  let isSeparated = false;
  for (let count = 1; count <= 4 && at + count <= lines.length; count += 1) {
    const line = lines[at + count - 1] as string;
    if (line.trim() === '' && count > 1) return 0;
    isSeparated ||= SEPARATORS.test(line) || /\d{4}|\d\d:\d\d/.test(line);
    if (isSeparated && VERBS.test(line)) return count;
  }
  return 0;
}

/** How many lines from `at` on are the header of a message, as Outlook writes it: two fields or more. */
function writtenHeader(lines: readonly string[], at: number): number {
  let first = at;
  if (/^_{5,}\s*$/.test(lines[first] as string)) first += 1;
  if (!FIRST_FIELD.test(lines[first] ?? '')) return 0;
  let fields = 0;
  let end = first;
  for (let place = first; place < lines.length && place < first + 8; place += 1) {
    if (FIELD.test(lines[place] as string)) fields += 1;
    // A field may go on in one line more.
    else if ((lines[place] as string).trim() === '' || !FIELD.test(lines[place - 1] as string)) break;
    end = place + 1;
  }
  return fields >= 2 ? end - at : 0;
}

/** How many lines from `at` on stand between a reply and what it quotes; 0: none. */
export function splitterAt(given: readonly string[], at: number): number {
  const lines = given.slice(at, at + 9).map((line) => line.slice(0, LOOKED_AT));
  const line = lines[0] as string;
  if (BORDER.test(line) || ANDROID.test(line)) return 1;
  const words = introduction(lines, 0) || writtenHeader(lines, 0);
  if (words > 0) return words;
  if (DATED.some((pattern) => pattern.test(line))) return 1;
  const joined = `${line} ${lines[1] ?? ''}`;
  return /^\d/.test(line) && (lines[1] ?? '').includes('@') && DATED.some((pattern) => pattern.test(joined)) ? 2 : 0;
}
