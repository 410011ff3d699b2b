// Lines that stand between what somebody writes and what they quote, such as `On 1 May, Ann wrote:`.

/** Longer lines are looked at up to here. */
const LOOKED_AT = 500;

const OPENINGS = /^\s*-*>?[ ]?(?:On|Le|W dniu|Op|Am|På|Den|El|Em|Il|Dne|Dnia|In data)[ ]/i;
const SEPARATORS = /,|użytkownik/;
/** What programs write for "wrote" and "sent", in the languages of those that were seen. */
const VERB =
  'wrote|sent|a écrit|napisał\\(?a?\\)?|schreef|verzond|geschreven|schrieb|skrev|escribió|escreveu|ha scritto|' +
  'napsala?|napísala?|написала?|писала?|пише|написав|kirjoitti|yazdı|đã viết|írta|έγραψε|a scris|写道|寫道|書きました|작성';
const VERBS = new RegExp(`(?:${VERB})[^:\\n]{0,100}:?-*\\s*$|(?:${VERB}):`, 'i');
/** A verb, and a colon at the end, with a date between them at most. */
const SAID = new RegExp(`(?:${VERB})(?:[ ,].{0,100})?[:：]\\s*$`, 'i');
/** A verb that is followed by a colon alone. */
const SAID_LAST = new RegExp(`(?:${VERB})[:：]\\s*$`, 'i');
const ADDRESS = /[^\s@<]@[^\s@>]/;
const YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)/;
const TIME = /(?:^|\D)\d{1,2}[:.h]\d\d(?:\D|$)/;
const NAMED_ADDRESS = /<\s*(?:mailto:)?[^\s@<>]{1,100}@[^\s@<>]{1,100}\s*>\s*[:：]\s*$/;
const ORIGINAL =
  'Original Message|Reply Message|Ursprüngliche Nachricht|Antwort Nachricht|Oprindelig (?:meddelelse|besked)|' +
  "Message d['’]origine|Message original|Mensaje original|Mensagem original|Messaggio originale|" +
  'Oorspronkelijk bericht|Opprinnelig melding|Ursprungligt meddelande|Alkuperäinen viesti|' +
  'Oryginalna wiadomość|Wiadomość oryginalna|Původní zpráva|Исходное сообщение|Eredeti üzenet|原始邮件|元のメッセージ';
const BORDER = new RegExp(`^\\s*\\*?-+ *(?:${ORIGINAL}) *-+`, 'i');
const ANDROID = /^\s*-+.*wrote *-+/i;
/** Names of `From`, `Date` and `Sent` above a message, then those of the other fields. */
const FIRST =
  'From|Van|De|Von|Fra|Från|Da|Od|От|Kimden|Lähettäjä|Feladó|发件人|寄件者|差出人|Date|Sent|Datum|Data|Dato|Envoyé|Skickat|' +
  'Sendt|Gesendet|Verzonden|Enviado|Enviada|Inviato|Wysłano|Отправлено|Lähetetty|Message du';
const OTHERS =
  'To|Til|Till|An|Aan|À|A|Do|Komu|Кому|Kime|Vastaanottaja|Címzett|收件人|宛先|Para|Subject|Betreff|Objet|Ämne|Emne|' +
  'Onderwerp|Asunto|Assunto|Oggetto|Sujet|Temat|Předmět|Тема|Konu|Aihe|Tárgy|主题|件名|Cc|Copie à|Fecha|Reply-To|Risposta|' +
  'Дата|Tarih|发送时间|送信日時';
const FIELD = new RegExp(`^\\s*:?\\*?(?:${FIRST}|${OTHERS})\\s?[:：]`, 'i');
const FIRST_FIELD = new RegExp(`^\\s*:?\\*?(?:${FIRST})\\s?[:：]`, 'i');
const DATED = [
  /^(?:\d+\/\d+\/\d+|\d+\.\d+\.\d+).*\s\S+@\S+/,
  /^\d{4}-\d{2}-\d{2}\s+\d{2}:\d{2}\s+GMT.*\s\S+@\S+/,
  /^\S{3,10}, \d\d? \S{3,10} 20\d\d,? \d\d?:\d\d(?::\d\d)?(?: \S+){3,6}@\S+:/,
  /^Sent from Samsung.{0,200} \S+@\S+> wrote/,
];

/** A line that begins with the rest of a broken address. */
const isAddressPart = (line: string | undefined): boolean => /^\s*<\s*$|^\s*<?mailto:/.test(line ?? '');

/** How many lines from `at` on are `On …, … wrote:`. */
function introduction(lines: readonly string[], at: number): number {
  if (!OPENINGS.test(lines[at] as string)) return 0;
  let isSeparated = false;
  for (let count = 1; count <= 6 && at + count <= lines.length; count += 1) {
    const line = lines[at + count - 1] as string;
    if (line.trim() === '' && !isAddressPart(lines[at + count])) return 0;
    isSeparated ||= SEPARATORS.test(line) || /\d{4}|\d\d:\d\d/.test(line);
    if (isSeparated && VERBS.test(line)) return count;
    if (count >= 4 && !/^\s*(?:<|mailto:|>)/.test(lines[at + count] ?? '')) return 0;
  }
  return 0;
}

/**
 * How many lines from `at` on name who wrote, with an address or a moment, and end with a colon: `Ann <a@b.example>
 * wrote:`, `At 5/1/2026 08:32 PM, you wrote:`, `пт, 1 мая 2026 г. в 10:00, Ann <a@b.example>:`.
 */
function naming(lines: readonly string[]): number {
  let joined = '';
  for (let count = 1; count <= 3 && count <= lines.length; count += 1) {
    const line = lines[count - 1] as string;
    // What is marked is quoted already, apart from the end of an address that was broken.
    if (line.trim() === '' || (count === 1 && line.includes('>') && /^\s*>/.test(line))) return 0;
    joined += ` ${line}`;
    if (joined.length > LOOKED_AT) return 0;
    const isDated = YEAR.test(joined) && TIME.test(joined);
    if (isDated && NAMED_ADDRESS.test(joined.replaceAll(/<\s+/g, '<'))) return count;
    if ((isDated || ADDRESS.test(joined)) && SAID.test(joined)) return count;
    if (YEAR.test(joined) && SAID_LAST.test(joined)) return count;
    // Only a line that names somebody, or says when, goes on.
    if (!isDated && !ADDRESS.test(joined) && !/<\s*$/.test(line)) return 0;
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
  const words = introduction(lines, 0) || writtenHeader(lines, 0) || naming(lines);
  if (words > 0) return words;
  if (DATED.some((pattern) => pattern.test(line))) return 1;
  const joined = `${line} ${lines[1] ?? ''}`;
  return /^\d/.test(line) && (lines[1] ?? '').includes('@') && DATED.some((pattern) => pattern.test(joined)) ? 2 : 0;
}
