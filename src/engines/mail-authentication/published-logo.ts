// The logo that a domain publishes (BIMI: draft-brand-indicators-for-message-identification), before any message of it
// is there to be checked.
import { discoverPolicy } from './dmarc.ts';
import type { AuthDns } from './types.ts';

/** What DNS says of a domain's logo. */
export interface PublishedLogo {
  /** `unenforced`: the domain's DMARC policy asks for nothing, so nobody shows the logo. `unknown`: DNS did not say. */
  result: 'published' | 'unenforced' | 'none' | 'declined' | 'invalid' | 'unknown';
  /** Where the record stands; undefined without one. */
  name?: string;
  logoUrl?: string;
  /** Of the mark certificate. */
  certificateUrl?: string;
  /** Of the DMARC record that applies; undefined without one. */
  policy?: string;
}

const TAGS_MAX = 20;

function tagsOf(record: string): ReadonlyMap<string, string> {
  const tags = record
    .slice(0, 4096)
    .split(';', TAGS_MAX)
    .map((tag) => /^\s*([a-z]+)\s*=\s*(.*?)\s*$/is.exec(tag))
    .filter((found) => found !== null);
  return new Map(tags.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
}

/** A policy counts when it asks to hold back or refuse all failing mail, that of subdomains included (§4.2). */
function isEnforced(record: ReadonlyMap<string, string>): boolean {
  const policy = record.get('p')?.toLowerCase();
  if (policy !== 'quarantine' && policy !== 'reject') return false;
  if (record.get('sp')?.toLowerCase() === 'none') return false;
  return policy === 'reject' || (record.get('pct') ?? '100') === '100';
}

type Found = { record: string | undefined } | 'unknown';

async function findRecord(name: string, dns: AuthDns): Promise<Found> {
  try {
    const records = (await dns.resolve(name, 'TXT')) as string[][];
    const found = records.map((pieces) => pieces.join('')).filter((text) => /^\s*v\s*=\s*BIMI1\b/i.test(text));
    // More than one record is none (§4.6).
    return { record: found.length === 1 ? found[0] : undefined };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return { record: undefined };
    if (code !== undefined) return 'unknown';
    throw error;
  }
}

const isHttps = (url: string | undefined): url is string =>
  url !== undefined && url.length <= 2000 && URL.canParse(url) && new URL(url).protocol === 'https:';

/** Looks the record up at the domain, then at its organizational domain, with the DMARC policy that applies. */
export async function findPublishedLogo(domain: string, dns: AuthDns): Promise<PublishedLogo> {
  const discovered = await discoverPolicy(domain, dns);
  const policyRecord = discovered.record === null ? undefined : tagsOf(discovered.record);
  const policy = policyRecord?.get('p')?.toLowerCase();
  const said = policy === undefined ? {} : { policy };
  const domains = [...new Set([domain, discovered.organizationalDomain ?? domain])];
  for (const one of domains) {
    const name = `default._bimi.${one}`;
    const found = await findRecord(name, dns);
    if (found === 'unknown') return { result: 'unknown', ...said };
    if (found.record === undefined) continue;
    const tags = tagsOf(found.record);
    const [logoUrl, certificateUrl] = [tags.get('l'), tags.get('a')];
    if (!logoUrl) return { result: logoUrl === '' ? 'declined' : 'invalid', name, ...said };
    if (!isHttps(logoUrl)) return { result: 'invalid', name, ...said };
    const parts = { name, logoUrl, ...(isHttps(certificateUrl) && { certificateUrl }), ...said };
    if (!discovered.isKnown) return { ...parts, result: 'unknown' };
    return { ...parts, result: policyRecord && isEnforced(policyRecord) ? 'published' : 'unenforced' };
  }
  return { result: 'none', ...said };
}
