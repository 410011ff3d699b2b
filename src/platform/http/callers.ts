// What a request says about who is behind it: for records, never for rights.
import { alternativesOf } from './aliases.ts';

/** Of each text that is kept. */
const TEXT_LENGTH_MAX = 300;

/** Control characters, and those that turn the direction of a line. */
// eslint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

type Headers = Record<string, string | string[] | undefined>;

/** One line of ASCII, as nearly all headers are. */
const PLAIN = /^[\u0021-\u007e]+( [\u0021-\u007e]+)*$/;

/** HTTP hands on bytes as if they were Latin-1; what is UTF-8 is read as that. */
function inUtf8(value: string): string {
  const read = Buffer.from(value, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? value : read;
}

/** A text that somebody else wrote, as one line of bounded length. */
export function cleanLine(text: string, lengthMax = TEXT_LENGTH_MAX): string {
  return [...text.replaceAll(ACTING, ' ').replaceAll(/ +/g, ' ').trim()].slice(0, lengthMax).join('');
}

function lineOf(value: string | string[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && PLAIN.test(value)) return value;
  return cleanLine(inUtf8([value].flat().join(', ')));
}

/** Who is behind a call, as the caller says; each text is one line of at most 300 characters. */
export interface Initiator {
  /** `X-Service-Requestor`: on whose behalf a program calls. Null: nobody said. */
  requestor: string | null;
  /** `X-Service-Requestor-Client`: by which program. */
  requestorClient: string | null;
  userAgent: string;
}

/** Reads what the headers say, under any of their spellings; the contract's spelling comes first. */
export function initiatorOf(headers: Headers): Initiator {
  const said = (name: 'x-service-requestor' | 'x-service-requestor-client'): string | null =>
    alternativesOf(name)
      .map((spelling) => lineOf(headers[spelling]))
      .find((line) => line !== '') ?? null;
  return {
    requestor: said('x-service-requestor'),
    requestorClient: said('x-service-requestor-client'),
    userAgent: lineOf(headers['user-agent']),
  };
}
