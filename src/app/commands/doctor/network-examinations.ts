// What is looked at on the network: names, the way out for mail, and the time of others.
import { connect } from 'node:net';
import { lookUpReverse } from '../../../features/send/sending-ips/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import { createAddressesOf, DnsError, openDns } from '../../../platform/dns/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { VERSION } from '../../version.ts';
import type { Examined } from './examinations.ts';

/** A receiver of mail that everybody reaches. */
const KNOWN_RECEIVER = 'gmail.com';
const CONNECT_MS = 8_000;
/** It answers with its time, like every web server; any other would do. */
const KNOWN_SITE = 'https://www.iana.org/';
const CLOCK_WARNING_S = 30;
const CLOCK_FAULT_S = 300;

export async function examineDns({ dns }: Config): Promise<Examined> {
  const servers = dns.servers.length > 0 ? dns.servers.join(', ') : "the machine's name servers";
  try {
    const records = await openDns(dns).resolve(KNOWN_RECEIVER, 'MX');
    return { state: 'ok', message: `${servers} answer (MX of ${KNOWN_RECEIVER}: ${records.length}).` };
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    return {
      state: 'fault',
      message: `${servers} do not answer: ${error.message}.`,
      fix:
        'Mend /etc/resolv.conf, or name servers in GALLEY_DNS_SERVERS. Without DNS, links, authentication and ' +
        'blocklists are unknown.',
    };
  }
}

/** Why nobody can be reached there; undefined when somebody answers. */
function connectFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (fault?: string): void => {
      socket.destroy();
      resolve(fault);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end(`no answer within ${CONNECT_MS / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

export async function examinePort25({ dns, mail, sending }: Config): Promise<Examined> {
  const isLive = sending.delivery === 'live';
  const relay = mail.relayUrl === undefined ? undefined : new URL(mail.relayUrl);
  let host = relay?.hostname.replace(/^\[|\]$/g, '');
  const port = relay === undefined ? 25 : Number(relay.port || (relay.protocol === 'smtps:' ? 465 : 587));
  if (host === undefined) {
    try {
      const records = await openDns(dns).resolve(KNOWN_RECEIVER, 'MX');
      host = records.sort((a, b) => a.priority - b.priority)[0]?.exchange;
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
    }
    if (host === undefined)
      return { state: 'warning', message: 'Not found out: DNS names nobody to connect to.', fix: 'Mend DNS first.' };
  }
  const fault = await connectFault(host, port);
  if (fault === undefined) return { state: 'ok', message: `${host}:${port} can be reached.` };
  return {
    state: isLive ? 'fault' : 'warning',
    message:
      `${host}:${port} cannot be reached (${fault}).` +
      (isLive ? '' : ' Messages are captured (GALLEY_DELIVERY=capture), so only tests by mail miss it.'),
    fix:
      relay === undefined
        ? 'Ask your provider to open port 25 outward, or send by a relay (GALLEY_SMTP_RELAY).'
        : 'Start the relay, or mend its address.',
  };
}

export async function examineReverseDns({ dns, mail, sending }: Config): Promise<Examined> {
  if (mail.relayUrl !== undefined)
    return { state: 'ok', message: 'Mail leaves by the relay, which has an address of its own.' };
  if (sending.ips.length === 0)
    return {
      state: sending.delivery === 'live' ? 'warning' : 'ok',
      message: 'GALLEY_SENDING_IPS names no address, so there is none to look up.',
      ...(sending.delivery === 'live' && { fix: 'Name the addresses that mail leaves from, with their host names.' }),
    };
  const resolver = openDns(dns);
  const found = await Promise.all(sending.ips.map((one) => lookUpReverse(resolver, one)));
  const faults = found.filter(({ rdnsState }) => rdnsState !== 'valid');
  if (faults.length === 0) return { state: 'ok', message: `Right both ways for all ${found.length}.` };
  const isKnown = faults.some(({ rdnsState }) => rdnsState === 'invalid');
  return {
    state: isKnown ? 'fault' : 'warning',
    message: faults.map(({ rdnsFault }) => rdnsFault).join(' '),
    fix:
      'Have whoever gave you the addresses set their reverse DNS, and publish the names; many receivers refuse mail ' +
      'without.',
  };
}

/** Of the time of day by the answer of a web server, which is cut to seconds. */
export async function examineClock({ dns, fetch: { allowHosts } }: Config): Promise<Examined> {
  const fetch = createFetch({
    allowHosts,
    resolver: createAddressesOf(dns.servers),
    userAgent: `Galley/${VERSION} (doctor)`,
  });
  try {
    const before = Date.now();
    const { headers } = await fetch.get(KNOWN_SITE, { types: ['text/html'] });
    const theirs = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(theirs)) return { state: 'warning', message: `Not found out: ${KNOWN_SITE} names no time.` };
    const middle = (before + Date.now()) / 2;
    const offBySeconds = Math.round((middle - theirs) / 1000);
    const way = offBySeconds < 0 ? 'behind' : 'ahead of';
    const message = `This machine is ${Math.abs(offBySeconds)} s ${way} ${new URL(KNOWN_SITE).host}.`;
    const fix = 'Set the clock by NTP (timedatectl set-ntp true): signatures, codes and certificates depend on it.';
    if (Math.abs(offBySeconds) < CLOCK_WARNING_S) return { state: 'ok', message };
    return { state: Math.abs(offBySeconds) < CLOCK_FAULT_S ? 'warning' : 'fault', message, fix };
  } catch (error) {
    return {
      state: 'warning',
      message: `Not found out: ${KNOWN_SITE} cannot be asked for the time (${messageOf(error)}).`,
      fix: 'timedatectl shows whether the clock is set by NTP.',
    };
  } finally {
    fetch.close();
  }
}
