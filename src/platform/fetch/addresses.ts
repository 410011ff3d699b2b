// Which addresses and ports the guarded client can reach: its rules, without the network.
import ipaddr from 'ipaddr.js';

/** The world's public IPv6 space; everything outside it is special or unassigned (RFC 4291 §2.4, IANA registry). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its range, yet answered inside the machine's own cloud: Azure's metadata and DNS address. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** The bad ports of the Fetch standard (§2.9) from 1024 up; below that only 80 and 443 are open. */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const KEPT_MAX = 1_000;
const ADDRESS_LENGTH_MAX = 60;
/** One host is asked many times, and its address looked at several times for each. */
const kept = new Map<string, ipaddr.IPv4 | ipaddr.IPv6 | undefined>();

/** Undefined for what is no IP address. The result is shared: never change it. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined;
  if (kept.has(text)) return kept.get(text);
  const address = ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(text, address);
  return address;
}

/** One spelling for each address: that of IPv4 for a peer that a dual-stack socket shows mapped into IPv6. */
export function canonicalAddress(text: string): string | undefined {
  const parsed = parseAddress(text);
  if (parsed?.kind() !== 'ipv6') return parsed?.toString();
  const address = parsed as ipaddr.IPv6;
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toString();
}

/** True for an IP address of the public internet; false for every special range, zone or transition form. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (!parsed || address.includes('%')) return false;
  if (parsed.range() !== 'unicast' || METADATA_ADDRESSES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST_V6);
}

/** 80, 443 and everything from 1024 up but the bad ports of the Fetch standard. */
export function isOpenPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !BAD_PORTS.has(port));
}

/** Where a request wants to go: the host of its URL and, once known, the address behind it. */
interface Destination {
  /** Lower case, IPv6 without brackets. */
  host: string;
  port: number;
  address: string;
}

export type AllowList = (destination: Destination) => boolean;

/**
 * The operator's allow list. Entries: `intranet.example`, `*.corp.example`, `intranet.example:8080`, `10.1.2.3`,
 * `10.1.2.3:8080`, `[fd00::1]:8080`, `10.0.0.0/8`. An entry without a port opens all ports. Names match the host of
 * the URL, addresses match what the host resolves to. Throws a TypeError that names an entry it cannot read.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const rules = entries
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseEntry);
  return (destination) => rules.some((rule) => rule(destination));
}

function parseEntry(entry: string): AllowList {
  if (entry.includes('/')) return cidrRule(entry);
  const { host, port } = splitPort(entry);
  const isPort = (actual: number) => port === undefined || actual === port;
  if (ipaddr.isValid(host)) {
    const wanted = ipaddr.parse(host).toString();
    return ({ address, port: actual }) => isPort(actual) && sameAddress(address, wanted);
  }
  if (!/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) throw unreadable(entry);
  if (host.startsWith('*.')) {
    return (destination) => isPort(destination.port) && destination.host.endsWith(host.slice(1));
  }
  return (destination) => isPort(destination.port) && destination.host === host;
}

function cidrRule(entry: string): AllowList {
  if (!ipaddr.isValidCIDR(entry)) throw unreadable(entry);
  const network = ipaddr.parseCIDR(entry);
  return ({ address }) => {
    const parsed = parseAddress(address);
    return parsed !== undefined && parsed.kind() === network[0].kind() && parsed.match(network);
  };
}

function splitPort(entry: string): { host: string; port: number | undefined } {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry);
  // A bare IPv6 address has colons of its own, so only a single colon can stand before a port.
  const plain = bracketed ?? /^([^:]+):(\d{1,5})$/.exec(entry);
  if (!plain) return { host: entry.toLowerCase(), port: undefined };
  const port = plain[2] === undefined ? undefined : Number(plain[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) throw unreadable(entry);
  return { host: plain[1]!.toLowerCase(), port };
}

function sameAddress(address: string, wanted: string): boolean {
  return parseAddress(address)?.toString() === wanted;
}

function unreadable(entry: string): TypeError {
  return new TypeError(`The allowed host "${entry}" is neither a host name, host:port, IP address nor CIDR range.`);
}

/**
 * Why a destination may not be reached, for the log; undefined when it may. All its addresses must pass, so that a
 * name with one good and one bad address is refused whichever is tried first.
 */
export function refusalOf(
  target: { host: string; port: number },
  addresses: string[],
  allow: AllowList,
): string | undefined {
  if (addresses.length === 0) return `${target.host} has no address`;
  for (const address of addresses) {
    if (allow({ ...target, address })) continue;
    if (!isPublicAddress(address)) return `${target.host} is at ${address}, which is not a public address`;
    if (!isOpenPort(target.port)) return `port ${target.port} of ${target.host} is not open to requests`;
  }
  return undefined;
}

/**
 * Why the host of a URL may not be reached, as far as it is known without DNS: it is written as an address, or it is a
 * name of this machine. Undefined when nothing speaks against it yet.
 */
export function literalRefusalOf(url: URL, allow: AllowList): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isOwn = host === 'localhost' || host.endsWith('.localhost');
  if (!isOwn && !parseAddress(host)) return undefined;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return refusalOf({ host, port }, [isOwn ? '127.0.0.1' : host], allow);
}

/** Whether this names addresses: one, or a CIDR range. */
export function isAddressRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** Who counts as one caller: an IPv4 address, or the 64 bits of IPv6 that one subscriber has (RFC 6177). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
