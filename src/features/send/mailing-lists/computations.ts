import { canonicalAddress, parseMime } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import type { Author } from './posting-store.ts';
import { readSheet, type SheetMembers } from './sheet.ts';

const here = import.meta.url;

/** The members of a spreadsheet, whose rows are JSON. */
export const readSheetRows = defineComputation(here, 'readSheetRows', (rows: string): SheetMembers =>
  readSheet(JSON.parse(rows) as string[][]),
);

export interface ArrivedHeader {
  /** Undefined: From does not name exactly one. */
  author: Author | undefined;
  /** Marks of the lists that it came from. */
  marks: string[];
  /** A field that only mail of lists and of programs has, as it reads; undefined: it has none. */
  written: string | undefined;
}

const MARKS_MAX = 20;
const NAME_LENGTH_MAX = 200;
const LINE_LENGTH_MAX = 1000;

/** What people's programs say of mail that no person sent (RFC 3834, RFC 2919, and custom). */
const OF_PROGRAMS: Readonly<Record<string, RegExp>> = {
  'list-id': /./,
  precedence: /^\s*(?:list|bulk|junk|auto_reply)\b/i,
  'auto-submitted': /^(?!\s*no\s*(?:[;(]|$))/i,
  'x-autoreply': /./,
  'x-autorespond': /./,
  'content-type': /^\s*multipart\/report\b/i,
};

function writtenByProgram(headerList: readonly { name: string; value: string }[]): string | undefined {
  const field = headerList.find(({ name, value }) => {
    const pattern = Object.hasOwn(OF_PROGRAMS, name.toLowerCase()) ? OF_PROGRAMS[name.toLowerCase()] : undefined;
    return pattern?.test(value) === true;
  });
  return field && `${field.name}: ${field.value}`.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 80);
}

/** What decides whether a list takes a message; `header` has a character for each byte. */
export const readArrivedHeader = defineComputation(
  here,
  'readArrivedHeader',
  async (header: string): Promise<ArrivedHeader> => {
    const { from, headers, headerList } = await parseMime(Buffer.from(`${header}\r\n\r\n`, 'latin1'));
    const named = headerList.filter(({ name }) => name.toLowerCase() === 'from');
    const [one, another] = from;
    const address = one && !another && named.length === 1 ? canonicalAddress(one.address) : undefined;
    const clean = (text: string): string =>
      text
        .replaceAll(/\p{Cc}+/gu, ' ')
        .toWellFormed()
        .trim();
    const replyTo = clean(headers['reply-to'] ?? '').slice(0, LINE_LENGTH_MAX);
    return {
      author:
        one && address !== undefined
          ? { address, name: clean(one.name).slice(0, NAME_LENGTH_MAX), replyTo: replyTo || address }
          : undefined,
      marks: headerList
        .filter(({ name }) => name.toLowerCase() === 'x-galley-list')
        .slice(0, MARKS_MAX)
        .map(({ value }) => value.trim()),
      written: writtenByProgram(headerList),
    };
  },
);
