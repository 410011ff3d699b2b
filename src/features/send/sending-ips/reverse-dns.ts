// Whether reverse DNS names an address, and whether that name leads back to it: receivers ask both.
import { DnsError, isNoSuchName, reverseName, type Dns } from '../../../platform/dns/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import type { ReverseDns } from './store.ts';

async function namesOf(dns: Dns, ip: string): Promise<string[]> {
  try {
    return (await dns.resolve(reverseName(ip), 'PTR')).map((name) => name.toLowerCase().replace(/\.$/, ''));
  } catch (error) {
    if (isNoSuchName(error)) return [];
    throw error;
  }
}

async function addressesOf(dns: Dns, { ip, name }: { ip: string; name: string }): Promise<string[]> {
  try {
    return await dns.resolve(name, ip.includes(':') ? 'AAAA' : 'A');
  } catch (error) {
    if (isNoSuchName(error)) return [];
    throw error;
  }
}

/** Asks DNS both ways. */
export async function lookUpReverse(dns: Dns, { ip, hostName }: { ip: string; hostName: string }): Promise<ReverseDns> {
  let rdns = '';
  try {
    const names = await namesOf(dns, ip);
    rdns = names.find((name) => name === hostName) ?? names[0] ?? '';
    if (rdns !== hostName) {
      const fault =
        rdns === ''
          ? `${ip} has no reverse DNS; it has to name ${hostName}.`
          : `Reverse DNS of ${ip} names ${rdns}, not ${hostName}.`;
      return { rdns, rdnsState: 'invalid', rdnsFault: fault };
    }
    const addresses = await addressesOf(dns, { ip, name: hostName });
    if (addresses.some((address) => plainIp(address) === ip)) return { rdns, rdnsState: 'valid', rdnsFault: '' };
    const fault =
      addresses.length === 0
        ? `${hostName} has no address in DNS; it has to have ${ip}.`
        : `${hostName} leads to ${addresses.slice(0, 3).join(', ')}, not back to ${ip}.`;
    return { rdns, rdnsState: 'invalid', rdnsFault: fault };
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    return { rdns, rdnsState: 'unknown', rdnsFault: `DNS could not be asked: ${error.message}.` };
  }
}
