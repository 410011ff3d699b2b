// The setting of name servers.
import type { Setting } from './settings.ts';

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
];
