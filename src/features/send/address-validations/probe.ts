// Asks servers for mailboxes, politely: few at a time, and never again while an answer is fresh.
import type { Mailbox } from '../../../engines/address-validation/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { askDomain, RECIPIENTS_MAX, type Said } from './ask-domain.ts';
import { listProbes, saveProbes, takeTurns, type Probe } from './probe-store.ts';
import type { ProbeResult } from './view.ts';

export type ProbeDoors = Pick<Outside, 'config' | 'db' | 'mailer' | 'clock'>;

/** An answer holds for so many days. */
export const PROBE_DAYS = 7;
/** What is no answer holds for so long: greylisting ends within that. */
const UNKNOWN_MS = 3_600_000;
const DOMAINS_AT_ONCE = 10;

const notAsked = (text: string): ProbeResult => ({ finding: 'not_asked', text });
const NOT_NEEDED = notAsked("The domain's server was not asked: the rest settles it.");
const OFF = notAsked("The domain's server was not asked whether there is such a mailbox.");
const NOT_ASCII = notAsked("The domain's server was not asked: the name has characters outside ASCII.");

/** As it is kept. The domain of a mailbox is in its ASCII form. */
const addressOf = ({ local, domain }: Mailbox): string => `${local}@${domain}`;

function freshOf(known: ReadonlyMap<string, Probe>, subject: string, now: Date): Probe | undefined {
  const probe = known.get(subject);
  if (!probe) return undefined;
  const age = now.getTime() - probe.askedAt.getTime();
  return age < (probe.finding === 'unknown' ? UNKNOWN_MS : PROBE_DAYS * DAY_MS) ? probe : undefined;
}

/** Undefined: there is none, so that it can be asked. */
function keptResult(known: ReadonlyMap<string, Probe>, mailbox: Mailbox, now: Date): ProbeResult | undefined {
  const { finding, said, askedAt } =
    freshOf(known, addressOf(mailbox), now) ?? freshOf(known, mailbox.domain, now) ?? ({} as Partial<Probe>);
  if (finding === undefined || finding === 'tells' || said === undefined || !askedAt) return undefined;
  return { finding, text: said, askedAt };
}

interface Asking {
  accountId: string;
  now: Date;
  known: ReadonlyMap<string, Probe>;
  signal: AbortSignal;
}

/** Asks for mailboxes of one domain, some over each connection, and keeps what was said. */
async function askGroup(doors: ProbeDoors, asking: Asking, mailboxes: readonly Mailbox[]): Promise<Probe[]> {
  const { accountId, now, known, signal } = asking;
  const { domain } = mailboxes[0] as Mailbox;
  const said = new Map<string, Said>();
  let isTelling = freshOf(known, domain, now)?.finding === 'tells';
  for (let from = 0; from < mailboxes.length; from += RECIPIENTS_MAX) {
    const addresses = mailboxes.slice(from, from + RECIPIENTS_MAX).map(addressOf);
    const answer = await askDomain(doors.mailer, { domain, addresses, isTelling }, signal);
    for (const [address, one] of answer.said) said.set(address, one);
    if (answer.domain) said.set(domain, answer.domain);
    if (answer.domain?.finding === 'tells') isTelling = true;
    // One that does not let itself be asked, or takes everything, is not asked again.
    if (answer.isAsked && answer.domain?.finding !== 'accepts_all') continue;
    const last = answer.said.get(addresses[0] as string) as Said;
    for (const mailbox of mailboxes.slice(from + RECIPIENTS_MAX)) said.set(addressOf(mailbox), answer.domain ?? last);
    break;
  }
  const probes = [...said].map(([address, one]) => ({ accountId, address, askedAt: now, ...one }));
  await saveProbes(doors.db, probes);
  return probes;
}

async function askAll(doors: ProbeDoors, asking: Asking, mailboxes: readonly Mailbox[]): Promise<Probe[]> {
  const groups = [...Map.groupBy(mailboxes, ({ domain }) => domain).values()];
  const found: Probe[] = [];
  const work = async (): Promise<void> => {
    for (let group = groups.pop(); group; group = groups.pop()) found.push(...(await askGroup(doors, asking, group)));
  };
  await Promise.all(Array.from({ length: DOMAINS_AT_ONCE }, work));
  return found;
}

interface Wanted {
  accountId: string;
  /** Whose addresses nothing else settles; the others are `undefined`. */
  mailboxes: readonly (Mailbox | undefined)[];
  /** Nothing is asked for longer. */
  timeoutMs: number;
}

/** What servers say of mailboxes, in their order. Nobody is asked where the operator did not switch it on. */
export async function probeMailboxes(doors: ProbeDoors, wanted: Wanted): Promise<ProbeResult[]> {
  const { accountId, mailboxes, timeoutMs } = wanted;
  const { isProbing, probesPerHour } = doors.config.validation;
  if (!isProbing) return mailboxes.map(() => OFF);
  const now = doors.clock.now();
  const asciiOnes = mailboxes.filter((mailbox) => mailbox !== undefined).filter(({ needsUtf8 }) => !needsUtf8);
  const subjects = new Set(asciiOnes.flatMap((mailbox) => [addressOf(mailbox), mailbox.domain]));
  const kept = subjects.size === 0 ? [] : await listProbes(doors.db, accountId, [...subjects]);
  const known = new Map(kept.map((probe) => [probe.address, probe]));
  const open = new Map(
    asciiOnes.flatMap((one) => (keptResult(known, one, now) ? [] : [[addressOf(one), one] as const])),
  );
  const granted =
    open.size === 0
      ? 0
      : await doors.db.tx((tx) => takeTurns(tx, accountId, { wanted: open.size, max: probesPerHour, now }));
  const chosen = [...open.values()].slice(0, granted);
  const asking = { accountId, now, known, signal: AbortSignal.timeout(timeoutMs) };
  const asked = await askAll(doors, asking, chosen);
  const all = new Map([...known, ...asked.map((probe) => [probe.address, probe] as const)]);
  const used = notAsked(
    `The domain's server was not asked: this account asked for ${probesPerHour} addresses within this hour already.`,
  );
  return mailboxes.map((mailbox) => {
    if (!mailbox) return NOT_NEEDED;
    return mailbox.needsUtf8 ? NOT_ASCII : (keptResult(all, mailbox, now) ?? used);
  });
}
