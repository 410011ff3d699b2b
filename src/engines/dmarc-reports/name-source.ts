// Who sent, in a word that people know: by the name of the address, by the domain that signed, or by SPF.
import { getDomain } from 'tldts';
import senders from '../../../data/mail-senders/senders.json' with { type: 'json' };
import type { AggregateRow } from './types.ts';

/** The date of the table of known senders. */
export const SENDERS_DATE = '2026-07-16';

export interface Source {
  /** For paths: letters, digits, dots and hyphens. */
  id: string;
  name: string;
  /** What the table says of a known sender, such as `Marketing`; null: it is not in the table. */
  type: string | null;
  /** What it was told by; `none`: nothing told it. */
  by: 'ptr' | 'dkim' | 'spf' | 'none';
}

const KNOWN = new Map((senders as [string, string, string][]).map(([domain, name, type]) => [domain, { name, type }]));

const UNKNOWN: Source = { id: 'unknown', name: 'Unknown', type: null, by: 'none' };
const NAME_LENGTH_MAX = 80;

/** The domain that somebody registered; the name itself where there is none. */
export function registeredDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: false }) ?? name;
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/\(.*?\)/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_LENGTH_MAX);

/** `google.com` of the table is "Google (Including Gmail and Google Workspace)": what is in brackets is left out. */
function knownAt(domain: string, by: Source['by']): Source | undefined {
  const labels = domain.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const known = KNOWN.get(labels.slice(from).join('.'));
    if (!known) continue;
    const name = known.name.replaceAll(/\s*\(.*?\)/g, '').trim();
    return { id: slugOf(known.name) || labels.slice(from).join('.'), name, type: known.type, by };
  }
  return undefined;
}

function byDomain(domain: string, by: Source['by']): Source {
  const name = registeredDomain(domain).slice(0, NAME_LENGTH_MAX);
  return { id: name, name, type: null, by };
}

/** What the name of an address says; `type` is null where it is no known sender. */
export function nameHost(host: string): Source {
  return knownAt(host, 'ptr') ?? byDomain(host, 'ptr');
}

/**
 * Names the source of a row. `host` is the name of its address in DNS, if that is known. A sender of the table is
 * believed first, whatever names it; then the name of the address, then a domain that signed or that SPF passed for.
 */
export function nameSource(row: Pick<AggregateRow, 'dkim' | 'spf' | 'headerFrom'>, host: string | null): Source {
  const own = registeredDomain(row.headerFrom);
  const passed = (results: readonly { domain: string; result: string }[]): string[] =>
    results.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  const signed = passed(row.dkim);
  const allowed = passed(row.spf);
  const known =
    (host !== null ? knownAt(host, 'ptr') : undefined) ??
    signed.map((domain) => knownAt(domain, 'dkim')).find(Boolean) ??
    allowed.map((domain) => knownAt(domain, 'spf')).find(Boolean);
  if (known) return known;
  if (host !== null) return byDomain(host, 'ptr');
  const others = (domains: string[]): string | undefined =>
    domains.find((domain) => registeredDomain(domain) !== own) ?? domains[0];
  const signer = others(signed);
  if (signer !== undefined) return byDomain(signer, 'dkim');
  const sender = others(allowed);
  return sender === undefined ? UNKNOWN : byDomain(sender, 'spf');
}
