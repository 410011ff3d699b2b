// Alerts: what they are raised for, which are open, and what an account says for all of its settings.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

/** The published interface's first, then Galley's own. */
export const ALERT_EVENT_NAMES = [
  'ip_listed',
  'ip_delisted',
  'domain_listed',
  'domain_delisted',
  'validation_job',
  'validation_preview',
  'threshold_hit',
  'limit_reached',
  'spam_trap_hit',
  'postmaster_rate_high',
  'postmaster_access_expired',
  'authentication_broken',
  'certificate_expiring',
  'placement_fell',
  'health_fell',
  'gate_failed',
  'batch_held',
  'page_changed',
  'schedule_failed',
  'review_given',
  'review_commented',
  'preview_finished',
  'gate_finished',
  'spam_test_finished',
  'placement_finished',
] as const;

/** What alerts are raised for. */
export type AlertEvent = (typeof ALERT_EVENT_NAMES)[number];

/** Something ended as it should: nothing is the matter. */
const NOTICES: readonly AlertEvent[] = [
  'preview_finished',
  'gate_finished',
  'spam_test_finished',
  'placement_finished',
];

/** True for an event of which only those hear who ask for it: without a setting that names it, no alert is kept. */
export const isNotice = (event: AlertEvent): boolean => NOTICES.includes(event);

const MOMENTS: readonly AlertEvent[] = [
  ...NOTICES,
  'validation_job',
  'validation_preview',
  'limit_reached',
  'spam_trap_hit',
  'gate_failed',
  'batch_held',
  'page_changed',
  'review_given',
  'review_commented',
];

/** True for an event that has no end of its own: its alert is over as soon as it is told. */
export const isMoment = (event: AlertEvent): boolean => MOMENTS.includes(event);

/** An event that is told at the end of another one. */
const ENDS: Partial<Record<AlertEvent, AlertEvent>> = { ip_listed: 'ip_delisted', domain_listed: 'domain_delisted' };

/** The event whose end this one is; undefined for all others. */
export function beginningOf(event: AlertEvent): AlertEvent | undefined {
  return ALERT_EVENT_NAMES.find((name) => ENDS[name] === event);
}

/** The name under which the end of an event is told: an event of its own, or the same. */
export function endOf(event: AlertEvent): AlertEvent {
  return ENDS[event] ?? event;
}

export const common = { tag: 'Alerts', errorShape: 'message' } as const;
const MAILGUN_GO = { since: '2026-11-23', successor: '/v1/alerts/events' };

const Events = Type.Object({ events: Type.Array(Type.String()) }, { title: 'AlertEvents' });

export const listAlertEvents = contract({
  ...common,
  method: 'GET',
  operationId: 'listAlertEvents',
  path: '/v1/alerts/events',
  summary: 'List the event types of alerts',
  description:
    'A setting names one of them. What has finished (`…_finished`) is kept as an alert only while a setting names it: ' +
    'tests run often, and nothing is the matter.',
  reply: Events,
});

export const listAlertEventsBare = contract({
  ...listAlertEvents,
  operationId: 'listAlertEventsBare',
  path: '/v1/alerts',
  description: 'The same as `/v1/alerts/events`, where a published client asks.',
  deprecated: MAILGUN_GO,
});

const Delivery = Type.Object({
  channel: Type.Enum(['email', 'webhook', 'slack']),
  target: Type.String(),
  state: Type.Enum(['waiting', 'delivered', 'failed', 'canceled']),
  next_attempt_at: Type.Optional(Type.String()),
  message: Type.Optional(Type.String({ description: 'How the last attempt ended.' })),
});

const Alert = Type.Object(
  {
    id: Type.String({ description: 'A UUID.' }),
    event: Type.String(),
    subject: Type.String({ description: 'What it is about.' }),
    message: Type.String(),
    fix: Type.Optional(Type.String({ description: 'How to mend it.' })),
    page: Type.Optional(Type.String({ description: 'The page of the dashboard that shows it.' })),
    count: Type.Integer({ description: 'How often it was raised while it was open.' }),
    created_at: Type.String({ description: 'RFC 3339, as all times here.' }),
    updated_at: Type.String(),
    over_at: Type.Union([Type.String(), Type.Null()]),
    deliveries: Type.Array(Delivery),
  },
  { title: 'Alert' },
);

export const listAlerts = contract({
  ...common,
  method: 'GET',
  operationId: 'listAlerts',
  path: '/v1/galley/alerts',
  summary: 'List alerts',
  description:
    'The newest first. An alert is open until what it says is over; kept for 30 days after that. What is raised ' +
    'again while it is open is counted.',
  query: Type.Object({
    state: Type.Optional(Type.Enum(['open', 'over'])),
    event_type: Type.Optional(Type.String({ description: 'One of `/v1/alerts/events`.' })),
    ...skipFields({ limit: 50 }),
  }),
  reply: Type.Object({ items: Type.Array(Alert), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const resolveAlert = contract({
  ...common,
  method: 'POST',
  operationId: 'resolveAlert',
  path: '/v1/galley/alerts/{alert_id}/resolve',
  summary: 'Resolve an open alert',
  description: 'It is over, and nobody is told. If it happens again, an alert is opened again.',
  params: Type.Object({ alert_id: Type.String() }),
  isBodyOptional: true,
  body: Type.Object({}),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

const QuietHours = Type.Object({
  from: Type.String({ description: '`22:00`' }),
  until: Type.String({ description: '`07:00`' }),
  time_zone: Type.Optional(Type.String({ description: 'Such as `Europe/Berlin`. Default: UTC.' })),
});

export const getQuietHours = contract({
  ...common,
  method: 'GET',
  operationId: 'getQuietHours',
  path: '/v1/galley/alerts/quiet_hours',
  summary: 'Get the quiet hours of alerts',
  description: 'Emails and Slack messages wait until they end; webhooks do not. Null: there are none.',
  reply: Type.Object({ quiet_hours: Type.Union([QuietHours, Type.Null()]) }),
});

export const putQuietHours = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateQuietHours',
  path: '/v1/galley/alerts/quiet_hours',
  summary: 'Set the quiet hours of alerts',
  description: 'Send null for none. They may go over midnight.',
  body: Type.Object({ quiet_hours: Type.Union([QuietHours, Type.Null()]) }),
  sample: { quiet_hours: { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' } },
  reply: Type.Object({ quiet_hours: Type.Union([QuietHours, Type.Null()]) }),
  errors: ['invalid_request'],
});
