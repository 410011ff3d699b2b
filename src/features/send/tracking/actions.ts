import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain, setTrackingHost, type SendingDomain } from '../sending-domains/index.ts';
import { notesOf } from './notes.ts';
import { findTracking, saveTracking, type ClickTracking, type TrackingSettings } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>;

/** As the group's documents give them. */
const DEFAULTS: TrackingSettings = {
  clicks: 'no',
  opens: false,
  isPixelAtTop: false,
  unsubscribes: false,
  htmlFooter: '\n<br>\n<p><a href="%unsubscribe_url%">unsubscribe</a></p>\n',
  textFooter: '\n\nTo unsubscribe click: <%unsubscribe_url%>\n\n',
};

const FOOTER_LENGTH_MAX = 10_000;
const YES = ['yes', 'true', '1'];
const NO = ['no', 'false', '0'];

function wrong(field: string, message: string): AppError {
  return new AppError('invalid_request', message, { details: { field } });
}

const wordOf = (value: unknown): string => String(value).trim().toLowerCase();

/** A field that is yes or no; undefined where it is not given. Throws `invalid_request`. */
export function flagOf(field: string, value: unknown): boolean | undefined {
  if (value === undefined || value === '') return undefined;
  if (YES.includes(wordOf(value))) return true;
  if (NO.includes(wordOf(value))) return false;
  throw wrong(field, `${field} must be one of yes, no, true, false.`);
}

/** The same for clicks, which `htmlonly` counts in HTML alone. */
export function clicksOf(field: string, value: unknown): ClickTracking | undefined {
  if (value === undefined || value === '') return undefined;
  const word = wordOf(value);
  if (word === 'htmlonly') return word;
  if (YES.includes(word)) return 'yes';
  if (NO.includes(word)) return 'no';
  throw wrong(field, `${field} must be one of yes, no, true, false, htmlonly.`);
}

/** A footer; an empty one is one. Throws `invalid_request`. */
export function footerOf(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(field, `${field} must be text.`);
  if (value.includes('\0')) throw wrong(field, `${field} must not hold the character U+0000.`);
  if (value.length > FOOTER_LENGTH_MAX)
    throw wrong(field, `${field} has ${value.length} characters; at most ${FOOTER_LENGTH_MAX} are accepted.`);
  return value;
}

/** What of the mail of a domain is tracked, and the scheme of its links. Throws `not_found`. */
export async function getTracking(
  outside: Doors,
  accountId: string,
  name: string,
): Promise<{ settings: TrackingSettings; domain: SendingDomain; notes: string[] }> {
  const domain = await getDomain(outside, accountId, name);
  const settings = (await findTracking(outside.db, accountId, domain.id)) ?? DEFAULTS;
  return { settings, domain, notes: notesOf(outside, domain) };
}

/** Changes what is given, for messages that are accepted from then on. Throws `not_found`. */
export async function changeTracking(
  outside: Doors,
  accountId: string,
  { name, change }: { name: string; change: { [Name in keyof TrackingSettings]?: TrackingSettings[Name] | undefined } },
): Promise<{ settings: TrackingSettings; notes: string[] }> {
  const domain = await getDomain(outside, accountId, name);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const at = outside.clock.now();
  const whose = { domainId: domain.id, accountId };
  const settings = await saveTracking(outside.db, whose, { defaults: DEFAULTS, change: given, at });
  return { settings, notes: notesOf(outside, domain) };
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function given(value: unknown): string | undefined {
  return value === undefined || value === '' ? undefined : wordOf(value);
}

/** Changes the host of the domain's links. Throws `not_found`, and `invalid_request` naming the field. */
export async function changeHost(
  outside: Doors,
  accountId: string,
  { name, ...fields }: { name: string; prefix: unknown; scheme: unknown },
): Promise<SendingDomain> {
  const [webPrefix, webScheme] = [given(fields.prefix), given(fields.scheme)];
  if (webPrefix === undefined && webScheme === undefined)
    throw wrong('web_prefix', 'web_prefix or web_scheme must be given.');
  if (webPrefix !== undefined && !LABEL.test(webPrefix))
    throw wrong(
      'web_prefix',
      'web_prefix must be one label of a host name: 1 to 63 letters, digits and hyphens, no hyphen at either end.',
    );
  if (webScheme !== undefined && webScheme !== 'http' && webScheme !== 'https')
    throw wrong('web_scheme', 'web_scheme must be http or https.');
  return setTrackingHost(outside, accountId, {
    name,
    ...(webPrefix !== undefined && { webPrefix }),
    ...(webScheme !== undefined && { webScheme }),
  });
}
