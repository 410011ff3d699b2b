// The timeline of a recipient, as the wire shows it.
import { botOf, type LoggedEvent } from '../../../platform/event-log/index.ts';
import { LAST_KEPT, type Conversation, type Exchange, type KeptAttempt } from '../deliveries/index.ts';
import type { MessageFacts, WaitingDelivery } from '../messages/index.ts';
import { waitView } from '../queue/index.ts';
import type { Batch } from '../sending-batches/index.ts';
import { gatedView, type GatedMessage } from '../sending-gates/index.ts';
import type { listPosts } from '../webhooks/index.ts';
import { STEPS_MAX } from './contract.ts';
import { statusOf, textOf, type Manner } from './words.ts';

/** Of the subject and the sender. */
const SHOWN_LENGTH = 300;

export function messageView({ createdAt, subject, headerFrom, ...message }: MessageFacts) {
  return {
    id: `<${message.messageId}>`,
    storage_key: message.key,
    domain: message.domain,
    subject: subject.slice(0, SHOWN_LENGTH),
    from: headerFrom.slice(0, SHOWN_LENGTH),
    accepted_at: createdAt.toISOString(),
    method: message.method,
    recipients: message.recipients.length,
    'delivery-mode': message.mode,
  };
}

export function gateView(gated: GatedMessage) {
  const { state, reason, created_at: since, held_until, decided_at, decided_by } = gatedView(gated);
  return { state, reason, since, held_until, decided_at, decided_by };
}

type Post = Awaited<ReturnType<typeof listPosts>>[number];

function postView({ host, state, attempts }: Post) {
  const last = attempts.at(-1);
  return { host, state, attempts: attempts.length, ...(last && { last_at: last.at, last_code: last.code }) };
}

const exchangeView = ({ said, reply, afterMs, tookMs }: Exchange) => ({
  said,
  reply,
  after_ms: afterMs,
  took_ms: tookMs,
});

function conversationView({ tookMs, connections, connectionsLeftOff, exchangesLeftOff }: Conversation) {
  return {
    took_ms: tookMs,
    connections: connections.map(({ host, address, localAddress, connectMs, tls, isReused, ...talk }) => ({
      host,
      address,
      local_address: localAddress,
      connect_ms: connectMs,
      tls: tls && { protocol: tls.protocol, cipher: tls.cipher, certificate_verified: tls.isVerified },
      is_reused: isReused,
      opening: talk.opening.map(exchangeView),
      exchanges: talk.exchanges.map(exchangeView),
      result: talk.end,
    })),
    connections_left_off: connectionsLeftOff,
    exchanges_left_off: exchangesLeftOff,
  };
}

interface Known {
  manner: Manner;
  waiting: (WaitingDelivery & { isTaken: boolean }) | undefined;
  attempts: readonly KeptAttempt[];
  events: readonly LoggedEvent[];
  postsOf(eventId: string): readonly Post[];
  now: Date;
  gated: GatedMessage | undefined;
  batch: Batch | undefined;
}

/** Why there is no conversation of an attempt. */
function missing(attempt: number, { manner, attempts }: Known): string {
  if (manner === 'captured') return 'The message was captured: no server was asked.';
  if (manner === 'simulated') return 'This was simulated: no server was asked.';
  const newest = attempts.at(-1)?.attempt ?? 0;
  return attempt > 1 && attempt <= newest - LAST_KEPT
    ? `It is no longer kept: of a recipient, the first attempt and the last ${LAST_KEPT} are.`
    : 'No server was asked, or what was said was lost in a restart.';
}

function talkOf(attempt: number, known: Known) {
  const kept = known.attempts.find((one) => one.attempt === attempt);
  return kept
    ? { conversation: conversationView(kept.conversation) }
    : { conversation: null, no_conversation: missing(attempt, known) };
}

type Shown = Record<string, unknown>;

function readerOf(event: LoggedEvent) {
  const { url, ip, 'client-info': client } = (event.about ?? {}) as Shown;
  const bot = botOf(event);
  return {
    ...(typeof url === 'string' && { url }),
    ...(typeof ip === 'string' && { ip }),
    ...(client !== undefined && { client: String((client as Shown)['client-name'] ?? '') }),
    ...(bot !== '' && { bot }),
  };
}

function receiverOf(event: LoggedEvent) {
  const status = statusOf(event);
  const ip = (event.about?.['envelope'] as Shown | undefined)?.['sending-ip'];
  const reply = status?.['last-message'] ?? status?.message ?? '';
  return {
    ...(status?.code !== undefined && { code: status.code }),
    ...(reply !== '' && { reply }),
    ...(status?.['mx-host'] !== undefined && { host: status['mx-host'] }),
    ...(typeof ip === 'string' && { sending_ip: ip }),
  };
}

function stepOf(event: LoggedEvent, known: Known) {
  const { severity, reason, attempt } = event;
  // What is sent back later is no attempt.
  const isAttempt = attempt !== null && (event.event === 'delivered' || event.event === 'failed');
  return {
    at: event.at.toISOString(),
    event: event.event,
    text: textOf(event, known.manner),
    ...(severity !== null && { severity }),
    ...(reason !== null && { reason }),
    ...(isAttempt && { attempt }),
    ...receiverOf(event),
    ...readerOf(event),
    webhooks: known.postsOf(event.id).map(postView),
    ...(isAttempt && talkOf(attempt, known)),
  };
}

const ENDS: Partial<Record<LoggedEvent['event'], 'delivered' | 'failed' | 'rejected'>> = {
  delivered: 'delivered',
  failed: 'failed',
  rejected: 'rejected',
};

function stateOf({ waiting, events, attempts }: Known): 'waiting' | 'delivered' | 'failed' | 'rejected' | 'unknown' {
  if (waiting) return 'waiting';
  const last = events.findLast(({ event, severity }) => ENDS[event] !== undefined && severity !== 'temporary');
  const kept = attempts.at(-1)?.outcome;
  return (last && ENDS[last.event]) ?? (kept === 'deferred' || kept === undefined ? 'unknown' : kept);
}

function waitOf({ waiting, ...beside }: Known) {
  if (!waiting) return null;
  const { state, reason, attempts, next_attempt_at, give_up_at, held_until: heldUntil } = waitView(waiting, beside);
  const heldBackAt = waiting.last?.heldAt;
  const wait = { state, reason, until: null, attempts, next_attempt_at, give_up_at };
  if (waiting.isTaken)
    return { ...wait, state: 'in_delivery' as const, reason: 'It is being delivered at this moment.' };
  return {
    ...wait,
    until: state === 'held' ? (heldUntil ?? null) : state === 'due' ? null : next_attempt_at,
    ...(heldBackAt !== undefined && { held_back_at: heldBackAt }),
  };
}

/** What is known of a recipient. */
export function recipientView(recipient: string, known: Known) {
  const { events, manner } = known;
  const half = STEPS_MAX / 2;
  const shown = events.length <= STEPS_MAX ? events : [...events.slice(0, half), ...events.slice(-half)];
  return {
    recipient,
    state: stateOf(known),
    delivery: manner,
    waiting: waitOf(known),
    steps: shown.map((event) => stepOf(event, known)),
    steps_left_off: events.length - shown.length,
  };
}
