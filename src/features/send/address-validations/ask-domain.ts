// What a domain's server says of mailboxes, over one connection.
import { isHardBounce } from '../../../engines/bounces/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import type { AskedServer, Mailer, SmtpReply } from '../../../platform/mail/index.ts';
import type { Probe } from './probe-store.ts';

export type Said = Pick<Probe, 'finding' | 'said'>;

/** Addresses over one connection, beside a name that nobody has. */
export const RECIPIENTS_MAX = 5;
const SAID_MAX = 300;
const INVENTED_BYTES = 10;

/** Nobody has a mailbox of this name. */
const inventName = (): string => `x${randomHex(INVENTED_BYTES)}`;

/** One that begins with a host keeps it as it is. */
function sentence(text: string): string {
  const short = text.slice(0, SAID_MAX).replace(/[.\s]+$/, '');
  if (/^\S+\.\S/.test(short)) return `${short}.`;
  return `${short.charAt(0).toUpperCase()}${short.slice(1)}.`;
}

function wordsOf(host: string | null, { code, enhancedCode, text }: SmtpReply): string {
  const words = text.replaceAll(/\s+/g, ' ').slice(0, SAID_MAX / 2);
  return `${host} said ${code}${enhancedCode === null ? '' : ` ${enhancedCode}`} ${words}`;
}

const isTaken = ({ code }: SmtpReply): boolean => code < 300;

/** A refusal of the one who asks, and one for now, say nothing of the mailbox. */
function saidOf(host: string | null, reply: SmtpReply): Said {
  const { code, enhancedCode, text } = reply;
  const words = wordsOf(host, reply);
  if (isTaken(reply)) return { finding: 'accepted', said: sentence(words) };
  if (isHardBounce({ code, enhanced: enhancedCode ?? undefined, text }))
    return { finding: 'refused', said: sentence(words) };
  const why = code < 500 ? 'it may say something else later' : 'that is not said of the mailbox';
  return { finding: 'unknown', said: sentence(`${words}: ${why}`) };
}

interface DomainQuestion {
  domain: string;
  /** At most {@link RECIPIENTS_MAX}. */
  addresses: readonly string[];
  /** It is known not to take every name. */
  isTelling: boolean;
}

interface DomainAnswer {
  /** By address. */
  said: Map<string, Said>;
  /** Whether it takes every name; undefined: it did not say. */
  domain: Said | undefined;
  /** The server was reached. */
  isAsked: boolean;
}

/** Undefined: the name that nobody has. */
type Asked = string | undefined;

function answerOf({ domain, addresses, isTelling }: DomainQuestion, asked: Asked[], server: AskedServer): DomainAnswer {
  const { host, replies, problem } = server;
  const reply = (one: Asked): SmtpReply | undefined => (asked.includes(one) ? replies[asked.indexOf(one)] : undefined);
  const invented = reply(undefined);
  const all: Said | undefined =
    invented && isTaken(invented) ? { finding: 'accepts_all', said: acceptsAll(host) } : undefined;
  const tells: Said | undefined = invented && invented.code >= 500 ? { finding: 'tells', said: '' } : undefined;
  const none: Said = {
    finding: 'unknown',
    said: sentence(problem === '' ? `${domain} was not asked further` : problem),
  };
  const doubt = {
    finding: 'unknown',
    said: sentence(`${host} took it, and did not say whether it takes every name`),
  } as const;
  const said = addresses.map((address): [string, Said] => {
    const own = reply(address);
    const direct = own && saidOf(host, own);
    if (all) return [address, direct?.finding === 'refused' ? direct : all];
    if (direct?.finding === 'accepted') return [address, tells || isTelling ? direct : doubt];
    return [address, direct ?? none];
  });
  return { said: new Map(said), domain: all ?? tells, isAsked: host !== null };
}

const acceptsAll = (host: string | null): string =>
  `${host} takes even a name that nobody has, so it does not tell which mailboxes there are.`;

/** Asks for the addresses, and, behind the first that is taken, for a name that nobody has. */
export async function askDomain(
  mailer: Pick<Mailer, 'ask'>,
  question: DomainQuestion,
  signal: AbortSignal,
): Promise<DomainAnswer> {
  const { domain, addresses, isTelling } = question;
  const asked: Asked[] = [];
  const waiting = [...addresses];
  const next = (replies: readonly SmtpReply[]): string | undefined => {
    const last = replies.at(-1);
    const isInventedAsked = asked.includes(undefined);
    // Who takes every name has nothing more to say.
    if (last && isTaken(last) && asked.at(-1) === undefined) return undefined;
    if (last && isTaken(last) && !isTelling && !isInventedAsked) {
      asked.push(undefined);
      return `${inventName()}@${domain}`;
    }
    const address = waiting.shift();
    if (address !== undefined) asked.push(address);
    return address;
  };
  return answerOf(question, asked, await mailer.ask({ domain, next, signal }));
}
