// Addresses of a host, asked of the name servers that the operator named, or of the system.
import { lookup } from 'node:dns/promises';
import { createDns } from './resolver.ts';
import { isNoSuchName, type Dns } from './types.ts';

/** Rejects with an error whose `code` says why. */
export type AddressesOf = (host: string) => Promise<string[]>;

/** Looks a name up as the system does, with its hosts file. */
export const systemAddresses: AddressesOf = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * With name servers, those alone are asked, by `dns` where it is given; `localhost` is this machine for everybody
 * (RFC 6761 §6.3). Without, the system is.
 */
export function createAddressesOf(servers: readonly string[], dns: Dns = createDns({ servers })): AddressesOf {
  if (!servers.length) return systemAddresses;
  return async (host) => {
    if (/^(?:.+\.)?localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([dns.resolve(host, 'A'), dns.resolve(host, 'AAAA')]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    // Silence says more than "no such name": what was not answered may be there.
    if (!found.length) throw failures.find((failure) => !isNoSuchName(failure)) ?? failures[0];
    return found;
  };
}

/** For a host that the operator named, such as a relay: what only this machine knows by name counts too. */
export function createOwnAddressesOf(servers: readonly string[], dns?: Dns): AddressesOf {
  const ask = createAddressesOf(servers, dns);
  return servers.length ? (host) => ask(host).catch(() => systemAddresses(host)) : systemAddresses;
}
