// A message in parts, compiled once and filled for each recipient.
import { createHash } from 'node:crypto';
import { composeMessage, LINE_LENGTH_MAX, type MailAddress, type OutgoingMessage } from '../mime/index.ts';
import { compileBody, encodeSegments, type BodyPiece, type CompiledBody } from './body.ts';
import { compileField, compileMailboxes, hasHole, type CompiledField } from './header.ts';
import { bodySegmentsOf, type TrackedSoFar } from './holes.ts';
import type { Tracking } from './tracked-links.ts';

export interface CompiledMail {
  fields: CompiledField[];
  body: CompiledBody;
}

export interface CompileOptions {
  /** To names the copy's own recipient alone, and there is no Cc. */
  isBatch?: boolean;
  /** Of the body in signatures; `relaxed` where a relay may write it anew. Default: `simple`. */
  canonicalization?: 'simple' | 'relaxed';
  /** What of HTML and of plain text is tracked; of AMP, nothing is. */
  tracking?: Tracking;
}

/** Stands in the composed message for what is written here. */
interface Mark {
  mark: string;
  field?: (name: string) => CompiledField;
  pieces?: BodyPiece[];
}

class Marks {
  readonly #secret: string;
  readonly all: Mark[] = [];

  /** The words follow from the message, so that nobody who writes it can put them there. */
  constructor({ messageId, subject, text, html, ampHtml }: OutgoingMessage) {
    this.#secret = createHash('sha256')
      .update([messageId, subject, text ?? '', html ?? '', ampHtml ?? ''].join('\0'))
      .digest('hex')
      .slice(0, 24);
  }

  add(what: Omit<Mark, 'mark'>): string {
    const mark = `galley${this.#secret}x${this.all.length}x`;
    this.all.push({ mark, ...what });
    return mark;
  }

  text(value: string): string {
    const isLong = value.split(/\s/).some(({ length }) => length > LINE_LENGTH_MAX / 2);
    return isLong || hasHole(value) ? this.add({ field: (name) => compileField(name, value) }) : value;
  }

  mailboxes(all: readonly MailAddress[]): readonly MailAddress[] {
    if (!all.some(({ name, address }) => hasHole(name) || hasHole(address))) return all;
    const mark = this.add({ field: (name) => compileMailboxes(name, all) });
    return [{ name: '', address: `${mark}@example.invalid` }];
  }

  part(text: string | undefined, isHtml: boolean, tracking: TrackedSoFar | undefined): string | undefined {
    if (text === undefined) return undefined;
    return this.add({ pieces: encodeSegments(bodySegmentsOf(text, { isHtml, tracking })) });
  }
}

/**
 * Compiles what {@link composeMessage} takes. Texts, HTML and AMP are encoded once, with holes for the variables of
 * recipients; so are fields. Attachments and structure are composed once. The same input gives the same bytes.
 */
export async function compileMail(message: OutgoingMessage, options: CompileOptions = {}): Promise<CompiledMail> {
  const marks = new Marks(message);
  const tracking = options.tracking && { ...options.tracking, links: 0 };
  const [text, html, ampHtml] = [
    marks.part(message.text, false, tracking),
    marks.part(message.html, true, tracking),
    marks.part(message.ampHtml, true, undefined),
  ];
  const { cc, ...given } = message;
  const [from] = marks.mailboxes([message.from]) as [MailAddress];
  const to = options.isBatch
    ? [{ name: '', address: `${marks.add({ field: (name) => ({ name, isRecipient: true }) })}@example.invalid` }]
    : marks.mailboxes(message.to);
  const { raw } = await composeMessage({
    ...given,
    from,
    to,
    ...(cc && !options.isBatch && { cc: marks.mailboxes(cc) }),
    ...(message.replyTo && { replyTo: marks.mailboxes(message.replyTo) }),
    subject: marks.text(message.subject),
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(ampHtml !== undefined && { ampHtml }),
    headers: (message.headers ?? []).map(({ name, value }) => ({ name, value: marks.text(value) })),
  });
  const headerEnd = raw.indexOf('\r\n\r\n') + 2;
  const { header, pieces } = replaceParts(raw, headerEnd, marks.all);
  return {
    fields: fieldsOf(header, marks.all),
    body: compileBody(pieces, options.canonicalization ?? 'simple'),
  };
}

const SEVEN_BIT = 'Content-Transfer-Encoding: 7bit';
const QUOTED = 'Content-Transfer-Encoding: quoted-printable';

/** The body with the compiled texts where their marks stand; a message of one part says its encoding in the header. */
function replaceParts(raw: Buffer, headerEnd: number, marks: readonly Mark[]): { header: string; pieces: BodyPiece[] } {
  let header = raw.toString('latin1', 0, headerEnd);
  const pieces: BodyPiece[] = [];
  let at = headerEnd + 2;
  const parts = marks
    .flatMap(({ mark, pieces: compiled }) => (compiled ? { mark, compiled, place: raw.indexOf(mark, at) } : []))
    .sort((one, other) => one.place - other.place);
  for (const { mark, compiled, place } of parts) {
    const encoding = raw.lastIndexOf(SEVEN_BIT, place);
    if (place < 0 || encoding < 0) throw new Error('A composed message lacks a part that was given.');
    if (encoding < headerEnd) header = header.replace(SEVEN_BIT, QUOTED);
    else pieces.push(raw.subarray(at, encoding), Buffer.from(QUOTED), raw.subarray(encoding + SEVEN_BIT.length, place));
    pieces.push(...compiled);
    at = place + mark.length;
  }
  return { header, pieces: [...pieces, raw.subarray(at)] };
}

function fieldsOf(header: string, marks: readonly Mark[]): CompiledField[] {
  const left = marks.filter(({ field }) => field !== undefined);
  return header
    .split(/\r\n(?![ \t])/)
    .filter((line) => line !== '')
    .map((line) => {
      const name = line.slice(0, line.indexOf(':'));
      const mark = left.find((one) => line.includes(one.mark));
      return mark?.field?.(name) ?? { name, written: `${line}\r\n` };
    });
}
