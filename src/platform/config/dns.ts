// The settings of name servers, and of the zone for keys.
import type { Setting } from './settings.ts';

export interface DnsConfig {
  servers: readonly string[];
  /** In lower case; empty: there is none. */
  keysZone: string;
}

/** `servers`: those of the setting. */
export const readDns = (read: (name: string) => string | undefined, servers: readonly string[]): DnsConfig => ({
  servers,
  keysZone: (read('GALLEY_KEYS_ZONE') ?? '').toLowerCase(),
});

const dnsServers = (text: string) =>
  text
    .split(',')
    .every((part) =>
      /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?|[0-9a-f:]*:[0-9a-f:.]*)$/i.test(part.trim()),
    )
    ? undefined
    : 'give IP addresses, each with a port or without, joined by commas.';

export const DNS_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_DNS_SERVERS',
    default: '',
    about:
      'Name servers to ask, such as `192.0.2.53` or `192.0.2.53:5353`, joined by commas; a recursive resolver of ' +
      'your own is best. Whatever a message, a test or a mailbox names is looked up there; the system looks up the ' +
      'hosts of these settings that the servers do not know. Unset: those of the system.',
    check: dnsServers,
  },
  {
    name: 'GALLEY_KEYS_ZONE',
    default: '',
    about:
      'Zone in DNS, such as `keys.example.net`, in which the operator publishes the DKIM keys of domains with ' +
      '`use_automatic_sender_security`: their CNAME records lead there. `GET /v1/galley/keys_zone` says what to publish. ' +
      'Unset: no domain may have it.',
    check: (text) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? undefined : 'give a domain name.'),
  },
];
