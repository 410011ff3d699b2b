// The addresses that may be posted to.
import { AppError } from '../errors/index.ts';
import { literalRefusalOf, parseAllowList } from '../fetch/index.ts';

/** An index holds no longer ones. */
const URL_BYTES_MAX = 2000;

interface CheckedUrl {
  /** As it was given. */
  url: string;
  /** Name and port. */
  host: string;
}

/** What is wrong with a URL; undefined when nothing is, as far as it is known without DNS. */
function faultOf(text: string, allowHosts: readonly string[]): string | undefined {
  if (Buffer.byteLength(text) > URL_BYTES_MAX) return `it has more than ${URL_BYTES_MAX} bytes`;
  if (!URL.canParse(text)) return 'it is no absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'invalid URL scheme';
  if (url.username || url.password) return 'it must not carry a user name or a password';
  if (literalRefusalOf(url, parseAllowList(allowHosts)) !== undefined)
    return 'its host or port is not open to requests from here';
  return undefined;
}

interface Reading {
  /** The operator's allow list, see `parseAllowList`. */
  allowHosts: readonly string[];
  /** The field that holds the URL. */
  field?: string;
  /** What the message begins with. */
  prefix?: string;
}

/** Checks a URL that posts go to. Throws `invalid_request` with the words that the documents of webhooks have. */
export function readTarget(text: string, { allowHosts, field = 'url', prefix = '' }: Reading): CheckedUrl {
  const given = text.trim();
  const fault = faultOf(given, allowHosts);
  if (fault !== undefined)
    throw new AppError('invalid_request', `${prefix}${given.slice(0, 200)} is not a valid url: ${fault}`, {
      details: { field },
    });
  return { url: given, host: new URL(given).host };
}
