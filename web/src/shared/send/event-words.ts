// Events in plain words: what happened, and what the receiver said.
import { count } from '../../ground/words.ts';
import type { DeliveryStatus, SendEvent } from './send-api.ts';

interface Words {
  name: string;
  tone?: 'good' | 'bad' | 'doubt';
  /** What happened, as a sentence. */
  about: string;
}

/** Why a delivery failed for good, by the reason of the event. */
const REASONS: Record<string, string> = {
  bounce: 'The receiver refused it for good.',
  'delayed-bounce': 'The receiver took it and sent it back later.',
  'suppress-bounce': 'Not sent: mail to this address bounced before, so it is on the list of bounces.',
  'suppress-unsubscribe': 'Not sent: this recipient has unsubscribed.',
  'suppress-complaint': 'Not sent: this recipient reported an earlier message as spam.',
  old: 'Given up: it was tried for as long as it may be.',
  espblock: 'The provider blocked it.',
};

/** `5 minutes`, `2 hours`. */
function span(seconds: number): string {
  if (seconds < 90) return count(Math.round(seconds), 'second');
  if (seconds < 5400) return count(Math.round(seconds / 60), 'minute');
  if (seconds < 172_800) return count(Math.round(seconds / 3600), 'hour');
  return count(Math.round(seconds / 86_400), 'day');
}

function deliveredWords(event: SendEvent): Words {
  if (event['delivery-mode'] === 'capture')
    return { name: 'Captured', tone: 'good', about: 'Kept on this machine; it was not sent to the recipient.' };
  if (event.flags?.['is-test-mode'] === true)
    return { name: 'Delivered', tone: 'good', about: 'Test mode: events were made, nothing was sent.' };
  const { 'mx-host': host, tls, 'certificate-verified': isVerified } = event['delivery-status'] ?? {};
  const way = tls === undefined ? '' : tls ? ` over TLS${isVerified ? ', certificate verified' : ''}` : ' without TLS';
  return { name: 'Delivered', tone: 'good', about: `${host ? `${host} took it` : 'The receiver took it'}${way}.` };
}

function failedWords({ severity, reason = 'generic', ...event }: SendEvent): Words {
  const { 'retry-seconds': retry } = event['delivery-status'] ?? {};
  if (severity === 'temporary')
    return {
      name: 'Deferred',
      tone: 'doubt',
      about: `The receiver did not take it yet${retry === undefined ? '' : `; tried again in ${span(retry)}`}.`,
    };
  return { name: 'Failed', tone: 'bad', about: REASONS[reason] ?? 'It could not be delivered.' };
}

const OTHERS: Record<string, Words> = {
  accepted: { name: 'Accepted', about: 'Galley took it, to be delivered.' },
  opened: { name: 'Opened', about: 'The recipient opened it.' },
  clicked: { name: 'Clicked', about: 'The recipient followed a link.' },
  unsubscribed: { name: 'Unsubscribed', tone: 'doubt', about: 'The recipient unsubscribed.' },
  complained: { name: 'Complained', tone: 'bad', about: 'The recipient reported it as spam.' },
  stored: { name: 'Stored', about: 'Its content was stored.' },
};

/** An event by its name, with a sentence. */
export function wordsOf(event: SendEvent): Words {
  if (event.event === 'delivered') return deliveredWords(event);
  if (event.event === 'failed') return failedWords(event);
  if (event.event === 'rejected') {
    const isCanceled = event.reject?.reason === 'canceled';
    const about = event.reject?.description || 'Galley refused to send it.';
    return { name: isCanceled ? 'Canceled' : 'Rejected', tone: 'doubt', about };
  }
  return OTHERS[event.event] ?? { name: event.event, about: '' };
}

/** Replies begin with their code, as a rule. */
function withCode(code: number | undefined, message: string): string {
  return code === undefined || message.startsWith(String(code)) ? message.trim() : `${code} ${message}`.trim();
}

/** What the receiver said, word for word: `550 5.1.1 No such user`. */
export function replyOf({ code, message = '', 'last-code': lastCode, 'last-message': last }: DeliveryStatus): string {
  return last === undefined || last === '' ? withCode(code, message) : withCode(lastCode, last);
}

/** What may be chosen in the filter of events, with the condition that it stands for. */
export const KINDS = {
  accepted: { label: 'Accepted', events: ['accepted'], severity: undefined },
  delivered: { label: 'Delivered', events: ['delivered'], severity: undefined },
  deferred: { label: 'Deferred', events: ['failed'], severity: 'temporary' },
  failed: { label: 'Failed', events: ['failed'], severity: 'permanent' },
  rejected: { label: 'Rejected or canceled', events: ['rejected'], severity: undefined },
  opened: { label: 'Opened', events: ['opened'], severity: undefined },
  clicked: { label: 'Clicked', events: ['clicked'], severity: undefined },
  unsubscribed: { label: 'Unsubscribed', events: ['unsubscribed'], severity: undefined },
  complained: { label: 'Complained', events: ['complained'], severity: undefined },
} as const;

export type Kind = keyof typeof KINDS;
