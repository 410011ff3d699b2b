// Mail goes out here: straight to the servers of the recipient's domain, through the relay, or to a server of Galley's
// own.
import { domainToASCII } from 'node:url';
import { isPublicAddress, parseAllowList } from '../fetch/addresses.ts';
import { systemAddresses, type AddressesOf, type Dns } from '../dns/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import type { Log } from '../log/index.ts';
import type { Delivery, DeliveryOutcome, Parcel, SmtpReply } from './delivery.ts';
import { findAddresses, findOwnAddresses, findServers } from './find-servers.ts';
import { createStsPolicies, type StsPolicies, type StsPolicy } from './mta-sts.ts';
import { readRelay, type Relay } from './relay.ts';
import { createSessionPool, type Lease, type PoolLimits, type SessionPool } from './session-pool.ts';
import { SmtpSessionError, type SessionLimits, type SessionTarget, type TlsPolicy } from './smtp-session.ts';
import type { Transaction } from './transaction.ts';

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

interface Sending {
  pool: SessionPool;
  dns: Dns;
  ownAddressesOf: AddressesOf;
  policies: StsPolicies;
  relay: Relay | undefined;
  mxPort: number;
  mayConnect(server: { host: string; port: number; address: string }): boolean;
}

/** Sends mail. */
export function createMailer(options: MailerOptions): Mailer {
  const { dns, fetch, log, now, helo, ca } = options;
  const allow = parseAllowList(options.allowHosts);
  const sending: Sending = {
    pool: createSessionPool({ ...LIMITS, ...options, helo, ...(ca === undefined ? {} : { ca }) }),
    dns,
    ownAddressesOf: options.ownAddressesOf ?? systemAddresses,
    policies: createStsPolicies({ dns, fetch, now, log }),
    relay: options.relayUrl === undefined ? undefined : readRelay(options.relayUrl),
    mxPort: options.mxPort ?? 25,
    mayConnect: (server) => isPublicAddress(server.address) || allow(server),
  };
  let away: string | undefined;
  return {
    get away() {
      return away;
    },
    async deliver(given) {
      given.signal?.throwIfAborted();
      const parcel = { ...given, from: withAsciiDomain(given.from), to: withAsciiDomain(given.to) };
      const started = performance.now();
      const delivery = await (parcel.route
        ? deliverTo(parcel, sending, parcel.route)
        : sending.relay
          ? relayTo(parcel, sending, sending.relay)
          : deliverByMx(parcel, sending));
      delivery.elapsedMs = Math.round(performance.now() - started);
      if (sending.relay && !parcel.route)
        away = delivery.outcome === 'unreachable' ? 'the relay cannot be reached' : undefined;
      log.debug(
        { outcome: delivery.outcome, host: delivery.host, reason: delivery.reason, elapsedMs: delivery.elapsedMs },
        'a message was handed over',
      );
      return delivery;
    },
    close: () => sending.pool.close(),
  };
}

const NOT_ASCII = /[^\0-\x7f]/;

/** A domain of another script travels in its `xn--` form; only the local part may need SMTPUTF8. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = at < 0 || !NOT_ASCII.test(address.slice(at)) ? '' : domainToASCII(address.slice(at + 1));
  return domain === '' ? address : `${address.slice(0, at)}@${domain}`;
}

function blank(outcome: DeliveryOutcome, reason: string): Delivery {
  return {
    outcome,
    reason,
    host: null,
    address: null,
    replies: [],
    tls: null,
    mtaSts: 'none',
    passedOver: [],
    isUncertain: false,
    elapsedMs: 0,
  };
}

/** The server that the caller named. Its address is not checked, because no outsider chose it. */
async function deliverTo(
  parcel: Parcel,
  sending: Sending,
  route: { host: string; port: number; tls?: 'none' | 'opportunistic' },
): Promise<Delivery> {
  const tls = parcel.isTlsRequired ? 'required' : (route.tls ?? 'opportunistic');
  return sending.pool.withRoom(`${route.host}:${route.port}`, () =>
    tryServers(parcel, sending, { servers: [route.host], port: route.port, tls, isTrusted: true }),
  );
}

function relayTo(parcel: Parcel, sending: Sending, relay: Relay): Promise<Delivery> {
  const { host, port, login } = relay;
  const tls = parcel.isTlsRequired && relay.tls === 'opportunistic' ? 'verified' : relay.tls;
  return sending.pool.withRoom(`${host}:${port}`, () =>
    tryServers(parcel, sending, { servers: [host], port, tls, isTrusted: true, ...(login ? { login } : {}) }),
  );
}

async function deliverByMx(parcel: Parcel, sending: Sending): Promise<Delivery> {
  const found = await findServers(parcel.to, sending.dns);
  if (!found.ok) return blank(found.isPermanent ? 'bounced' : 'unreachable', found.reason);
  const policy = await sending.policies.find(found.domain, parcel.signal);
  const servers = policy.mode === 'enforce' ? found.servers.filter(policy.allows) : found.servers;
  const tls = policy.mode === 'enforce' ? 'verified' : parcel.isTlsRequired ? 'required' : 'opportunistic';
  const destination = found.servers[0] ?? found.domain;
  const delivery = await sending.pool.withRoom(destination, () =>
    tryServers(parcel, sending, { servers, port: sending.mxPort, tls, isTrusted: false }),
  );
  return withPolicy(delivery, { policy, named: found.servers, servers });
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
  return {
    ...delivery,
    reason,
    outcome: servers.length === 0 ? 'unreachable' : delivery.outcome,
    mtaSts: policy.mode,
    passedOver: [...left, ...delivery.passedOver],
  };
}

interface Candidates {
  servers: string[];
  port: number;
  tls: TlsPolicy;
  /** Named by the operator or by Galley: private addresses are fine. */
  isTrusted: boolean;
  login?: { user: string; password: string };
}

async function tryServers(parcel: Parcel, sending: Sending, candidates: Candidates): Promise<Delivery> {
  const passedOver: Delivery['passedOver'] = [];
  let last: Delivery = blank('unreachable', 'there is no server to try');
  let isHopeless = candidates.servers.length > 0;
  for (const host of candidates.servers) {
    const { addresses, isCertain } = await (candidates.isTrusted
      ? findOwnAddresses(host, sending.ownAddressesOf)
      : findAddresses(host, sending.dns));
    const open = addresses.filter(
      (address) => candidates.isTrusted || sending.mayConnect({ host, port: candidates.port, address }),
    );
    if (open.length > 0 || !isCertain) isHopeless = false;
    if (open.length === 0) {
      const reason =
        addresses.length > 0
          ? `${addresses.join(', ')} is not a public address`
          : isCertain
            ? 'it has no address'
            : 'its address could not be looked up';
      passedOver.push({ host, address: addresses[0] ?? null, reason });
      last = { ...blank('unreachable', `${host} cannot be used: ${reason}`), host };
    }
    for (const address of open) {
      // The delivery under way is finished; no other server is tried.
      if (parcel.signal?.aborted) return { ...last, reason: `${last.reason}; no more time to try another`, passedOver };
      const target: SessionTarget = {
        host,
        address,
        port: candidates.port,
        tls: candidates.tls,
        ...(candidates.login ? { login: candidates.login } : {}),
      };
      const attempt = await tryServer(parcel, sending.pool, target);
      if (attempt.isFinal) return { ...attempt.delivery, passedOver };
      passedOver.push({ host, address, reason: attempt.delivery.reason });
      last = attempt.delivery;
    }
  }
  return { ...last, outcome: isHopeless ? 'bounced' : last.outcome, passedOver };
}

interface Attempt {
  delivery: Delivery;
  /** False: the next server may do better. */
  isFinal: boolean;
}

async function tryServer(parcel: Parcel, pool: SessionPool, target: SessionTarget): Promise<Attempt> {
  let opened = await open(pool, target, { isFresh: false });
  if ('delivery' in opened) return opened;
  if (NOT_ASCII.test(parcel.from + parcel.to) && !opened.lease.session.takesUtf8) {
    const { session, isReused } = opened.lease;
    opened.lease.release();
    // RFC 6531 §3.2: without the extension such an address cannot be said.
    const reason = 'the server does not take addresses with characters outside ASCII (SMTPUTF8)';
    return {
      delivery: {
        ...blank('bounced', reason),
        host: target.host,
        address: target.address,
        tls: session.tls,
        replies: isReused ? [] : session.opening,
      },
      isFinal: true,
    };
  }
  let transaction = await opened.lease.session.send(parcel);
  if (opened.lease.isReused && isStale(transaction)) {
    // The server had closed the kept connection, which says nothing about the message.
    opened.lease.discard();
    opened = await open(pool, target, { isFresh: true });
    if ('delivery' in opened) return opened;
    transaction = await opened.lease.session.send(parcel);
  }
  const { lease } = opened;
  const isReady =
    transaction.isAccepted ||
    (transaction.decisive !== undefined && transaction.decisive.code !== 421 && !transaction.isTooLarge);
  if (isReady && lease.session.isOpen) lease.release();
  else lease.discard();
  return { delivery: deliveryOf(transaction, lease, target), isFinal: true };
}

function isStale({ isAccepted, replies, isUncertain, isTooLarge }: Transaction): boolean {
  return !isAccepted && replies.length === 0 && !isUncertain && !isTooLarge;
}

/** A connection; encryption that is only an offer, and fails, is done without (RFC 7435). */
async function open(
  pool: SessionPool,
  target: SessionTarget,
  options: { isFresh: boolean },
): Promise<{ lease: Lease } | Attempt> {
  try {
    return { lease: await pool.lease(target, options) };
  } catch (error) {
    if (!(error instanceof SmtpSessionError)) throw error;
    if (error.kind === 'tls' && target.tls === 'opportunistic') return open(pool, { ...target, tls: 'none' }, options);
    const code = error.kind === 'refused' ? error.replies.at(-1)?.code : undefined;
    const delivery: Delivery = {
      ...blank(code === undefined ? 'unreachable' : 'deferred', error.message),
      host: target.host,
      address: target.address,
      replies: error.replies,
    };
    return { delivery, isFinal: false };
  }
}

function deliveryOf(transaction: Transaction, { session, isReused }: Lease, target: SessionTarget): Delivery {
  const { isAccepted, decisive, isTooLarge, isUncertain, problem } = transaction;
  const outcome: DeliveryOutcome = isAccepted
    ? 'delivered'
    : isTooLarge || (decisive && decisive.code >= 500)
      ? 'bounced'
      : decisive
        ? 'deferred'
        : 'unreachable';
  return {
    ...blank(
      outcome,
      decisive
        ? sentenceOf(decisive)
        : isTooLarge
          ? 'the message is larger than the server takes'
          : `the connection broke: ${problem}`,
    ),
    host: target.host,
    address: target.address,
    replies: isReused ? transaction.replies : [...session.opening, ...transaction.replies],
    tls: session.tls,
    isUncertain,
  };
}

function sentenceOf({ code, enhancedCode, text }: SmtpReply): string {
  return `the server said ${code}${enhancedCode === null ? '' : ` ${enhancedCode}`} ${text.replaceAll('\n', ' ')}`;
}
