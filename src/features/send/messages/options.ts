// The options of a call (`o:`, `v:`, `t:`), each with its meaning, or refused in words.
import { plainIp } from '../../../platform/network/index.ts';
import { daysAfter, parseTime, unixSeconds } from '../../../platform/times/index.ts';
import { readTimeOfDay } from './due-times.ts';
import { readOptimizePeriod } from './send-times.ts';
import { lineOf, objectOf, textsOf, wrong, type Form } from './fields.ts';
import type { SendOptions } from './store.ts';

const BYTES_MAX = 16 * 1024;
const TAGS_MAX = 10;
const TAG_LENGTH_MAX = 128;
const CAMPAIGNS_MAX = 3;
/** Seconds. */
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const AHEAD_MAX_DAYS = 7;

const VALID = [
  'o:tag',
  'o:campaign',
  'o:dkim',
  'o:secondary-dkim',
  'o:secondary-dkim-public',
  'o:deliverytime',
  'o:deliver-within',
  'o:deliverytime-optimize-period',
  'o:time-zone-localize',
  'o:testmode',
  'o:transactional',
  'o:tracking',
  'o:tracking-clicks',
  'o:tracking-opens',
  'o:tracking-pixel-location-top',
  'o:require-tls',
  'o:skip-verification',
  'o:sending-ip',
  'o:sending-ip-pool',
  'o:archive-to',
  'o:suppress-headers',
] as const;

const WHOLE =
  'templates are filled in messages that are given in parts and sent as a domain (POST /v3/{domain}/messages); this ' +
  'one has its own text';

/** What is not done here, or not yet: refused rather than passed over. */
const NOT_YET: Record<string, string> = {
  template: WHOLE,
  't:version': WHOLE,
  't:text': WHOLE,
  't:variables': WHOLE,
};

const YES = new Set(['yes', 'true', '1']);
const NO = new Set(['no', 'false', '0']);

/** `yes` or `no`, as clients write them. Throws `invalid_request`. */
export function readFlag(form: Form, field: string): boolean | undefined {
  const text = lineOf(form, field)?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (YES.has(text)) return true;
  if (NO.has(text)) return false;
  throw wrong(field, `${field} must be one of yes, no, true, false.`);
}

function trackingOf(form: Form, field: string): boolean | 'htmlonly' | undefined {
  if (lineOf(form, field)?.trim().toLowerCase() === 'htmlonly') return 'htmlonly';
  try {
    return readFlag(form, field);
  } catch {
    throw wrong(field, `${field} must be one of yes, no, true, false, htmlonly.`);
  }
}

/** Options, variables and headers of one call together. Throws `invalid_request`. */
export function refuseLarge(form: Form): void {
  let bytes = 0;
  for (const field of Object.keys(form)) {
    if (!/^[ohvt]:/i.test(field)) continue;
    for (const text of textsOf(form, field)) bytes += Buffer.byteLength(field) + Buffer.byteLength(text);
  }
  if (bytes > BYTES_MAX)
    throw wrong('o:', `The fields o:, h:, v: and t: hold ${bytes} bytes together; at most ${BYTES_MAX} are accepted.`);
}

function refuseUnknown(form: Form): void {
  const unknown = Object.keys(form).find((field) => field.startsWith('o:') && !VALID.some((one) => one === field));
  if (unknown !== undefined)
    throw wrong(unknown, `${unknown.slice(0, 100)} is not known here; valid options are ${VALID.join(', ')}.`);
  for (const [field, why] of Object.entries(NOT_YET))
    if (textsOf(form, field).some((text) => text !== '')) throw wrong(field, `${field} cannot be used: ${why}.`);
}

/** Tags, each once without regard to case. */
export function readTags(form: Form): string[] {
  const tags = new Map<string, string>();
  for (const given of textsOf(form, 'o:tag')) {
    const tag = given.trim();
    if (tag === '') continue;
    if (tag.length > TAG_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(tag))
      throw wrong('o:tag', `o:tag must be at most ${TAG_LENGTH_MAX} printable ASCII characters.`);
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  if (tags.size > TAGS_MAX)
    throw wrong('o:tag', `o:tag is given ${tags.size} times; at most ${TAGS_MAX} are accepted.`);
  return [...tags.values()];
}

function campaignsOf(form: Form): string[] {
  const campaigns = textsOf(form, 'o:campaign').filter((text) => text !== '');
  if (campaigns.length > CAMPAIGNS_MAX || campaigns.some((text) => text.length > TAG_LENGTH_MAX))
    throw wrong('o:campaign', `o:campaign names at most ${CAMPAIGNS_MAX} campaigns of ${TAG_LENGTH_MAX} characters.`);
  return campaigns;
}

/** Unix seconds of the moment to deliver at; a moment that has passed is now. */
function timeOf(form: Form, now: Date): number | undefined {
  const field = 'o:deliverytime';
  const text = lineOf(form, field)?.trim();
  if (text === undefined) return undefined;
  const at = parseTime(text);
  if (!at) throw wrong(field, `${field} must be a date as in RFC 2822, such as Fri, 14 Oct 2011 23:10:10 -0000.`);
  if (at > daysAfter(now, AHEAD_MAX_DAYS))
    throw wrong(field, `${field} is more than ${AHEAD_MAX_DAYS} days ahead; give an earlier date.`);
  return unixSeconds(at);
}

function withinOf(form: Form): number | undefined {
  const field = 'o:deliver-within';
  const text = lineOf(form, field)?.trim();
  if (text === undefined) return undefined;
  const [, hours, minutes] = /^(?:(\d{1,4})h)?(?:(\d{1,4})m)?$/.exec(text) ?? [];
  const seconds = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE;
  if (text === '' || seconds < 5 * MINUTE || seconds > DAY)
    throw wrong(field, `${field} must be from 5m to 24h, written as hours and minutes such as 1h30m.`);
  return seconds;
}

function keyOf(form: Form, field: string): { domain: string; selector: string } | undefined {
  const text = lineOf(form, field)?.trim();
  if (text === undefined) return undefined;
  const [, domain, selector] = /^([^/\s]{1,253})\/([A-Za-z0-9][A-Za-z0-9._-]{0,62})$/.exec(text) ?? [];
  if (domain === undefined || selector === undefined)
    throw wrong(field, `${field} must be a domain and a selector, such as example.com/s1.`);
  return { domain: domain.toLowerCase(), selector };
}

function suppressedOf(form: Form): 'all' | string[] | undefined {
  const field = 'o:suppress-headers';
  const names = textsOf(form, field)
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  if (names.length === 1 && names[0]?.toLowerCase() === 'all') return 'all';
  const none = names.find((name) => !/^[!-9;-~]{1,76}$/.test(name));
  if (none !== undefined)
    throw wrong(
      field,
      `${field} must be all, or names of header fields joined by commas; "${none.slice(0, 100)}" is none.`,
    );
  return names;
}

/** The address and the pool to send from; whether the account has them is not looked at. */
function sourceOf(form: Form): Pick<SendOptions, 'sendingIp' | 'sendingPool'> {
  const ip = lineOf(form, 'o:sending-ip')?.trim() || undefined;
  const sendingPool = lineOf(form, 'o:sending-ip-pool')?.trim() || undefined;
  if (ip !== undefined && sendingPool !== undefined)
    throw wrong('o:sending-ip', 'o:sending-ip and o:sending-ip-pool are both given; give one of them.');
  if (sendingPool !== undefined) return { sendingPool };
  if (ip === undefined) return {};
  const sendingIp = plainIp(ip);
  if (sendingIp === undefined) throw wrong('o:sending-ip', `o:sending-ip "${ip.slice(0, 100)}" is not an IP address.`);
  return { sendingIp };
}

/** What is there. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** Throws `invalid_request` naming the option and what is valid. Whether a key is there is not looked at. */
export function readOptions(form: Form, now: Date): SendOptions {
  refuseUnknown(form);
  refuseLarge(form);
  const secondary = keyOf(form, 'o:secondary-dkim');
  const alias = keyOf(form, 'o:secondary-dkim-public');
  if (alias && !secondary)
    throw wrong('o:secondary-dkim-public', 'o:secondary-dkim-public needs o:secondary-dkim, whose key it names.');
  const campaigns = campaignsOf(form);
  return defined({
    dkim: readFlag(form, 'o:dkim'),
    secondaryDkim: secondary,
    secondaryDkimPublic: alias && `${alias.domain}/${alias.selector}`,
    tracking: trackingOf(form, 'o:tracking'),
    trackingClicks: trackingOf(form, 'o:tracking-clicks'),
    trackingOpens: readFlag(form, 'o:tracking-opens'),
    isPixelAtTop:
      trackingOf(form, 'o:tracking-pixel-location-top') === undefined
        ? undefined
        : trackingOf(form, 'o:tracking-pixel-location-top') !== false,
    requireTls: readFlag(form, 'o:require-tls'),
    skipVerification: readFlag(form, 'o:skip-verification'),
    suppressHeaders: suppressedOf(form),
    scheduledFor: timeOf(form, now),
    timeOfDay: readTimeOfDay(form),
    optimizeHours: readOptimizePeriod(form),
    deliverWithinSeconds: withinOf(form),
    // Clients say `no`, too.
    isTest: readFlag(form, 'o:testmode') === true ? (true as const) : undefined,
    isTransactional: readFlag(form, 'o:transactional') === true ? (true as const) : undefined,
    campaigns: campaigns.length ? campaigns : undefined,
    archiveTo: lineOf(form, 'o:archive-to')?.trim() || undefined,
    ...sourceOf(form),
  });
}

/** Variables of the sender: `v:name`, and those in the JSON of `h:X-Mailgun-Variables`. They come back in events. */
export function readUserVariables(form: Form): Record<string, unknown> {
  const variables: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const field of Object.keys(form)) {
    if (/^(h:)?x-mailgun-variables$/i.test(field))
      for (const text of textsOf(form, field)) if (text !== '') Object.assign(variables, objectOf(field, text));
    if (!field.startsWith('v:')) continue;
    if (field.length === 2) throw wrong(field, 'v: needs a name, such as v:order.');
    const texts = textsOf(form, field);
    variables[field.slice(2)] = texts.length === 1 ? texts[0] : texts;
  }
  return { ...variables };
}
