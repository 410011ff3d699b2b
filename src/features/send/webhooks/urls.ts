// The addresses that webhooks may have.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { literalRefusalOf, parseAllowList } from '../../../platform/fetch/index.ts';

/** An index holds no longer ones. */
const URL_BYTES_MAX = 2000;

interface CheckedUrl {
  /** As it was given. */
  url: string;
  /** Name and port. */
  host: string;
}

/** What is wrong with a URL; undefined when nothing is, as far as it is known without DNS. */
function faultOf(text: string, { config }: Pick<Outside, 'config'>): string | undefined {
  if (Buffer.byteLength(text) > URL_BYTES_MAX) return `it has more than ${URL_BYTES_MAX} bytes`;
  if (!URL.canParse(text)) return 'it is no absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'invalid URL scheme';
  if (url.username || url.password) return 'it must not carry a user name or a password';
  if (literalRefusalOf(url, parseAllowList(config.fetch.allowHosts)) !== undefined)
    return 'its host or port is not open to requests from here';
  return undefined;
}

/** Checks a URL of a webhook. Throws `invalid_request` with the words that the group's documents have. */
export function readUrl(doors: Pick<Outside, 'config'>, text: string, prefix = ''): CheckedUrl {
  const given = text.trim();
  const fault = faultOf(given, doors);
  if (fault !== undefined)
    throw new AppError('invalid_request', `${prefix}${given.slice(0, 200)} is not a valid url: ${fault}`, {
      details: { field: 'url' },
    });
  return { url: given, host: new URL(given).host };
}
