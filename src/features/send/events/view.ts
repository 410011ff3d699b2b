// What an event looks like on the wire: in lists, in logs, in webhooks.
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import { unixMoment } from '../../../platform/times/index.ts';
import type { MessageFacts } from '../messages/index.ts';

interface Place {
  /** Starts URLs; no trailing slash. */
  baseUrl: string;
  region: string;
}

type Level = 'info' | 'warn' | 'error';

const LEVELS: Partial<Record<LoggedEvent['event'], Level>> = { rejected: 'warn', complained: 'warn' };

function levelOf({ event, severity }: LoggedEvent): Level {
  if (event === 'failed') return severity === 'permanent' ? 'error' : 'warn';
  return LEVELS[event] ?? 'info';
}

/** Events of what is sent, where the way of the message is told; those of what readers do say less. */
const OF_SENDING = new Set<LoggedEvent['event']>(['accepted', 'rejected', 'delivered', 'failed', 'stored']);

function messageView({
  headerTo,
  messageId,
  headerFrom,
  subject,
  attachments,
  recipients,
  sizeBytes,
  options,
}: MessageFacts) {
  return {
    headers: { to: headerTo, 'message-id': messageId, from: headerFrom, subject },
    attachments,
    recipients,
    size: sizeBytes,
    ...(options.scheduledFor !== undefined && { 'scheduled-for': options.scheduledFor }),
  };
}

function envelopeOf(event: LoggedEvent, { sender, mode }: MessageFacts) {
  return {
    sender,
    transport: 'smtp',
    targets: event.recipient,
    'sending-ip': '',
    'delivery-mode': mode,
    ...(event.about?.['envelope'] as Record<string, unknown> | undefined),
  };
}

function storageOf({ domain, key }: MessageFacts, { baseUrl, region }: Place) {
  return { url: `${baseUrl}/v3/domains/${domain}/messages/${key}`, region, key, env: 'production' };
}

function flagsOf(event: LoggedEvent, { options }: MessageFacts) {
  return {
    // Of what comes in, who sent it was not asked.
    'is-authenticated': options.isIncoming !== true,
    'is-routed': options.isIncoming === true,
    'is-amp': options.isAmp === true,
    'is-system-test': false,
    'is-test-mode': options.isTest === true,
    'is-delayed-bounce': event.about?.['is-delayed-bounce'] === true,
    'is-callback': false,
    'is-encrypted': false,
    'is-big': false,
  };
}

function sendingView(event: LoggedEvent, message: MessageFacts, place: Place) {
  return {
    ...(event.event !== 'stored' && event.event !== 'rejected' && { envelope: envelopeOf(event, message) }),
    flags: flagsOf(event, message),
    storage: storageOf(message, place),
    method: message.method,
    ...(event.event === 'accepted' && {
      ...(message.originatingIp !== null && { 'originating-ip': message.originatingIp }),
      ...(message.apiKeyId !== null && { 'api-key-id': message.apiKeyId }),
    }),
  };
}

function ofMessage(event: LoggedEvent, message: MessageFacts, place: Place) {
  const { mailingList: list, template } = message.options;
  const campaigns = (message.options.campaigns ?? []).map((name) => ({ id: name, name }));
  return {
    message: messageView(message),
    tags: message.tags,
    campaigns,
    ...(list && { 'mailing-list': { address: list.address, 'list-id': list.listId, sid: list.id } }),
    'user-variables': message.userVariables,
    ...(template && {
      template: { name: template.name, version: template.version, 'is-text': template.isText ?? false },
    }),
    'delivery-mode': message.mode,
    ...(OF_SENDING.has(event.event) && sendingView(event, message, place)),
  };
}

function reasonOf({ event, severity, reason }: LoggedEvent) {
  if (event === 'failed') return { severity: severity ?? 'permanent', reason: reason ?? 'generic' };
  if (event === 'rejected') return { reject: { reason: reason ?? 'generic', description: '' } };
  return {};
}

/** The event as lists and webhooks show it. `message`: undefined when it is gone. */
export function eventView(event: LoggedEvent, message: MessageFacts | undefined, place: Place) {
  const { envelope: _envelope, 'is-delayed-bounce': _delayed, ...about } = event.about ?? {};
  return {
    event: event.event,
    id: event.id,
    timestamp: unixMoment(event.at),
    'log-level': levelOf(event),
    ...(event.recipient !== '' && { recipient: event.recipient, 'recipient-domain': event.recipientDomain }),
    ...(event.provider !== '' && { 'recipient-provider': event.provider }),
    ...(message && ofMessage(event, message, place)),
    ...reasonOf(event),
    ...about,
  };
}
