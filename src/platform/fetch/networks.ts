// Networks as people write them, such as in lists of who may come in.
import ipaddr from 'ipaddr.js';
import { canonicalAddress, parseAddress } from './addresses.ts';

/** Longer than any network that can be written. */
const LENGTH_MAX = 60;

/**
 * The one spelling of an address or a CIDR network; undefined for what is neither, and for a network with bits beyond
 * its length. A network of one address is spelled as the address.
 */
export function canonicalNetwork(text: string): string | undefined {
  if (text.length > LENGTH_MAX || text.includes('%')) return undefined;
  const [host = '', bits, ...more] = text.split('/');
  const isPlain = host.includes(':') ? ipaddr.IPv6.isValid(host) : ipaddr.IPv4.isValidFourPartDecimal(host);
  if (!isPlain || more.length > 0) return undefined;
  if (bits === undefined) return canonicalAddress(host);
  const address = ipaddr.parse(host);
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(length >= 0 && length <= whole)) return undefined;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = family.networkAddressFromCIDR(`${host}/${length}`).toString();
  if (network !== address.toString()) return undefined;
  return length === whole ? canonicalAddress(host) : `${network}/${length}`;
}

/** Whether an address is in a network that {@link canonicalNetwork} spelled. */
export function isInNetwork(address: string, network: string): boolean {
  const canonical = canonicalAddress(address.split('%', 1)[0] as string);
  if (canonical === undefined) return false;
  if (!network.includes('/')) return canonical === network;
  const parsed = parseAddress(canonical);
  const range = ipaddr.parseCIDR(network);
  return parsed !== undefined && parsed.kind() === range[0].kind() && parsed.match(range);
}
