// Everything that can be known of addresses, asked for many at once.
import {
  isDisposable,
  isRole,
  judge,
  readMailbox,
  rootOf,
  suggestDomain,
  type KnownFacts,
  type Mailbox,
} from '../../../engines/address-validation/index.ts';
import { rememberingDns, type Dns } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findServers } from '../../../platform/mail/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { keptForm, readHistory } from './history.ts';
import { probeMailboxes, type ProbeDoors } from './probe.ts';
import type { AddressHistory, DomainFinding, ProbeResult, Validation } from './view.ts';

export type ValidateDoors = ProbeDoors & Pick<Outside, 'dns' | 'events'>;

const DOMAINS_AT_ONCE = 20;
const NULL_MX = 556;
const NO_HISTORY: AddressHistory = {
  isBounced: false,
  isComplained: false,
  isUnsubscribed: false,
  isDelivered: false,
  engagement: undefined,
};

const remembered = new WeakMap<Dns, Dns>();

/** Lists have the same domains again and again. */
function remembering({ dns, clock }: Pick<Outside, 'dns' | 'clock'>): Dns {
  const known = remembered.get(dns) ?? rememberingDns(dns, () => clock.now().getTime());
  remembered.set(dns, known);
  return known;
}

const sentence = (text: string): string => `${text.replace(/^the /, 'The ')}.`;

/** Whether anything takes mail for the domain. */
async function askDns(dns: Dns, { domain, isLiteral }: Mailbox): Promise<DomainFinding> {
  if (isLiteral) return { finding: 'takes_mail', text: 'The address names a server by its IP address.' };
  if (plainIp(domain) !== undefined)
    return { finding: 'nowhere', text: `${domain} is an IP address without brackets, and no domain.` };
  const found = await findServers(`x@${domain}`, dns);
  if (found.ok) {
    const { servers, more } = found;
    const others = servers.length - 1 + more;
    const further = others === 0 ? '' : `, or to ${others === 1 ? 'one other server' : `${others} other servers`}`;
    return { finding: 'takes_mail', text: `Mail for ${domain} goes to ${servers[0]}${further}.` };
  }
  if (!found.isPermanent) return { finding: 'unknown', text: sentence(found.reason) };
  return { finding: found.verdict?.code === NULL_MX ? 'null_mx' : 'nowhere', text: sentence(found.reason) };
}

/** The findings of all domains, each asked once, some at a time. */
async function askDomains(dns: Dns, mailboxes: readonly Mailbox[]): Promise<Map<string, DomainFinding>> {
  const waiting = [...new Map(mailboxes.map((mailbox) => [mailbox.domain, mailbox])).values()];
  const found = new Map<string, DomainFinding>();
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) found.set(next.domain, await askDns(dns, next));
  };
  await Promise.all(Array.from({ length: DOMAINS_AT_ONCE }, work));
  return found;
}

/** Of an address, whatever is known of it before its server is asked. */
interface Known {
  address: string;
  mailbox: Mailbox | undefined;
  fault?: string;
  dns?: DomainFinding | undefined;
  history?: AddressHistory | undefined;
}

function factsOf({ mailbox, dns, history = NO_HISTORY }: Known): KnownFacts & { meant: string | undefined } {
  const domain = mailbox?.domain ?? '';
  const finding = dns?.finding ?? 'unknown';
  const takesMail = finding === 'takes_mail' || finding === 'unknown';
  const meant = mailbox && suggestDomain(domain, { takesMail });
  return {
    isWellFormed: mailbox !== undefined,
    dns: finding,
    isDisposable: mailbox !== undefined && isDisposable(domain),
    isRole: mailbox !== undefined && isRole(mailbox.local),
    isTypo: meant !== undefined,
    history,
    probe: 'not_asked',
    meant,
  };
}

/** Whose result hangs on what its server says. */
function openMailbox(known: Known): Mailbox | undefined {
  return known.dns?.finding === 'takes_mail' && judge(factsOf(known)).result === 'unknown' ? known.mailbox : undefined;
}

function validationOf(known: Known, probe: ProbeResult): Validation {
  const { address, mailbox, fault, dns, history } = known;
  const { meant, ...facts } = factsOf(known);
  return {
    address,
    mailbox,
    fault,
    dns,
    isDisposable: facts.isDisposable,
    isRole: facts.isRole,
    suggestion: mailbox && meant ? `${mailbox.local}@${meant}` : undefined,
    root: mailbox && rootOf(mailbox.local, mailbox.domain),
    history,
    probe,
    ...judge({ ...facts, probe: probe.finding }),
  };
}

/** What is known of addresses before servers are asked. */
async function lookUp(doors: ValidateDoors, accountId: string, addresses: readonly string[]): Promise<Known[]> {
  const read = addresses.map((address) => ({ address, found: readMailbox(address) }));
  const mailboxes = read.flatMap(({ found }) => ('mailbox' in found ? [found.mailbox] : []));
  const known = [...new Set(read.flatMap(({ address, found }) => ('mailbox' in found ? [keptForm(address)] : [])))];
  const [domains, histories] = await Promise.all([
    askDomains(remembering(doors), mailboxes),
    readHistory(doors, accountId, known),
  ]);
  return read.map(({ address, found }) =>
    'fault' in found
      ? { address, mailbox: undefined, fault: found.fault }
      : {
          address,
          mailbox: found.mailbox,
          dns: domains.get(found.mailbox.domain),
          history: histories.get(keptForm(address)),
        },
  );
}

interface Batch {
  accountId: string;
  addresses: readonly string[];
  /** Servers are asked for so long, where they are asked at all. */
  probeMs: number;
}

/** Validates a batch of addresses, in their order; the caller bounds their number and length. */
export async function validateAddresses(
  doors: ValidateDoors,
  { accountId, addresses, probeMs }: Batch,
): Promise<Validation[]> {
  const known = await lookUp(doors, accountId, addresses);
  const wanted = { accountId, mailboxes: known.map(openMailbox), timeoutMs: probeMs };
  const probes = await probeMailboxes(doors, wanted);
  return known.map((one, index) => validationOf(one, probes[index] as ProbeResult));
}
