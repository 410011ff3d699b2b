// Options that a program writes into the header of its message: read as the fields of a form, and taken out.
import { decodeWords } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';

/** Variables of a thousand recipients have room. */
const HEADER_BYTES_MAX = 1024 * 1024;

/** By the name of the header, without what it begins with. */
const FIELDS: Record<string, string> = {
  tag: 'o:tag',
  'campaign-id': 'o:campaign',
  dkim: 'o:dkim',
  'secondary-dkim': 'o:secondary-dkim',
  'secondary-dkim-public': 'o:secondary-dkim-public',
  'deliver-by': 'o:deliverytime',
  'deliver-within': 'o:deliver-within',
  'delivery-time-optimize-period': 'o:deliverytime-optimize-period',
  'time-zone-localize': 'o:time-zone-localize',
  'drop-message': 'o:testmode',
  transactional: 'o:transactional',
  track: 'o:tracking',
  'track-clicks': 'o:tracking-clicks',
  'track-opens': 'o:tracking-opens',
  'track-pixel-location-top': 'o:tracking-pixel-location-top',
  'require-tls': 'o:require-tls',
  'skip-verification': 'o:skip-verification',
  'sending-ip': 'o:sending-ip',
  'sending-ip-pool': 'o:sending-ip-pool',
  'archive-to': 'o:archive-to',
  'suppress-headers': 'o:suppress-headers',
  variables: 'h:X-Mailgun-Variables',
  'recipient-variables': 'recipient-variables',
  'template-name': 'template',
  'template-version': 't:version',
  'template-text': 't:text',
  'template-variables': 't:variables',
};

/** What services of the field write into mail that passes them: of no use here, and no option. */
const TRACES = new Set(['sid', 'batch-id', 'incoming', 'sflag', 'sscore', 'spf', 'dkim-check-result', 'native-send']);

const OPTION = /^x-(?:mailgun|galley)-([!-9;-~]+)[ \t]*:/i;
/** A line ends with CRLF; a bare CR or LF becomes one when the message is taken. */
const BREAK = /\r\n|\r|\n/;
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/;

interface HeaderOptions {
  /** The message without them. */
  raw: Buffer;
  /** As the fields of a call. */
  form: Record<string, string[]>;
  /** What the message calls each field. */
  names: Map<string, string>;
  /** The fields that it has, in lower case. */
  others: Set<string>;
}

/** The fields of the header as written, one character a byte, and where the rest of the message begins. */
function split(raw: Buffer): { fields: string[]; restAt: number } {
  const start = raw.toString('latin1', 0, HEADER_BYTES_MAX);
  if (BREAK.test(start.slice(0, 1))) return { fields: [], restAt: 0 };
  const blank = BLANK_LINE.exec(start);
  if (!blank && raw.length > HEADER_BYTES_MAX)
    throw new AppError('too_large', `The header of the message has more than ${HEADER_BYTES_MAX} bytes.`);
  const header = blank ? start.slice(0, blank.index) : start;
  return {
    fields: header.split(/(?:\r\n|\r|\n)(?![ \t\r\n])/),
    restAt: blank ? blank.index : raw.length,
  };
}

function valueOf(field: string): string {
  const value = field.slice(field.indexOf(':') + 1).replaceAll(/\r\n|\r|\n/g, '');
  return decodeWords(Buffer.from(value, 'latin1').toString('utf8')).trim();
}

/** Throws `invalid_request` for one that is not known, `too_large` for a header without bound. */
export function takeHeaderOptions(raw: Buffer): HeaderOptions {
  const { fields, restAt } = split(raw);
  const form: Record<string, string[]> = {};
  const names = new Map<string, string>();
  const kept = fields.filter((field) => {
    const option = OPTION.exec(field)?.[1]?.toLowerCase();
    if (option === undefined) return true;
    if (TRACES.has(option)) return false;
    const name = field.slice(0, field.indexOf(':')).trim();
    const known = Object.hasOwn(FIELDS, option) ? FIELDS[option] : undefined;
    if (known === undefined)
      throw new AppError(
        'invalid_request',
        `${name.slice(0, 60)} is not known here; after X-Mailgun- or X-Galley- these are valid: ` +
          `${Object.keys(FIELDS).join(', ')}.`,
      );
    (form[known] ??= []).push(valueOf(field));
    names.set(known, name);
    return false;
  });
  const others = new Set(
    kept.map((field) =>
      field
        .slice(0, Math.max(0, field.indexOf(':')))
        .trim()
        .toLowerCase(),
    ),
  );
  if (kept.length === fields.length) return { raw, form, names, others };
  const header = kept.length === 0 ? '' : kept.join('\r\n');
  return { raw: Buffer.concat([Buffer.from(header, 'latin1'), raw.subarray(restAt)]), form, names, others };
}

/** The sentence with the names that the message has for its options. */
export function inHeaderWords(sentence: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((text, [field, name]) => text.replaceAll(wholeWord(field), () => name), sentence);
}

function wholeWord(text: string): RegExp {
  return new RegExp(`(?<![\\w-])${text.replaceAll(/[^\w\s:-]/g, '\\$&')}(?![\\w-])`, 'g');
}
