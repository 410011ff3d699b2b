// Who answers for the DNS of a domain: the nearest name above it that has name servers.
import { isNoSuchName, type Dns } from '../../../platform/dns/index.ts';

/** Names of providers by the ends of their name servers, as the providers' own documents give them (November 2026). */
const PROVIDERS: readonly [end: RegExp, name: string][] = [
  [/\.ns\.cloudflare\.com$/, 'Cloudflare'],
  [/\.awsdns-\d+\.(?:com|net|org|co\.uk)$/, 'Amazon Route 53'],
  [/\.azure-dns\.(?:com|net|org|info)$/, 'Azure DNS'],
  [/^ns-cloud-\w+\.googledomains\.com$/, 'Google Cloud DNS'],
  [/\.domaincontrol\.com$/, 'GoDaddy'],
  [/\.registrar-servers\.com$/, 'Namecheap'],
  [/\.digitalocean\.com$/, 'DigitalOcean'],
  [/\.ns\.hetzner\.(?:com|de)$|\.(?:first|second)-ns\.(?:de|com)$/, 'Hetzner'],
  [/\.ovh\.net$/, 'OVHcloud'],
  [/\.gandi\.net$/, 'Gandi'],
  [/\.ui-dns\.(?:com|de|org|biz)$/, 'IONOS'],
  [/\.vercel-dns\.com$/, 'Vercel'],
];

/** What to mind where the records are entered. */
const HINTS: Record<string, string> = {
  Cloudflare: 'Set each CNAME record to "DNS only": a proxied record answers with other addresses and is not found.',
  'Amazon Route 53': 'Put each TXT value in quotation marks, and one longer than 255 characters in several strings.',
};

interface ZoneOf {
  /** The name that the name servers answer for. */
  zone: string;
  nameServers: string[];
  provider: string | null;
  hint: string | null;
}

const SERVERS_MAX = 20;

/** Undefined where DNS says nothing. Asks at most four names. */
export async function findZone(dns: Dns, domain: string): Promise<ZoneOf | undefined> {
  const labels = domain.split('.');
  for (let from = 0; from < Math.min(labels.length - 1, 4); from += 1) {
    const zone = labels.slice(from).join('.');
    try {
      const found = (await dns.resolve(zone, 'NS')).map((host) => host.toLowerCase().replace(/\.$/, ''));
      if (found.length === 0) continue;
      const provider = PROVIDERS.find(([end]) => found.some((host) => end.test(host)))?.[1] ?? null;
      const hint = (provider && HINTS[provider]) ?? null;
      return { zone, nameServers: found.toSorted().slice(0, SERVERS_MAX), provider, hint };
    } catch (error) {
      if (!isNoSuchName(error)) return undefined;
    }
  }
  return undefined;
}
