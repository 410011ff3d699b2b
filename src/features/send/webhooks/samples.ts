// Events that nothing happened for, so that a receiver can be tried.
import { eventOf } from './kinds.ts';
import type { WebhookKind } from './contract.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { unixMoment } from '../../../platform/times/index.ts';

const OF_READERS: readonly WebhookKind[] = ['opened', 'clicked', 'unsubscribed'];

function readerOf(kind: WebhookKind) {
  if (!OF_READERS.includes(kind)) return {};
  return {
    ip: '192.0.2.1',
    'client-info': {
      'client-name': 'Example',
      'client-os': 'Linux',
      'client-type': 'browser',
      'device-type': 'desktop',
    },
    geolocation: { country: '', region: '', city: '' },
    ...(kind === 'clicked' && { url: 'https://example.com/' }),
  };
}

function statusOf(kind: WebhookKind) {
  if (kind === 'delivered') return { 'delivery-status': { code: 250, message: 'OK', description: 'A test event.' } };
  if (kind === 'temporary_fail')
    return {
      severity: 'temporary',
      reason: 'generic',
      'delivery-status': { code: 452, message: '4.2.2 Mailbox full', description: 'A test event.' },
    };
  if (kind === 'permanent_fail')
    return {
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { code: 550, message: '5.1.1 No such user', description: 'A test event.' },
    };
  return {};
}

/** A test event: its flags say that it is one, and its id begins with `test-`. */
export function sampleEvent(kind: WebhookKind, { domain, now }: { domain: string; now: Date }) {
  return {
    event: eventOf(kind),
    id: `test-${randomText(9)}`,
    timestamp: unixMoment(now),
    'log-level': kind === 'permanent_fail' ? 'error' : kind === 'temporary_fail' ? 'warn' : 'info',
    recipient: 'reader@example.com',
    'recipient-domain': 'example.com',
    message: {
      headers: {
        to: 'reader@example.com',
        'message-id': `test@${domain}`,
        from: `test@${domain}`,
        subject: 'A test event',
      },
      attachments: [],
      recipients: ['reader@example.com'],
      size: 0,
    },
    tags: [],
    campaigns: [],
    'user-variables': {},
    flags: { 'is-system-test': true, 'is-test-mode': true, 'is-routed': false, 'is-authenticated': true },
    ...statusOf(kind),
    ...readerOf(kind),
  };
}
