// Which servers a mailbox of a customer may be at. Whoever may add mailboxes must not reach into the network that Galley
// stands in, nor knock at services that are no mailboxes.
import type { Config } from '../config/index.ts';
import type { Dns } from '../dns/index.ts';
import { invalid } from '../errors/index.ts';
import { isPublicAddress, parseAllowList } from '../fetch/index.ts';
import { createMailbox } from './mailbox.ts';
import type { Mailbox, MailboxAccount, MailboxFailure, MailboxLimits } from './types.ts';

interface Settings {
  config: Pick<Config, 'imapPorts' | 'fetch'>;
}

interface MailboxServer {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
}

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

const isOpenPort = ({ config }: Settings, port: number): boolean =>
  config.imapPorts.some(({ from, to }) => port >= from && port <= to);

/** Allows only IMAP ports, so that a mailbox cannot be used to probe other services. Throws `invalid_request`. */
export function checkServer(settings: Settings, { host, port, security }: MailboxServer): void {
  if (!NAME.test(host) && !/^[0-9a-f:.[\]]+$/i.test(host))
    throw invalid('host', `"${host}" is not the name or address of a server.`);
  if (security === 'none' && !LOOPBACK.test(host))
    throw invalid('security', 'may be none only for a server on this machine; credentials would travel in the clear.');
  if (isOpenPort(settings, port)) return;
  const ranges = settings.config.imapPorts.map(({ from, to }) => (from === to ? from : `${from}-${to}`));
  throw invalid('port', `must be ${ranges.join(' or ')}; GALLEY_IMAP_PORTS can open others.`);
}

async function addressesOf(dns: Dns, host: string): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$/.test(literal) || literal.includes(':')) return [literal];
  if (literal.toLowerCase() === 'localhost') return ['127.0.0.1'];
  const answers = await Promise.allSettled([dns.resolve(literal, 'A'), dns.resolve(literal, 'AAAA')]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

const failure = (reason: MailboxFailure['reason'], message: string, isTemporary: boolean): MailboxFailure => ({
  ok: false,
  reason,
  message,
  isTemporary,
});

/**
 * The client of a mailbox; it is not connected yet. The address of its server is checked here, and the connection made
 * to just that address.
 */
export async function openMailbox(
  outside: Settings & { dns: Dns },
  account: MailboxAccount & { port: number },
  limits: Partial<MailboxLimits> = {},
): Promise<{ ok: true; mailbox: Mailbox } | MailboxFailure> {
  const { host, port } = account;
  if (!isOpenPort(outside, port))
    return failure('refused', `Port ${port} is not open to mailboxes; GALLEY_IMAP_PORTS can open it.`, false);
  const addresses = await addressesOf(outside.dns, host);
  if (addresses.length === 0) return failure('dns', `${host} has no address, or it could not be looked up.`, true);
  const isAllowed = parseAllowList(outside.config.fetch.allowHosts);
  const asked = host.toLowerCase();
  const address = addresses.find((one) => isPublicAddress(one) || isAllowed({ host: asked, port, address: one }));
  if (address === undefined)
    return failure('refused', `${host} is not at a public address; GALLEY_ALLOW_HOSTS can open it.`, false);
  return { ok: true, mailbox: createMailbox({ ...account, address }, limits) };
}
