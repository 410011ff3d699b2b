// The records to publish for a domain, and whether the world sees them.
import { isNoSuchName, type DeclaredZone, type Dns } from '../../../platform/dns/index.ts';
import type { StoredKey } from './key-store.ts';
import { hasSlots, isSlot, SLOTS, slotHost } from './slots.ts';
import { trackingHostOf } from './tracking-hosts.ts';
import {
  DMARC_POLICIES,
  type RecordCheck,
  type RecordPurpose,
  type RecordToPublish,
  type SendingDomain,
} from './store.ts';

export interface Publisher {
  /** The host that sends: its addresses are allowed by SPF. */
  sendingHost: string;
  receivingHost: string;
  /** Where links of messages lead, if the service has such a host. */
  linkHost: string | undefined;
  /** The operator's zone for keys, if there is one. */
  keysZone: string | undefined;
}

/** The record of a key. */
export function keyRecord(authority: string, { selector, record, checked, isActive }: StoredKey): RecordToPublish {
  return {
    purpose: 'dkim',
    type: 'TXT',
    name: `${selector}._domainkey.${authority}`,
    value: record,
    priority: null,
    isNeeded: isActive,
    check: checked,
  };
}

/** A key that signs, is to sign next, or signed what may still be on its way. */
export const isPublished = ({ isActive, isNext, retiresAt }: StoredKey): boolean =>
  isActive || isNext || retiresAt !== null;

type Authority = Pick<SendingDomain, 'id' | 'name' | 'settings'>;

/** The record of a key as its domain publishes it: a CNAME into the operator's zone, where that holds the key. */
export function ownRecord(authority: Authority, key: StoredKey, keysZone: string | undefined): RecordToPublish {
  const record = keyRecord(authority.name, key);
  if (!keysZone || !hasSlots(authority) || !isSlot(key.selector)) return record;
  return { ...record, type: 'CNAME', value: slotHost(authority, key.selector, keysZone) };
}

/** The records of keys, with those of slots that have no key yet. */
function keyRecords(authority: Authority, keys: readonly StoredKey[], keysZone: string | undefined): RecordToPublish[] {
  const records = keys.filter(isPublished).map((key) => ownRecord(authority, key, keysZone));
  if (!keysZone || !hasSlots(authority)) return records;
  const empty = SLOTS.filter((slot) => !keys.some((key) => key.selector === slot && isPublished(key)));
  return [
    ...records,
    ...empty.map((slot) => ({
      purpose: 'dkim' as const,
      type: 'CNAME' as const,
      name: `${slot}._domainkey.${authority.name}`,
      value: slotHost(authority, slot, keysZone),
      priority: null,
      isNeeded: false,
      check: { valid: 'unknown' as const, found: [] },
    })),
  ];
}

/** What to put into DNS. SPF allows the addresses of the sending host (RFC 7208 §5.3). */
export function recordsToPublish(
  { name: domain, type: kind, settings }: Pick<SendingDomain, 'name' | 'type' | 'settings'>,
  { authority, keys, publisher }: { authority: Authority; keys: readonly StoredKey[]; publisher: Publisher },
): RecordToPublish[] {
  const text = (purpose: RecordPurpose, name: string, value: string): RecordToPublish => ({
    purpose,
    type: 'TXT',
    name,
    value,
    priority: null,
    isNeeded: false,
  });
  const { linkHost } = publisher;
  const tracking = {
    purpose: 'tracking' as const,
    type: 'CNAME' as const,
    name: trackingHostOf({ name: domain, settings }),
    priority: null,
    isNeeded: false,
  };
  const returned = {
    purpose: 'return_path' as const,
    type: 'CNAME' as const,
    value: publisher.receivingHost,
    priority: null,
    isNeeded: false,
  };
  return [
    text('spf', domain, `v=spf1 a:${publisher.sendingHost} ~all`),
    ...keyRecords(authority, keys, publisher.keysZone),
    text('dmarc', `_dmarc.${domain}`, 'v=DMARC1; p=none'),
    ...(linkHost === undefined || linkHost === tracking.name || kind === 'sandbox'
      ? []
      : [{ ...tracking, value: linkHost }]),
    ...(settings.mailfromHost ? [{ ...returned, name: settings.mailfromHost }] : []),
    { purpose: 'mx', type: 'MX', name: domain, value: publisher.receivingHost, priority: 10, isNeeded: false },
  ];
}

/** The same records as a zone: DNS as it will be once they are published. `ip` is where the sending host is. */
export function zoneOf(
  records: readonly RecordToPublish[],
  { sendingHost, ip }: { sendingHost: string; ip: string },
): DeclaredZone {
  const zone: Record<string, { TXT?: string[]; MX?: string[]; A?: string[]; AAAA?: string[]; PTR?: string[] }> = {};
  const at = (name: string) => (zone[name] ??= {});
  for (const { type, name, value, priority } of records) {
    if (type === 'MX') at(name).MX = [...(at(name).MX ?? []), `${priority ?? 10} ${value}`];
    else if (type === 'TXT') at(name).TXT = [...(at(name).TXT ?? []), value];
  }
  at(sendingHost)[ip.includes(':') ? 'AAAA' : 'A'] = [ip];
  at(ip).PTR = [sendingHost];
  return zone;
}

/** Asks DNS for one record. */
export async function checkRecord(record: RecordToPublish, dns: Dns): Promise<RecordCheck> {
  try {
    if (record.type === 'MX') {
      const found = (await dns.resolve(record.name, 'MX')).map(({ exchange }) =>
        exchange.toLowerCase().replace(/\.$/, ''),
      );
      return {
        valid: found.includes(record.value.toLowerCase()) ? 'valid' : 'invalid',
        found: found.slice(0, FOUND_MAX),
      };
    }
    if (record.type === 'CNAME') {
      const found = (await dns.resolve(record.name, 'CNAME')).map((host) => host.toLowerCase().replace(/\.$/, ''));
      return {
        valid: found.includes(record.value.toLowerCase()) ? 'valid' : 'invalid',
        found: found.slice(0, FOUND_MAX),
      };
    }
    const found = (await dns.resolve(record.name, 'TXT'))
      .map((pieces) => pieces.join(''))
      .filter((text) => BEGINNINGS[record.purpose].test(text))
      .slice(0, FOUND_MAX);
    return { valid: found.length === 1 && fulfills(found[0] as string, record) ? 'valid' : 'invalid', found };
  } catch (error) {
    if (isNoSuchName(error)) return { valid: 'invalid', found: [] };
    return { valid: 'unknown', found: [] };
  }
}

/** What a check says beside the one before it: DNS that does not answer changes nothing. */
export function standingAfter(before: RecordCheck | undefined, { valid }: RecordCheck): RecordCheck['standing'] {
  const known = before?.standing ?? (before?.valid === 'valid' ? 'seen' : undefined);
  if (valid === 'unknown') return known;
  if (valid === 'valid') return 'seen';
  return known && 'lost';
}

/** The policy that a check found, if it found one record. What is none of the three is taken as `none` (RFC 7489 §6.6.3). */
function policyIn({ valid, found, policy }: RecordCheck): RecordCheck['policy'] {
  if (policy !== undefined || valid !== 'valid') return policy;
  const named = tagsOf(found[0] ?? '')
    .get('p')
    ?.toLowerCase();
  return DMARC_POLICIES.find((one) => one === named) ?? 'none';
}

const strengthOf = (policy: NonNullable<RecordCheck['policy']>): number => DMARC_POLICIES.indexOf(policy);

/** A check of DMARC beside the one before it: a weaker policy is a loss, unless it `isMeant`. */
export function policyAfter(before: RecordCheck | undefined, check: RecordCheck, isMeant: boolean): RecordCheck {
  const strongest = before && (before.policyBefore ?? policyIn(before));
  const policy = policyIn(check);
  if (policy === undefined) return strongest ? { ...check, policy: strongest } : check;
  if (isMeant || strongest === undefined || strengthOf(policy) >= strengthOf(strongest)) return { ...check, policy };
  return { ...check, policy, policyBefore: strongest, standing: 'lost' };
}

const FOUND_MAX = 20;
const BEGINNINGS: Record<RecordPurpose, RegExp> = {
  spf: /^v=spf1( |$)/i,
  dkim: /^|/,
  dmarc: /^v=DMARC1\s*(;|$)/i,
  tracking: /^|/,
  return_path: /^|/,
  mx: /^|/,
};

function fulfills(found: string, { purpose, value }: RecordToPublish): boolean {
  if (purpose === 'dmarc') return true;
  // Any record that allows the sending host will do: a domain sends from several places.
  if (purpose === 'spf')
    return found
      .toLowerCase()
      .split(/\s+/)
      .some((term) => term.replace(/^\+/, '') === (value.split(' ')[1] as string).toLowerCase());
  return (
    tagsOf(found).get('p') === tagsOf(value).get('p') &&
    (tagsOf(found).get('k') ?? 'rsa') === (tagsOf(value).get('k') ?? 'rsa')
  );
}

/** Tags of a key record (RFC 6376 §3.6.1); blanks inside a value do not count. */
function tagsOf(record: string): Map<string, string> {
  return new Map(
    record.split(';').map((tag) => {
      const [name = '', ...rest] = tag.split('=');
      return [name.trim(), rest.join('=').replace(/\s+/g, '')];
    }),
  );
}
