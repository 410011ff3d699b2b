// Who sends a test: an address at one of the account's domains, or a stand-in that is fully authenticated and nobody's,
// so that the content alone is judged.
import { dkimRecord, generateDkimKey, type DkimKey } from '../../../engines/mail-authentication/index.ts';
import { overlayDns, type Dns } from '../../../platform/dns/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { senderDomains } from './sender-domains.ts';
import type { AssumedEnvelope } from './store.ts';

/** What finding a sender takes; `ports` lead to the account's domains, which are above. */
export type SenderDoors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'ports'>;

export interface Sender {
  /** Display name; may be empty. */
  name: string;
  address: string;
  domain: string;
  keys: readonly DkimKey[];
  /** What receivers are to assume; null: nothing. */
  envelope: AssumedEnvelope | null;
  isStandIn: boolean;
}

/** An address range for documentation (RFC 5737), from which no mail is sent. */
const STAND_IN_IP = '192.0.2.25';

function readAddress(field: string, from: string): { name: string; address: string } {
  const match = /^\s*(?:"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(from);
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!/^[^\s<>@,;"\0]+@[^\s<>@,;"\0]+$/.test(address) || address.length > 254)
    throw invalid(field, `"${from.slice(0, 100)}" is not an email address.`);
  return { name: match?.[1]?.trim() ?? '', address };
}

/** The account's domain of `from`, with its keys. Throws `invalid_request` when mail may not be sent as it. */
export async function verifiedSender(
  outside: SenderDoors,
  accountId: string,
  { from, given, field = 'from' }: { from: string; given: AssumedEnvelope | null; field?: string },
): Promise<Sender> {
  const { name, address } = readAddress(field, from);
  const domains = outside.ports.get(senderDomains);
  const domain = await domains.findVerified(outside, accountId, address);
  if (!domain) {
    const wanted = address.slice(address.lastIndexOf('@') + 1);
    throw invalid(
      field,
      `names ${wanted}, which is not a verified sending domain of this account; add and verify it at /v4/domains, ` +
        `or send as ${domains.sandboxNameOf(outside, accountId)}.`,
    );
  }
  const { keys } = domain;
  if (!domain.isSandbox) return { name, address, domain: domain.name, keys, envelope: given, isStandIn: false };
  // DNS does not know the sandbox domain, so the simulated receivers get its records directly.
  const ip = given?.ip ?? STAND_IN_IP;
  const zone = await domain.declaredZone(ip);
  return {
    name,
    address,
    domain: domain.name,
    keys,
    isStandIn: true,
    envelope: {
      ip,
      helo: given?.helo ?? outside.config.mail.helo,
      reverseDns: given?.reverseDns ?? null,
      mailFrom: given?.mailFrom ?? null,
      zone,
    },
  };
}

/** The account's sandbox, when a test names no sender. */
export function standInSender(outside: SenderDoors, accountId: string, given: AssumedEnvelope | null): Promise<Sender> {
  return verifiedSender(outside, accountId, {
    from: `spam-test@${outside.ports.get(senderDomains).sandboxNameOf(outside, accountId)}`,
    given,
  });
}

let passingKey: Promise<string> | undefined;

/** A stand-in for this process only, where nothing is kept. */
export async function passingSender(given: AssumedEnvelope | null): Promise<Sender> {
  const domain = 'stand-in-sender.example';
  const host = `mail.${domain}`;
  const ip = given?.ip ?? STAND_IN_IP;
  passingKey ??= generateDkimKey('rsa-2048');
  const privateKey = await passingKey;
  const isV6 = ip.includes(':');
  const zone = {
    [domain]: { MX: [`10 ${host}`], TXT: [`v=spf1 ip${isV6 ? '6' : '4'}:${ip} -all`] },
    [host]: isV6 ? { AAAA: [ip] } : { A: [ip] },
    [ip]: { PTR: [host] },
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
    [`galley._domainkey.${domain}`]: { TXT: [dkimRecord(privateKey)] },
  };
  return {
    name: '',
    address: `spam-test@${domain}`,
    domain,
    keys: [{ domain, selector: 'galley', privateKey }],
    isStandIn: true,
    envelope: {
      ip,
      helo: given?.helo ?? host,
      reverseDns: given?.reverseDns ?? null,
      mailFrom: given?.mailFrom ?? null,
      zone,
    },
  };
}

/** DNS as receivers are to see it: the world's, under the records and the name of the address that are assumed. */
export function assumedDns(
  world: Dns,
  { ip, reverseDns, zone }: { ip: string; reverseDns: string | null; zone: AssumedEnvelope['zone'] },
): Dns {
  const base = zone ? overlayDns(world, zone) : world;
  return reverseDns === null ? base : withName(base, { ip, name: reverseDns });
}

/**
 * This address has this name (with an empty one, none), and the name leads back to it; its other records are the
 * world's.
 */
function withName(base: Dns, { ip, name }: { ip: string; name: string }): Dns {
  const reverse = overlayDns(base, { [ip]: name === '' ? {} : { PTR: [name] } });
  if (name === '') return reverse;
  const family = ip.includes(':') ? 'AAAA' : 'A';
  const forward = overlayDns(reverse, { [name]: { [family]: [ip] } });
  return {
    resolve: (asked, type) =>
      (type === family && asked.toLowerCase().replace(/\.$/, '') === name.toLowerCase() ? forward : reverse).resolve(
        asked,
        type,
      ),
  };
}
