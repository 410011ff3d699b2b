// Forward-confirmed reverse DNS: the address has a name, and the name leads back to the address (RFC 8601 §2.7.3, §3).
import ipaddr from 'ipaddr.js';
import type { LibraryResolver } from './bounded-dns.ts';
import type { ReverseDnsVerdict } from './types.ts';

/** As SPF does (RFC 7208 §4.6.4): a hostile reverse zone lists thousands. */
const NAMES_MAX = 10;

type Asked = { kind: 'found'; records: string[] } | { kind: 'none' } | { kind: 'unknown' };

/** Judges the connecting address and the name it gave. */
export async function checkReverseDns(
  { ip, helo }: { ip: string; helo: string },
  resolver: LibraryResolver,
): Promise<ReverseDnsVerdict> {
  const rfc = 'RFC 8601 §2.7.3';
  if (!ipaddr.isValid(ip))
    return {
      result: 'permerror',
      reason: `"${ip}" is not an IP address.`,
      rfc,
      ip,
      names: [],
      confirmedName: null,
      isHeloConfirmed: false,
    };
  const address = ipaddr.process(ip);
  const leadsBack = async (name: string): Promise<boolean | undefined> => {
    const answer = await ask(resolver, name, address.kind() === 'ipv4' ? 'A' : 'AAAA');
    if (answer.kind === 'unknown') return undefined;
    return (
      answer.kind === 'found' &&
      answer.records.some(
        (record) => ipaddr.isValid(record) && ipaddr.process(record).toString() === address.toString(),
      )
    );
  };
  const isHeloConfirmed = isHostName(helo) && (await leadsBack(helo)) === true;
  const reverse = await ask(resolver, reverseNameOf(address), 'PTR');
  const names =
    reverse.kind === 'found'
      ? reverse.records.slice(0, NAMES_MAX).map((name) => name.replace(/\.$/, '').toLowerCase())
      : [];
  const facts = { rfc, ip, names, isHeloConfirmed };
  const unconfirmed = (result: ReverseDnsVerdict['result'], reason: string): ReverseDnsVerdict => ({
    ...facts,
    result,
    reason,
    confirmedName: null,
  });
  if (reverse.kind === 'unknown') return unconfirmed('temperror', `The name of ${ip} could not be looked up.`);
  if (reverse.kind === 'none') {
    return unconfirmed('permerror', `${ip} has no name in DNS; large providers refuse mail from such addresses.`);
  }
  const checks = await Promise.all(names.map(leadsBack));
  const confirmedName = names[checks.indexOf(true)];
  if (confirmedName !== undefined) {
    const reason = `${ip} is called ${confirmedName}, and that name leads back to it.`;
    return { ...facts, result: 'pass', reason, confirmedName };
  }
  if (checks.includes(undefined)) return unconfirmed('temperror', `${names.join(', ')} could not be looked up.`);
  return unconfirmed('fail', `${ip} is called ${names.join(', ')}, but that name does not lead back to it.`);
}

async function ask(resolver: LibraryResolver, name: string, type: string): Promise<Asked> {
  try {
    return { kind: 'found', records: (await resolver(name, type)) as string[] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME' ? { kind: 'none' } : { kind: 'unknown' };
  }
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)+\.?$/i.test(text) && !ipaddr.isValid(text);
}

function reverseNameOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return `${address.toString().split('.').reverse().join('.')}.in-addr.arpa`;
  const nibbles = address
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${[...nibbles].reverse().join('.')}.ip6.arpa`;
}
