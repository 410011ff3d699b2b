// Mail goes out here: straight to the servers of the recipient's domain, through the relay, or to a server of Galley's
// own.
import { domainToASCII } from 'node:url';
import { rememberingDns, systemAddresses, type AddressesOf, type Dns } from '../dns/index.ts';
import { isPublicAddress, parseAllowList } from '../fetch/addresses.ts';
import { messageOf } from '../errors/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import type { Log } from '../log/index.ts';
import { askServers, patienceOf, type AskedServer, type Question } from './ask-server.ts';
import type { Delivery, Parcel, SmtpReply } from './delivery.ts';
import { createDestinations, type Destination, type Destinations, type MailboxProvider } from './destinations.ts';
import { findServers, type FoundServers } from './find-servers.ts';
import { createStsPolicies, type StsPolicies, type StsPolicy } from './mta-sts.ts';
import { readRelay, type Relay } from './relay.ts';
import { createSessionPool, type PoolLimits } from './session-pool.ts';
import type { SessionLimits, SessionOptions, Source, TlsPolicy } from './smtp-session.ts';
import { talkOfNone } from './told.ts';
import { blank, tryServers, type Trying } from './try-servers.ts';

export interface MailerOptions extends Partial<SessionLimits & PoolLimits> {
  dns: Dns;
  /** Finds the relay and the operator's own servers. Default: as the system does. */
  ownAddressesOf?: AddressesOf;
  /** Fetches MTA-STS policies. */
  fetch: Pick<GuardedFetch, 'request'>;
  log: Log;
  /** Name in EHLO. */
  helo: string;
  /** `smtp://user:password@host:port` or `smtps://…`; throws a TypeError when it cannot be read. */
  relayUrl?: string | undefined;
  /** The operator's allow list, see `parseAllowList`: private addresses that MX records may lead to. */
  allowHosts: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
  /** What is known of those who run mail servers: data/mailbox-providers. */
  providers?: readonly MailboxProvider[];
  /** After so long no further server is tried for a message. Default: five minutes. */
  tryingTimeoutMs?: number;
  /** Where servers found by MX listen. Default: 25. */
  mxPort?: number;
  /** Certificates trusted besides the built-in ones, PEM. */
  ca?: string;
}

export interface Mailer {
  /**
   * Never rejects for what the world does: the outcome says it. Rejects when the parcel's signal aborts before anything
   * was sent.
   */
  deliver(parcel: Parcel): Promise<Delivery>;
  /** Why the relay counts as away: the last message for it found it so. */
  readonly away?: string | undefined;
  /** Ends kept connections. */
  close(): void;
  /**
   * A place at the destination of an address, for one message after the other to that domain; `release` gives it back.
   * Without room, or while the destination asks to be left alone, nothing waits here: `reason` says why not, and `until`
   * when to ask again, where that is known. With `from`, connections leave from that address, and have places and
   * slow-downs of their own.
   */
  tryLease(to: string, from?: Source): Promise<MailLease | NoLease>;
  /** The names that destinations have as their provider. */
  readonly providers: readonly string[];
  /** Whom mail for an address goes to. Undefined: no server takes it, or DNS does not say which. */
  destinationOf(to: string): Promise<Pick<Destination, 'key' | 'connections' | 'provider'> | undefined>;
  /**
   * Asks a server of a domain whether it would take mail for mailboxes, and sends none. Never rejects: what was not
   * answered has its problem. Nobody is asked where mail goes through a relay, or where the destination wants less mail.
   */
  ask(question: Question): Promise<AskedServer>;
}

export interface MailLease {
  ok: true;
  /** Destinations with the same name share their connections. Empty where no server takes mail. */
  destination: string;
  /** A row of data/mailbox-providers. */
  provider: string | undefined;
  deliver(parcel: Parcel): Promise<Delivery>;
  release(): void;
}

interface NoLease {
  ok: false;
  destination: string;
  provider: string | undefined;
  reason: string;
  until: Date | undefined;
}

const LIMITS: SessionLimits & PoolLimits = {
  connectTimeoutMs: 15_000,
  // RFC 5321 §4.5.3.2 allows more time; Galley tries a server that stays silent this long again later.
  greetingTimeoutMs: 60_000,
  replyTimeoutMs: 300_000,
  concurrencyPerDestination: 10,
  idleMs: 3000,
  messagesPerConnectionMax: 100,
};

const TRYING_MS = 300_000;

interface Sending extends Trying {
  /** Of connections over which servers are only asked. */
  asking: SessionOptions;
  destinations: Destinations;
  policies: StsPolicies;
  relay: Relay | undefined;
  mxPort: number;
}

/** Sends mail. */
export function createMailer(options: MailerOptions): Mailer {
  const { dns, fetch, log, now, helo, ca } = options;
  const allow = parseAllowList(options.allowHosts);
  const limits = { ...LIMITS, ...options };
  const session = { ...limits, helo, ...(ca === undefined ? {} : { ca }) };
  const sending: Sending = {
    pool: createSessionPool(session),
    asking: patienceOf(session),
    dns: rememberingDns(dns, now),
    destinations: createDestinations(options.providers ?? [], {
      limits: { connections: limits.concurrencyPerDestination, messagesPerConnection: limits.messagesPerConnectionMax },
      bound: {
        ...(options.concurrencyPerDestination !== undefined && { connections: options.concurrencyPerDestination }),
        ...(options.messagesPerConnectionMax !== undefined && {
          messagesPerConnection: options.messagesPerConnectionMax,
        }),
      },
      now,
    }),
    ownAddressesOf: options.ownAddressesOf ?? systemAddresses,
    policies: createStsPolicies({ dns, fetch, now, log }),
    relay: options.relayUrl === undefined ? undefined : readRelay(options.relayUrl),
    mxPort: options.mxPort ?? 25,
    tryingTimeoutMs: options.tryingTimeoutMs ?? TRYING_MS,
    mayConnect: (server) => isPublicAddress(server.address) || allow(server),
  };
  let away: string | undefined;
  const noted = (delivery: Delivery, { route }: Parcel, started: number): Delivery => {
    delivery.elapsedMs = Math.round(performance.now() - started);
    if (sending.relay && !route) away = delivery.outcome === 'unreachable' ? 'the relay cannot be reached' : undefined;
    log.debug(
      { outcome: delivery.outcome, host: delivery.host, reason: delivery.reason, elapsedMs: delivery.elapsedMs },
      'a message was handed over',
    );
    return delivery;
  };
  return {
    get away() {
      return away;
    },
    providers: sending.destinations.names,
    async deliver(given) {
      given.signal?.throwIfAborted();
      const parcel = spoken(given);
      const started = performance.now();
      const way = await wayFor({ to: parcel.to, ...(parcel.route && { route: parcel.route }) }, sending);
      const delivery = 'go' in way ? await sending.pool.withRoom(way.destination, () => way.go(parcel)) : way;
      return noted(delivery, parcel, started);
    },
    tryLease: async (to, from) => leaseFor(await wayFor({ to: withAsciiDomain(to), from }, sending), sending, noted),
    async destinationOf(to) {
      const way = await wayFor({ to: withAsciiDomain(to) }, sending);
      return 'go' in way ? way.destination : undefined;
    },
    ask: (question) => askNow(question, sending),
    close: () => sending.pool.close(),
  };
}

/** Whoever waits has an answer when the time is over; the server is told goodbye behind that. */
async function askNow(question: Question, sending: Sending): Promise<AskedServer> {
  const late = Promise.withResolvers<AskedServer>();
  const unasked = (problem: string): AskedServer => ({ host: null, replies: [], problem });
  const stop = (): void => late.resolve(unasked('there was no answer in time'));
  question.signal.addEventListener('abort', stop);
  if (question.signal.aborted) stop();
  const answer = async (): Promise<AskedServer> => {
    if (sending.relay) return unasked('mail leaves through a relay, which does not know the mailboxes of others');
    const found = await findServers(`x@${question.domain}`, sending.dns);
    if (!found.ok) return unasked(found.reason);
    const destination = sending.destinations.of(found.domain, found.servers);
    const slowdown = sending.destinations.slowdownOf(destination);
    if (slowdown) return unasked(slowdown.reason);
    const asked = await askServers(
      question,
      { ...sending, options: sending.asking, port: sending.mxPort },
      { found, destination },
    );
    for (const reply of asked.replies) if (reply.code >= 400) sending.destinations.note(destination, wordsOf(reply));
    return asked;
  };
  try {
    return await Promise.race([answer(), late.promise]);
  } catch (error) {
    return unasked(messageOf(error));
  } finally {
    question.signal.removeEventListener('abort', stop);
  }
}

type Noted = (delivery: Delivery, parcel: Parcel, started: number) => Delivery;

function leaseFor(way: Way | Delivery, { destinations, pool }: Sending, noted: Noted): MailLease | NoLease {
  if (!('go' in way)) {
    const deliver = async (): Promise<Delivery> => ({ ...way });
    return { ok: true, destination: '', provider: undefined, deliver, release: () => undefined };
  }
  const { key, provider, connections } = way.destination;
  const release = pool.tryRoom(way.destination);
  if (!release) {
    const reason = `${connections} messages are on their way to ${provider ?? key} already`;
    return { ok: false, destination: key, provider, reason, until: undefined };
  }
  const slowdown = destinations.slowdownOf(way.destination);
  if (slowdown) {
    release();
    return { ok: false, destination: key, provider, ...slowdown };
  }
  const deliver = async (given: Parcel): Promise<Delivery> => {
    given.signal?.throwIfAborted();
    const started = performance.now();
    return noted(await way.go(spoken(given)), given, started);
  };
  return { ok: true, destination: key, provider, deliver, release };
}

function spoken(given: Parcel): Parcel {
  return { ...given, from: withAsciiDomain(given.from), to: withAsciiDomain(given.to) };
}

const NOT_ASCII = /[^\0-\x7f]/;

/** A domain of another script travels in its `xn--` form; only the local part may need SMTPUTF8. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = at < 0 || !NOT_ASCII.test(address.slice(at)) ? '' : domainToASCII(address.slice(at + 1));
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`;
}

/** How mail for an address goes, as long as its destination has room. */
interface Way {
  destination: Destination;
  /** One message, now. */
  go(parcel: Parcel): Promise<Delivery>;
}

/** Or why it goes nowhere. */
async function wayFor(
  parcel: Pick<Parcel, 'to' | 'route'> & { from?: Source | undefined },
  sending: Sending,
): Promise<Way | Delivery> {
  if (parcel.route) {
    const { host, port, tls = 'opportunistic' } = parcel.route;
    // Its address is not checked, because no outsider chose it.
    return ownWay(sending, { host, port, tls }, 'required');
  }
  if (sending.relay) return ownWay(sending, sending.relay, 'verified');
  const found = await findServers(parcel.to, sending.dns);
  if (!found.ok) return blank(found.isPermanent ? 'bounced' : 'unreachable', found.reason, found.verdict);
  const { from } = parcel;
  const destination = sending.destinations.of(found.domain, found.servers, from?.ip);
  return { destination, go: (mail) => deliverByMx(mail, sending, { found, destination, from }) };
}

/** To a server that the operator or Galley named. */
function ownWay(sending: Sending, { host, port, tls, login }: Relay, required: TlsPolicy): Way {
  const destination = sending.destinations.own(`${host}:${port}`);
  return {
    destination,
    go: (parcel) =>
      tryServers(parcel, sending, {
        servers: [host],
        port,
        tls: atLeast(parcel, tls, required),
        isTrusted: true,
        room: destination,
        equals: 1,
        more: 0,
        ...(login ? { login } : {}),
      }),
  };
}

const STRENGTH: readonly TlsPolicy[] = ['none', 'opportunistic', 'required', 'verified', 'implicit'];

/** The stronger of what is usual and what the parcel asks for. */
function atLeast(parcel: Parcel, usual: TlsPolicy, required: TlsPolicy = 'required'): TlsPolicy {
  const asked = parcel.isCertificateRequired ? 'verified' : parcel.isTlsRequired ? required : 'none';
  return STRENGTH.indexOf(asked) > STRENGTH.indexOf(usual) ? asked : usual;
}

async function deliverByMx(
  parcel: Parcel,
  sending: Sending,
  {
    found,
    destination,
    from,
  }: { found: FoundServers & { ok: true }; destination: Destination; from: Source | undefined },
): Promise<Delivery> {
  const policy = await sending.policies.find(found.domain, parcel.signal);
  const servers = policy.mode === 'enforce' ? found.servers.filter(policy.allows) : found.servers;
  const usual = policy.mode === 'enforce' ? 'verified' : destination.isTlsRequired ? 'required' : 'opportunistic';
  const delivery = await tryServers(parcel, sending, {
    servers,
    port: sending.mxPort,
    tls: atLeast(parcel, usual),
    isTrusted: false,
    from,
    room: destination,
    equals: servers.length === found.servers.length ? found.equals : 1,
    more: found.more,
  });
  const refusal = delivery.outcome === 'delivered' ? undefined : delivery.replies.find(({ code }) => code >= 400);
  if (refusal) sending.destinations.note(destination, wordsOf(refusal));
  const report = withPolicy(delivery, { policy, named: found.servers, servers });
  return destination.provider === undefined ? report : { ...report, provider: destination.provider };
}

/** As the server wrote it. */
function wordsOf({ code, enhancedCode, text }: SmtpReply): string {
  return [code, ...(enhancedCode === null ? [] : [enhancedCode]), text].join(' ');
}

/** RFC 8461 §5: what the policy forbids is not a bounce, for the policy or the records may be about to change. */
function withPolicy(
  delivery: Delivery,
  { policy, named, servers }: { policy: StsPolicy; named: string[]; servers: string[] },
): Delivery {
  const left = named
    .filter((host) => !servers.includes(host))
    .map((host) => ({ host, address: null, reason: 'its name is not in the MTA-STS policy of the domain' }));
  const reason =
    servers.length === 0 ? 'none of the servers is named in the MTA-STS policy of the domain' : delivery.reason;
  const talks = delivery.talks && [...left.map((one) => talkOfNone(one.host, null, one.reason)), ...delivery.talks];
  return {
    ...delivery,
    ...(talks && { talks }),
    reason,
    outcome: servers.length === 0 ? 'unreachable' : delivery.outcome,
    mtaSts: policy.mode,
    passedOver: [...left, ...delivery.passedOver],
  };
}
