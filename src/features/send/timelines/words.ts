// What an event says, in a sentence.
import { botOf, type LoggedEvent } from '../../../platform/event-log/index.ts';

export type Manner = 'live' | 'captured' | 'simulated';

interface Status {
  code?: number;
  message?: string;
  description?: string;
  'mx-host'?: string;
  tls?: boolean;
  'certificate-verified'?: boolean;
  'retry-seconds'?: number;
  'last-message'?: string;
}

export const statusOf = ({ about }: Pick<LoggedEvent, 'about'>): Status | undefined =>
  about?.['delivery-status'] as Status | undefined;

const MANNERS: Record<Exclude<Manner, 'live'>, string> = {
  captured: 'It was captured: it was kept on this machine, and did not leave it.',
  simulated: 'This was simulated: nothing left this machine.',
};

const FAILURES: Record<string, string> = {
  bounce: 'The receiver refused it for good.',
  'delayed-bounce': 'The receiver took it and sent it back later.',
  'suppress-bounce': 'It was not sent: mail to this address bounced before.',
  'suppress-unsubscribe': 'It was not sent: this recipient has unsubscribed.',
  'suppress-complaint': 'It was not sent: this recipient reported an earlier message as spam.',
  old: 'It was given up: it was tried for as long as it may be.',
};

function deliveredText(event: LoggedEvent, manner: Manner): string {
  if (manner !== 'live') return MANNERS[manner];
  const { 'mx-host': host, tls, 'certificate-verified': isVerified } = statusOf(event) ?? {};
  const way = tls === undefined ? '' : tls ? ` over TLS${isVerified ? ' with a verified certificate' : ''}` : '';
  const plain = tls === false ? ' without TLS' : '';
  return `${host === undefined ? 'The receiver' : host} took it${way}${plain}.`;
}

function failedText({ severity, reason, ...event }: LoggedEvent, manner: Manner): string {
  const said = manner === 'simulated' ? ' This was simulated.' : '';
  if (severity === 'permanent') return `${FAILURES[reason ?? ''] ?? 'It could not be delivered.'}${said}`;
  return statusOf(event)?.code === 498 ? `No server took it.${said}` : `The receiver did not take it yet.${said}`;
}

const READS: Partial<Record<LoggedEvent['event'], [person: string, program: string]>> = {
  opened: ['The recipient opened it.', 'A program opened it, not a person.'],
  clicked: ['The recipient followed a link.', 'A program followed a link, not a person.'],
};

const OTHERS: Partial<Record<LoggedEvent['event'], string>> = {
  accepted: 'Galley took it, to be delivered.',
  unsubscribed: 'The recipient unsubscribed.',
  complained: 'The recipient reported it as spam.',
  stored: 'Its content was stored.',
  email_validation: 'The address was validated.',
};

/** One sentence, or two. */
export function textOf(event: LoggedEvent, manner: Manner): string {
  if (event.event === 'delivered') return deliveredText(event, manner);
  if (event.event === 'failed') return failedText(event, manner);
  if (event.event === 'rejected') {
    const { description } = (event.about?.['reject'] ?? {}) as { description?: string };
    return description || 'Galley did not send it.';
  }
  const chosen = event.about?.['i-delivery-optimizer'];
  if (typeof chosen === 'string') return `${OTHERS[event.event]} ${chosen}`;
  const read = READS[event.event];
  if (read) return read[botOf(event) === '' ? 0 : 1];
  return OTHERS[event.event] ?? `The event ${event.event} happened.`;
}
