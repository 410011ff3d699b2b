// The servers of one destination, tried in turn until one decides.
import { isAscii } from 'node:buffer';
import type { AddressesOf, Dns } from '../dns/index.ts';
import type { Delivery, DeliveryOutcome, OwnVerdict, Parcel, SmtpReply, Talk } from './delivery.ts';
import { findAddresses, findOwnAddresses } from './find-servers.ts';
import type { Lease, Room, SessionPool } from './session-pool.ts';
import { SmtpSessionError, type SessionTarget, type Source, type TlsPolicy } from './smtp-session.ts';
import { talkOfFailure, talkOfLease, talkOfNone, type Note } from './told.ts';
import type { Transaction } from './transaction.ts';

/** What trying needs. */
export interface Trying {
  pool: SessionPool;
  dns: Dns;
  ownAddressesOf: AddressesOf;
  mayConnect(server: { host: string; port: number; address: string }): boolean;
  /** After so long no further server is tried, so that those of one domain hold up nobody for hours. */
  tryingTimeoutMs: number;
}

const NO_ADDRESS: OwnVerdict = { code: 550, enhancedCode: '5.4.4' };
const TOO_LARGE: OwnVerdict = { code: 552, enhancedCode: '5.3.4' };
/** RFC 6531 §3.5. */
const NOT_UTF8: OwnVerdict = { code: 553, enhancedCode: '5.6.7' };

/** A report before anybody was asked. */
export function blank(outcome: DeliveryOutcome, reason: string, verdict?: OwnVerdict): Delivery {
  return {
    outcome,
    reason,
    ...(verdict && { verdict }),
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

interface Candidates {
  servers: string[];
  port: number;
  tls: TlsPolicy;
  /** Named by the operator or by Galley: private addresses are fine. */
  isTrusted: boolean;
  login?: { user: string; password: string };
  from?: Source | undefined;
  /** In which the caller has a place. */
  room: Room;
  /** The first so many servers are as good as each other: a connection that is kept decides. */
  equals: number;
  /** Servers that are named beside these, and are not tried for one message. */
  more: number;
}

/** Tries servers and their addresses in order. */
export async function tryServers(parcel: Parcel, sending: Trying, candidates: Candidates): Promise<Delivery> {
  const talks: Talk[] = [];
  const delivery = await tryInTurn(parcel, { ...sending, note: (talk) => talks.push(talk) }, candidates);
  return parcel.isTold ? { ...delivery, talks } : delivery;
}

async function tryInTurn(parcel: Parcel, sending: Trying & { note: Note }, candidates: Candidates): Promise<Delivery> {
  const { note } = sending;
  const passedOver: Delivery['passedOver'] = [];
  const until = performance.now() + sending.tryingTimeoutMs;
  let last: Delivery = blank('unreachable', 'there is no server to try');
  let isHopeless = candidates.servers.length > 0 && candidates.more === 0;
  const kept = sending.pool.leaseKept(candidates.room, (target) => isAsGood(target, candidates));
  if (kept) {
    const attempt = await tryServer(parcel, sending.pool, { target: kept.target, room: candidates.room, kept, note });
    if (attempt.isFinal) return { ...attempt.delivery, passedOver };
  }
  for (const host of candidates.servers) {
    const { addresses, isCertain } = await (candidates.isTrusted
      ? findOwnAddresses(host, sending.ownAddressesOf)
      : findAddresses(host, sending.dns));
    const reached = addresses.filter((address) => reaches(candidates.from, address));
    const open = reached.filter(
      (address) => candidates.isTrusted || sending.mayConnect({ host, port: candidates.port, address }),
    );
    if (open.length > 0 || !isCertain || reached.length < addresses.length) isHopeless = false;
    if (open.length === 0) {
      const reason =
        reached.length > 0
          ? `${reached.join(', ')} is not a public address`
          : addresses.length > 0
            ? `${addresses.join(', ')} cannot be reached from ${candidates.from?.ip}`
            : isCertain
              ? 'it has no address'
              : 'its address could not be looked up';
      passedOver.push({ host, address: addresses[0] ?? null, reason });
      note(talkOfNone(host, addresses[0] ?? null, reason));
      last = { ...blank('unreachable', `${host} cannot be used: ${reason}`), host };
    }
    for (const address of open) {
      // The delivery under way is finished; no other server is tried.
      if (parcel.signal?.aborted || (passedOver.length > 0 && performance.now() > until))
        return { ...last, reason: `${last.reason}; no more time to try another`, passedOver };
      const target: SessionTarget = {
        host,
        address,
        port: candidates.port,
        tls: candidates.tls,
        ...(candidates.login ? { login: candidates.login } : {}),
        ...(candidates.from && { from: candidates.from }),
      };
      const attempt = await tryServer(parcel, sending.pool, { target, room: candidates.room, note });
      if (attempt.isFinal) return { ...attempt.delivery, passedOver };
      passedOver.push({ host, address, reason: attempt.delivery.reason });
      last = attempt.delivery;
    }
  }
  const reason = last.reason + boundOf(candidates);
  return { ...last, reason, ...(isHopeless && { outcome: 'bounced', verdict: NO_ADDRESS }), passedOver };
}

function boundOf({ servers, more }: Candidates): string {
  return more === 0 ? '' : `; ${servers.length} of ${servers.length + more} servers are tried for one message`;
}

/** IPv4 from IPv4, IPv6 from IPv6. */
const reaches = (from: Source | undefined, address: string): boolean =>
  from === undefined || from.ip.includes(':') === address.includes(':');

function isAsGood(target: SessionTarget, { servers, equals, port, tls, login, from }: Candidates): boolean {
  const { host } = target;
  const isSame = target.port === port && target.tls === tls && target.login?.user === login?.user;
  return isSame && target.from?.ip === from?.ip && servers.slice(0, equals).includes(host);
}

interface Attempt {
  delivery: Delivery;
  /** False: the next server may do better. */
  isFinal: boolean;
}

async function tryServer(
  parcel: Parcel,
  pool: SessionPool,
  { target, room, kept, note }: { target: SessionTarget; room: Room; kept?: Lease; note: Note },
): Promise<Attempt> {
  let opened = kept ? { lease: kept } : await open(pool, target, { room, isFresh: false, note });
  if ('delivery' in opened) return opened;
  if (!isAscii(Buffer.from(parcel.from + parcel.to)) && !opened.lease.session.takesUtf8) {
    const { session, isReused } = opened.lease;
    opened.lease.release();
    // RFC 6531 §3.2: without the extension such an address cannot be said.
    const reason = 'the server does not take addresses with characters outside ASCII (SMTPUTF8)';
    note(talkOfLease(opened.lease, target, { spoken: [], end: reason }));
    return {
      delivery: {
        ...blank('bounced', reason, NOT_UTF8),
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
    note(talkOfLease(opened.lease, target, { ...transaction, end: 'the server had closed the connection' }));
    opened = await open(pool, target, { room, isFresh: true, note });
    if ('delivery' in opened) return opened;
    transaction = await opened.lease.session.send(parcel);
  }
  const { lease } = opened;
  const isReady =
    transaction.isAccepted ||
    (transaction.decisive !== undefined && transaction.decisive.code !== 421 && !transaction.isTooLarge);
  if (isReady && lease.session.isOpen) lease.release();
  else lease.discard();
  const delivery = deliveryOf(transaction, lease, target);
  note(talkOfLease(lease, target, { ...transaction, end: delivery.reason }));
  return { delivery, isFinal: true };
}

function isStale({ isAccepted, replies, isUncertain, isTooLarge }: Transaction): boolean {
  return !isAccepted && replies.length === 0 && !isUncertain && !isTooLarge;
}

/** A connection; encryption that is only an offer, and fails, is done without (RFC 7435). */
async function open(
  pool: SessionPool,
  target: SessionTarget,
  options: { room: Room; isFresh: boolean; note: Note },
): Promise<{ lease: Lease } | Attempt> {
  try {
    return { lease: await pool.lease(target, options.room, options) };
  } catch (error) {
    if (!(error instanceof SmtpSessionError)) throw error;
    options.note(talkOfFailure(target, error));
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
      isTooLarge && !decisive ? TOO_LARGE : undefined,
    ),
    host: target.host,
    address: target.address,
    replies: isReused ? transaction.replies : [...session.opening, ...transaction.replies],
    tls: session.tls,
    ...(session.localAddress !== undefined && { localAddress: session.localAddress }),
    isUncertain,
  };
}

function sentenceOf({ code, enhancedCode, text }: SmtpReply): string {
  return `the server said ${code}${enhancedCode === null ? '' : ` ${enhancedCode}`} ${text.replaceAll('\n', ' ')}`;
}
