// IP addresses as numbers, to tell whether a range holds one.
/** Both ends belong to it; undefined where an end is no address. */
type AddressRange = { version: number; first: bigint; last: bigint } | undefined;

const BITS = 16n;
const VERSION_4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const isIPv4 = (text: string): boolean => VERSION_4.test(text);
/** 4, 6, or 0 for what is no address. A zone (`%eth0`) belongs to no address of another machine. */
function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4;
  return /^[0-9a-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}

function ofVersion6(address: string): bigint {
  // The URL parser writes every form of an address in one.
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const words = (part: string): string[] => part.split(':').filter((word) => word !== '');
  const [before, behind] = [words(head), words(tail ?? '')];
  const gap = tail === undefined ? 0 : 8 - before.length - behind.length;
  const all = [...before, ...Array<string>(gap).fill('0'), ...behind];
  return all.reduce((sum, word) => (sum << BITS) + BigInt(parseInt(word, 16)), 0n);
}

const numberOf = (address: string): bigint =>
  isIPv4(address) ? address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n) : ofVersion6(address);

/** The range between two addresses of one version. */
export function addressRange(first: string, last: string): AddressRange {
  const version = isIP(first);
  if (version === 0 || isIP(last) !== version) return undefined;
  return { version, first: numberOf(first), last: numberOf(last) };
}

export function isWithin(address: string, range: AddressRange): boolean {
  if (!range || isIP(address) !== range.version) return false;
  const number = numberOf(address);
  return number >= range.first && number <= range.last;
}

/** The address in its one spelling; undefined for what is none. */
export function canonicalIp(text: string): string | undefined {
  const given = text.trim();
  if (isIPv4(given)) return given;
  return isIP(given) === 6 ? new URL(`http://[${given}]/`).hostname.slice(1, -1) : undefined;
}
