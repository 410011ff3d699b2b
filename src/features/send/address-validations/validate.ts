// Everything that can be known of addresses, asked for many at once.
import {
  isDisposable,
  isRole,
  judge,
  readMailbox,
  rootOf,
  suggestDomain,
  type Mailbox,
} from '../../../engines/address-validation/index.ts';
import { rememberingDns, type Dns } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findServers } from '../../../platform/mail/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { keptForm, readHistory } from './history.ts';
import type { AddressHistory, DomainFinding, Validation } from './view.ts';

export type ValidateDoors = Pick<Outside, 'db' | 'dns' | 'events' | 'clock'>;

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

interface Known {
  dns: DomainFinding | undefined;
  history: AddressHistory | undefined;
}

function validationOf(address: string, mailbox: Mailbox | undefined, known: Known & { fault?: string }): Validation {
  const { dns, history = NO_HISTORY, fault } = known;
  const domain = mailbox?.domain ?? '';
  const finding = dns?.finding ?? 'unknown';
  const takesMail = finding === 'takes_mail' || finding === 'unknown';
  const meant = mailbox && suggestDomain(domain, { takesMail });
  const facts = {
    isWellFormed: mailbox !== undefined,
    dns: finding,
    isDisposable: mailbox !== undefined && isDisposable(domain),
    isRole: mailbox !== undefined && isRole(mailbox.local),
    isTypo: meant !== undefined,
    history,
    probe: 'not_asked',
  } as const;
  return {
    address,
    mailbox,
    fault,
    dns,
    isDisposable: facts.isDisposable,
    isRole: facts.isRole,
    suggestion: mailbox && meant ? `${mailbox.local}@${meant}` : undefined,
    root: mailbox && rootOf(mailbox.local, domain),
    history: known.history,
    ...judge(facts),
  };
}

/** Validates a batch of addresses, in their order; the caller bounds their number and length. */
export async function validateAddresses(
  doors: ValidateDoors,
  accountId: string,
  addresses: readonly string[],
): Promise<Validation[]> {
  const read = addresses.map((address) => ({ address, found: readMailbox(address) }));
  const mailboxes = read.flatMap(({ found }) => ('mailbox' in found ? [found.mailbox] : []));
  const known = [...new Set(read.flatMap(({ address, found }) => ('mailbox' in found ? [keptForm(address)] : [])))];
  const [domains, histories] = await Promise.all([
    askDomains(remembering(doors), mailboxes),
    readHistory(doors, accountId, known),
  ]);
  return read.map(({ address, found }) =>
    'fault' in found
      ? validationOf(address, undefined, { dns: undefined, history: undefined, fault: found.fault })
      : validationOf(address, found.mailbox, {
          dns: domains.get(found.mailbox.domain),
          history: histories.get(keptForm(address)),
        }),
  );
}
