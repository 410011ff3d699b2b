// Zones that are declared instead of asked for: tests, and receivers that judge a message as if it came from elsewhere.
import ipaddr from 'ipaddr.js';
import { DnsError, type Dns, type DnsAnswers, type DnsFailure, type MxRecord, type RecordType } from './types.ts';

export interface DeclaredRecords {
  A?: readonly string[];
  AAAA?: readonly string[];
  /** At most one; questions of other types follow it. */
  CNAME?: readonly string[];
  /** `'10 mx.example.com'`; `'0 .'` is a null MX. */
  MX?: readonly string[];
  NS?: readonly string[];
  PTR?: readonly string[];
  /** A record is one string, or its pieces. */
  TXT?: readonly (string | readonly string[])[];
  /** Every question about this name fails so; `failsFor` limits it to some types. */
  fails?: DnsFailure;
  failsFor?: readonly RecordType[];
}

/** Names without a trailing dot. An IP address stands for its reverse name. */
export type DeclaredZone = Readonly<Record<string, DeclaredRecords>>;

interface ZoneDns extends Dns {
  /** What was asked, `TXT example.com`, in order. */
  readonly questions: string[];
}

const CNAME_STEPS_MAX = 8;

/** `192.0.2.1` → `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5); IPv6 by nibbles under ip6.arpa (RFC 3596 §2.5). */
export function reverseName(address: string): string {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `${parsed.toString().split('.').reverse().join('.')}.in-addr.arpa`;
  const nibbles = parsed
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${[...nibbles].reverse().join('.')}.ip6.arpa`;
}

function canonical(name: string): string {
  return ipaddr.isValid(name) ? reverseName(name) : name.toLowerCase().replace(/\.$/, '');
}

function answerOf(records: DeclaredRecords, type: RecordType): DnsAnswers[RecordType] {
  if (type === 'MX') return (records.MX ?? []).map(readMx);
  if (type === 'TXT') return (records.TXT ?? []).map((record) => (typeof record === 'string' ? [record] : [...record]));
  return [...(records[type] ?? [])];
}

function readMx(text: string): MxRecord {
  const [priority = '0', exchange = '.'] = text.split(' ');
  return { priority: Number(priority), exchange: exchange === '.' ? '' : exchange };
}

/**
 * A resolver that knows the declared names and nothing else. A name that is missing does not exist (NXDOMAIN), unless
 * another one lies below it; a name without the type asked for has no data (RFC 8020, RFC 2308 §2).
 */
export function createZoneDns(zone: DeclaredZone): ZoneDns {
  const names = new Map(Object.entries(zone).map(([name, records]) => [canonical(name), records]));
  const hasBelow = (name: string): boolean => [...names.keys()].some((other) => other.endsWith(`.${name}`));
  const questions: string[] = [];

  function find(name: string, type: RecordType, steps: number): DnsAnswers[RecordType] {
    const records = names.get(name);
    if (!records) throw new DnsError(hasBelow(name) ? 'ENODATA' : 'ENOTFOUND', { name, type });
    if (records.fails && (records.failsFor?.includes(type) ?? true)) throw new DnsError(records.fails, { name, type });
    const [alias] = records.CNAME ?? [];
    if (alias !== undefined && type !== 'CNAME') {
      if (steps >= CNAME_STEPS_MAX) throw new DnsError('ESERVFAIL', { name, type });
      return find(canonical(alias), type, steps + 1);
    }
    const answer = answerOf(records, type);
    if (answer.length === 0) throw new DnsError('ENODATA', { name, type });
    return answer;
  }

  return {
    questions,
    async resolve<Type extends RecordType>(asked: string, type: Type): Promise<DnsAnswers[Type]> {
      const name = canonical(asked);
      questions.push(`${type} ${name}`);
      return find(name, type, 0) as DnsAnswers[Type];
    },
  };
}

/** Declared names shadow the world's: all types of a declared name come from the zone, every other name from `base`. */
export function overlayDns(base: Dns, zone: DeclaredZone): Dns {
  const declared = createZoneDns(zone);
  const names = new Set(Object.keys(zone).map(canonical));
  return { resolve: (name, type) => (names.has(canonical(name)) ? declared : base).resolve(name, type) };
}
