// Mail that comes back: delivery reports (RFC 3464), complaints (RFC 5965), and refusals told in free text. The parts
// are found in the bytes as they are: readers of MIME take returned messages apart, which can be huge and hostile, and
// often do not show the parts that matter.

import { namesCause } from './hard-bounce.ts';

/** What is told of one recipient. */
interface RecipientReport {
  /** Lower case. */
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** `5.1.1`; undefined: it does not say. */
  enhanced: string | undefined;
  /** Of the reply of the server that refused; undefined: it does not say. */
  code: number | undefined;
  /** What that server said, in one line. */
  text: string;
  /** The server that refused; undefined: it does not say. */
  host: string | undefined;
}

export type Report =
  | { kind: 'bounce'; recipients: RecipientReport[] }
  /** `type`: `abuse`, `fraud`, `not-spam` and so on. */
  | { kind: 'complaint'; type: string }
  /** An automatic answer, or anything else. */
  | { kind: 'other' };

/** Reports stand before the message that they return; of what comes later nothing is read. */
const READ_BYTES_MAX = 512 * 1024;
const HEADER_LENGTH_MAX = 64 * 1024;
const PART_LENGTH_MAX = 64 * 1024;
const RECIPIENTS_MAX = 100;
const TEXT_LENGTH_MAX = 1000;
const PLAIN_LENGTH_MAX = 32 * 1024;

type Fields = ReadonlyMap<string, string>;

/** Header fields, unfolded, by their name in lower case; of one that comes twice the first. */
function fieldsOf(text: string): Fields {
  const fields = new Map<string, string>();
  for (const line of text.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && /^[a-z0-9-]{1,76}$/.test(name) && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}

/** Text as it comes, one character for a byte; lines end by LF. */
const textIn = (raw: Uint8Array): string =>
  Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, READ_BYTES_MAX))
    .toString('latin1')
    .replaceAll('\r\n', '\n');

/** What is encoded is decoded; reports are ASCII. */
function decoded(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString('latin1').replaceAll('\r\n', '\n');
  if (/quoted-printable/i.test(encoding))
    return text
      .replaceAll(/=[ \t]*\n/g, '')
      .replaceAll(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return text;
}

/**
 * The first part of one of these types, wherever it stands; undefined when there is none. Its header begins after a
 * blank line or a boundary, and it ends at the next boundary.
 */
function partOf(mail: string, types: RegExp): string | undefined {
  const found = types.exec(mail);
  if (!found) return undefined;
  const end = mail.indexOf('\n\n', found.index);
  if (end < 0) return undefined;
  const start = Math.max(mail.lastIndexOf('\n\n', found.index), mail.lastIndexOf('\n--', found.index), 0);
  const header = fieldsOf(mail.slice(start, end));
  const rest = mail.slice(end + 2, end + 2 + PART_LENGTH_MAX);
  const boundary = rest.search(/(?:^|\n)--[^\s-]/);
  const body = boundary < 0 ? rest : rest.slice(0, boundary);
  return decoded(body, header.get('content-transfer-encoding') ?? '');
}

const STATUS = /^Content-Type:\s*message\/(?:global-)?delivery-status\b/im;
const FEEDBACK = /^Content-Type:\s*message\/feedback-report\b/im;
const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, TEXT_LENGTH_MAX);

/** `dns; mx.example.com (192.0.2.1)` */
const hostIn = (value: string | undefined): string | undefined =>
  /^(?:[\w-]+;)?\s*([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)/i.exec(value ?? '')?.[1]?.toLowerCase();

const enhancedIn = (text: string): string | undefined => /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0];

/** The code of a reply, at the beginning of what a server said. */
function codeIn(text: string): number | undefined {
  const code = /(?:^|[^\d.])([245]\d\d)(?=[\s-]|$)/.exec(text.slice(0, 200))?.[1];
  return code === undefined ? undefined : Number(code);
}

function recipientOf(fields: Fields): RecipientReport | undefined {
  const action = ACTIONS.find((name) => fields.get('action')?.toLowerCase().startsWith(name));
  if (!action) return undefined;
  const text = oneLine((fields.get('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;/, ''));
  return {
    action,
    // Servers write a vague status beside a reply that is not: 5.0.0 and "550 5.1.1 No such user".
    enhanced: bestOf(enhancedIn(fields.get('status') ?? ''), enhancedIn(text)),
    code: codeIn(text),
    text,
    host: hostIn(fields.get('remote-mta')),
  };
}

function bestOf(status: string | undefined, said: string | undefined): string | undefined {
  const isVague = status === undefined || /^[45]\.0\.0$/.test(status);
  return isVague && said !== undefined && (status === undefined || said[0] === status[0]) ? said : status;
}

/** A refusal in the words of a program that knows no reports, such as `550 5.1.1 <ann@example.com>... User unknown`. */
function refusalIn(body: string): RecipientReport | undefined {
  const line = /^.{0,200}?(?:^|[\s:>(])(5\d\d)[ -](?:#?(5\.\d{1,3}\.\d{1,3}))?[^\n]{0,600}$/m.exec(
    body.slice(0, PLAIN_LENGTH_MAX),
  );
  const text = oneLine(line?.[0] ?? '');
  // A number alone may be a price.
  if (!line || (line[2] === undefined && !namesCause(text))) return undefined;
  return { action: 'failed', enhanced: line[2], code: Number(line[1]), text, host: undefined };
}

/**
 * What a message that came back says. Time and memory are bounded whatever it holds. That it came from a server (the
 * empty sender) is for the caller to see.
 */
export function readReport(raw: Uint8Array): Report {
  const mail = textIn(raw);
  const split = mail.indexOf('\n\n');
  const header = fieldsOf(mail.slice(0, split < 0 ? HEADER_LENGTH_MAX : Math.min(split, HEADER_LENGTH_MAX)));
  const feedback = partOf(mail, FEEDBACK);
  if (feedback !== undefined) {
    const type = /^[a-z-]{1,40}/.exec((fieldsOf(feedback).get('feedback-type') ?? '').toLowerCase())?.[0];
    return type === undefined ? { kind: 'other' } : { kind: 'complaint', type };
  }
  const status = partOf(mail, STATUS);
  if (status !== undefined) {
    const groups = status.split(/\n[ \t]*\n/).slice(0, RECIPIENTS_MAX + 1);
    const recipients = groups.flatMap((group) => recipientOf(fieldsOf(group)) ?? []);
    return recipients.length > 0 ? { kind: 'bounce', recipients } : { kind: 'other' };
  }
  // An answer of somebody who is away quotes all sorts of things (RFC 3834 §5).
  const isAnswer =
    /^auto-replied|^auto-notified/i.test(header.get('auto-submitted') ?? '') ||
    /auto[-_ ]?(?:reply|respon)/i.test(header.get('precedence') ?? '') ||
    header.has('x-autoreply') ||
    header.has('x-autorespond');
  const refusal = isAnswer || split < 0 ? undefined : refusalIn(mail.slice(split + 2));
  return refusal ? { kind: 'bounce', recipients: [refusal] } : { kind: 'other' };
}
