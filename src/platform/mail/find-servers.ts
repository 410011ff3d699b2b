// Which servers take mail for a domain (RFC 5321 §5.1).
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { isNoSuchName, type AddressesOf, type Dns, type MxRecord } from '../dns/index.ts';
import { messageOf } from '../errors/index.ts';
import type { OwnVerdict } from './delivery.ts';

export type FoundServers =
  /** The first `equals` servers are as good as each other; `more` are named, and not tried for one message. */
  | { ok: true; domain: string; servers: string[]; equals: number; more: number }
  /** `permanent`: the domain takes no mail. Otherwise DNS did not say. */
  | { ok: false; isPermanent: boolean; reason: string; verdict?: OwnVerdict };

/** More servers than this are never tried for one message: there may be such a limit (RFC 5321 §5.1). */
const SERVERS_MAX = 8;
const ADDRESSES_MAX = 4;

const BAD_ADDRESS: OwnVerdict = { code: 553, enhancedCode: '5.1.3' };
const NO_SERVER: OwnVerdict = { code: 550, enhancedCode: '5.1.2' };
/** RFC 7505 §4.2. */
const NULL_MX: OwnVerdict = { code: 556, enhancedCode: '5.1.10' };

/** Host names by preference, equal ones in random order. A domain without MX is its own server (the implicit MX). */
export async function findServers(address: string, dns: Dns): Promise<FoundServers> {
  const written = address.slice(address.lastIndexOf('@') + 1);
  const literal = /^\[(?:IPv6:)?([^\]]+)\]$/i.exec(written)?.[1];
  if (literal !== undefined) {
    return ipaddr.isValid(literal)
      ? { ok: true, domain: literal, servers: [literal], equals: 1, more: 0 }
      : nowhere(`${written} is not an address`, BAD_ADDRESS);
  }
  const domain = domainToASCII(written);
  if (!address.includes('@') || domain === '') return nowhere(`"${address}" is not an email address`, BAD_ADDRESS);
  let records: MxRecord[];
  try {
    records = await dns.resolve(domain, 'MX');
  } catch (error) {
    if (!isNoSuchName(error))
      return {
        ok: false,
        isPermanent: false,
        reason: `the MX records of ${domain} could not be looked up (${messageOf(error)})`,
      };
    return implicitServer(domain, dns);
  }
  // A null MX says that the domain takes no mail (RFC 7505 §3).
  const named = records.filter(({ exchange }) => exchange !== '' && exchange !== '.');
  if (named.length === 0) return nowhere(`${domain} takes no mail: it publishes a null MX record`, NULL_MX);
  const ordered = named
    .map(({ exchange, priority }) => ({ host: hostOf(exchange), priority, random: Math.random() }))
    .sort((a, b) => a.priority - b.priority || a.random - b.random);
  const best = ordered.filter(({ priority }) => priority === ordered[0]?.priority);
  const all = [...new Set(ordered.map(({ host }) => host))];
  return {
    ok: true,
    domain,
    equals: new Set(best.map(({ host }) => host)).size,
    servers: all.slice(0, SERVERS_MAX),
    more: Math.max(0, all.length - SERVERS_MAX),
  };
}

const hostOf = (exchange: string): string => exchange.toLowerCase().replace(/\.$/, '');

function nowhere(reason: string, verdict: OwnVerdict): FoundServers {
  return { ok: false, isPermanent: true, reason, verdict };
}

async function implicitServer(domain: string, dns: Dns): Promise<FoundServers> {
  const found = await findAddresses(domain, dns);
  if (found.addresses.length > 0) return { ok: true, domain, servers: [domain], equals: 1, more: 0 };
  return found.isCertain
    ? nowhere(`${domain} has neither MX records nor an address`, NO_SERVER)
    : { ok: false, isPermanent: false, reason: `the address of ${domain} could not be looked up` };
}

/** IPv6 and IPv4 addresses of a host, alternating, so that a network without one of them still gets through. */
export async function findAddresses(host: string, dns: Dns): Promise<{ addresses: string[]; isCertain: boolean }> {
  if (ipaddr.isValid(host)) return { addresses: [ipaddr.parse(host).toString()], isCertain: true };
  const [six, four] = await Promise.allSettled([dns.resolve(host, 'AAAA'), dns.resolve(host, 'A')]);
  const isCertain = [six, four].every((answer) => answer.status === 'fulfilled' || isNoSuchName(answer.reason));
  const families = [six, four].map((answer) =>
    answer.status === 'fulfilled' ? answer.value.filter((address) => ipaddr.isValid(address)) : [],
  );
  const addresses: string[] = [];
  for (let index = 0; index < ADDRESSES_MAX; index++)
    for (const family of families) if (family[index] !== undefined) addresses.push(family[index] as string);
  return { addresses: addresses.slice(0, ADDRESSES_MAX), isCertain };
}

/** Addresses of a host that the operator named: the hosts file counts too. */
export async function findOwnAddresses(
  host: string,
  addressesOf: AddressesOf,
): Promise<{ addresses: string[]; isCertain: boolean }> {
  if (ipaddr.isValid(host)) return { addresses: [host], isCertain: true };
  try {
    return { addresses: (await addressesOf(host)).slice(0, ADDRESSES_MAX), isCertain: true };
  } catch {
    // The report says "its address could not be looked up": the operator's own host name may resolve again soon.
    return { addresses: [], isCertain: false };
  }
}
