// What is asked about: addresses, domains, email addresses, and the names under which lists answer for them (RFC 5782).
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';
import type { AssetKind, Blocklist } from './lists.ts';

export interface Asset {
  kind: AssetKind;
  /** In its one spelling. */
  name: string;
}

const DOMAIN = /^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
/** Addresses that are of no use to anybody else say nothing to a list. */
const OWN_RANGES = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'multicast', 'unspecified', 'broadcast'];

/** An address in its one spelling; undefined for what is none, or is of no public network. */
export function readIp(text: string): Asset | undefined {
  const written = text.trim();
  // Short forms such as 127.1 mean different addresses to different programs.
  if (
    written.length > 60 ||
    written.includes('%') ||
    !(ipaddr.IPv4.isValidFourPartDecimal(written) || written.includes(':'))
  )
    return undefined;
  if (!ipaddr.isValid(written)) return undefined;
  const parsed = ipaddr.process(written);
  if (OWN_RANGES.includes(parsed.range())) return undefined;
  return { kind: parsed.kind() === 'ipv4' ? 'ip4' : 'ip6', name: parsed.toString() };
}

/** A domain name in lower case, names of other scripts in their `xn--` form; undefined for what is none. */
export function readDomain(text: string): string | undefined {
  const written = text.trim().toLowerCase().replace(/\.$/, '');
  if (written.length > 253 || /[\s/?#@:\\%[\]]/.test(written)) return undefined;
  const isPlain = /^[\x21-\x7e]*$/.test(written);
  const name = isPlain ? written : URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : '';
  return DOMAIN.test(name) ? name : undefined;
}

/** An email address in the spelling under which lists hash it: lower case. */
export function readEmail(text: string): string | undefined {
  const written = text.trim().toLowerCase();
  const at = written.lastIndexOf('@');
  const domain = at > 0 && at <= 64 ? readDomain(written.slice(at + 1)) : undefined;
  const local = written.slice(0, Math.max(at, 0));
  return domain === undefined || /[\s\p{Cc}@]/u.test(local) ? undefined : `${local}@${domain}`;
}

function reversed(parsed: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (parsed.kind() === 'ipv4') return parsed.toString().split('.').reverse().join('.');
  const nibbles = parsed
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return [...nibbles].reverse().join('.');
}

/** What goes before the name of any list: a sweep asks a hundred lists about the same asset. */
const heads = new WeakMap<Asset, string[]>();

function headsOf(asset: Asset): string[] {
  const { kind, name } = asset;
  const known =
    heads.get(asset) ??
    (kind === 'domain' ? [...new Set([name, getDomain(name) ?? name])] : [reversed(ipaddr.parse(name))]);
  heads.set(asset, known);
  return known;
}

/**
 * The names to ask a list for an asset. A domain below a registered one is asked under both names: some lists know only
 * what was registered, others single hosts.
 */
export function namesFor(list: Blocklist, asset: Asset): string[] {
  if (asset.kind === 'email')
    return [
      `${createHash(list.hash ?? 'sha1')
        .update(asset.name)
        .digest('hex')}.${list.asked}`,
    ];
  return headsOf(asset).map((head) => `${head}.${list.asked}`);
}

/** The names under which a list that works answers that they are listed (any of them), and one that must be clean. */
export function testNames(list: Blocklist, kind: AssetKind): { listed: string[]; clean: string } {
  const under = (...words: string[]): string[] => words.map((word) => `${word}.${list.asked}`);
  if (kind === 'ip4') return { listed: under('2.0.0.127'), clean: under('1.0.0.127')[0]! };
  if (kind === 'ip6') {
    // ::FFFF:7F00:2 and ::FFFF:7F00:1 (RFC 5782 §5).
    const mapped = (last: number): string => reversed(ipaddr.IPv6.parse(`::ffff:7f00:${last}`));
    return { listed: under(mapped(2)), clean: under(mapped(1))[0]! };
  }
  const hashed = (address: string): string =>
    createHash(list.hash ?? 'sha1')
      .update(address)
      .digest('hex');
  const own = list.test === undefined ? [] : [kind === 'email' ? hashed(list.test) : list.test];
  if (kind === 'email')
    return { listed: under(...own, hashed('test')), clean: under(hashed('invalid@example.invalid'))[0]! };
  return { listed: under(...own, 'test'), clean: under('invalid')[0]! };
}
