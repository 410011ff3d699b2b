// Whether lists can be asked through the name servers of this installation: many refuse public resolvers, or answer
// them wrongly.
import { systemServers } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/** Addresses that their operators publish. */
const PUBLIC: readonly [name: string, addresses: RegExp][] = [
  ['Google', /^(8\.8\.8\.8|8\.8\.4\.4|2001:4860:4860:(:|0:0:0:0:)(8888|8844))$/],
  ['Cloudflare', /^(1\.[01]\.[01]\.[123]|2606:4700:4700:(:|0:0:0:0:)1\d{3})$/],
  ['Quad9', /^(9\.9\.9\.(9|1[0-2])|149\.112\.112\.(112|1[0-2])|2620:fe:.*)$/],
  ['OpenDNS', /^(208\.67\.22[02]\.(220|222|123)|2620:119:(35|53):.*)$/],
  ['AdGuard', /^94\.140\.1[45]\.1[45]$/],
  ['Yandex', /^77\.88\.8\.(8|1|88|2|7|3)$/],
];

/** `192.0.2.53` of `192.0.2.53:53` and `[2001:db8::53]:53`. */
const addressOf = (server: string): string =>
  /^\[(.+)\]/.exec(server)?.[1] ?? (/^\d[\d.]*:\d+$/.test(server) ? server.replace(/:\d+$/, '') : server);

/** The name servers that are asked, and what to do where they are public ones. */
export function resolverOf({ config }: Pick<Outside, 'config'>): { servers: string[]; advice: string } {
  const servers = config.dns.servers.length ? [...config.dns.servers] : systemServers();
  const found = servers.flatMap((server) => {
    const operator = PUBLIC.find(([, addresses]) => addresses.test(addressOf(server)));
    return operator ? [`${addressOf(server)} (${operator[0]})`] : [];
  });
  return {
    servers,
    advice:
      found.length === 0
        ? ''
        : `Blocklists are asked through ${found.join(', ')}, a public resolver, which many of them refuse: Spamhaus, ` +
          'SURBL, URIBL and others then count as unknown. Run a recursive resolver of your own, such as Unbound, and ' +
          'name it in GALLEY_DNS_SERVERS.',
  };
}
