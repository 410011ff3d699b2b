import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { tokenFields } from '../../../platform/paging/index.ts';

export const COMPARATORS = ['=', '!=', 'contains', 'not contains'] as const;
/** What `events` may name. */
export const EVENT_NAMES = [
  'accepted',
  'delivered',
  'failed',
  'opened',
  'unique_opened',
  'clicked',
  'unique_clicked',
  'unsubscribed',
  'complained',
  'rejected',
  'stored',
  'email_validation',
  'list_uploaded',
  'list_member_uploaded',
  'list_member_upload_error',
  'trapped',
] as const;
/** What `metric_events` may name: metrics without `_count`. */
export const METRIC_NAMES = [
  'accepted_incoming',
  'accepted_outgoing',
  'accepted',
  'delivered_smtp',
  'delivered_http',
  'delivered_optimized',
  'delivered',
  'stored',
  'opened',
  'clicked',
  'unique_opened',
  'unique_clicked',
  'complained',
  'unsubscribed',
  'failed',
  'processed',
  'sent',
  'temporary_failed',
  'permanent_failed',
  'esp_block',
  'temporary_failed_esp_block',
  'permanent_failed_esp_block',
  'rate_limit',
  'webhook',
  'webhook_failure',
  'permanent_failed_optimized',
  'permanent_failed_old',
  'bounced',
  'hard_bounces',
  'soft_bounces',
  'delayed_bounce',
  'suppressed_bounces',
  'suppressed_unsubscribed',
  'suppressed_complaints',
  'delivered_first_attempt',
  'delivered_subsequent',
  'delivered_two_plus_attempts',
] as const;

const Condition = Type.Object({
  attribute: Type.String({
    maxLength: 100,
    description:
      'bot, code, country, device, domain, event, from, ip, message_id, reason, recipient, recipient_domain, ' +
      'recipient_provider, severity, subaccount, subject, tag, to, url.',
  }),
  comparator: Type.Enum([...COMPARATORS]),
  values: Type.Array(
    Type.Object({ label: Type.Optional(Type.String({ maxLength: 1000 })), value: Type.String({ maxLength: 1000 }) }),
    { minItems: 1, maxItems: 100 },
  ),
});

const Item = Type.Object(
  {
    id: Type.String(),
    event: Type.String(),
    '@timestamp': Type.String({ description: 'RFC 3339.' }),
    account: Type.Object({ id: Type.String(), 'parent-id': Type.Optional(Type.String()) }),
    domain: Type.Object({ name: Type.String() }),
    'log-level': Type.Enum(['info', 'warn', 'error']),
    recipient: Type.Optional(Type.String()),
    'user-variables': Type.Optional(Type.String({ description: 'JSON.' })),
    'delivery-mode': Type.Optional(
      Type.Enum(['capture', 'live'], { description: '`capture`: nothing left the machine.' }),
    ),
  },
  {
    title: 'LogEvent',
    additionalProperties: Type.Unknown(),
    description: 'Beside these, what the kind of event has: message, envelope, storage, flags, delivery-status, tags …',
  },
);

const date = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

export const queryLogs = contract({
  tag: 'Logs',
  errorShape: 'message',
  rights: 'logs',
  isQuery: true,
  method: 'POST',
  operationId: 'listLogs',
  path: '/v1/analytics/logs',
  summary: 'Query logs',
  description:
    'What happened to messages, newest first unless `pagination.sort` says other. `pagination.next` of an answer is the ' +
    'token of the page behind it, with the same conditions; it is there at the end, too, and then answers what came ' +
    'since. A page may be shorter than its limit before the end, when conditions on what no index holds (reason, code, ' +
    'url, ip, country, device, bot) take long. Events are shown two seconds after they happened.',
  isBodyOptional: true,
  sample: { events: ['delivered'], pagination: { limit: 10 } },
  body: Type.Object({
    start: date('RFC 2822. Default: one day before now.'),
    end: date('RFC 2822. Default: now.'),
    duration: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,3}[hdm]$', description: '`1d`, `2h`, `1m` (a month): in place of start.' }),
    ),
    events: Type.Optional(Type.Array(Type.Enum([...EVENT_NAMES]), { maxItems: 50 })),
    metric_events: Type.Optional(Type.Array(Type.Enum([...METRIC_NAMES]), { maxItems: 50 })),
    filter: Type.Optional(
      Type.Object({ AND: Type.Optional(Type.Array(Condition, { maxItems: 30 })) }, { additionalProperties: false }),
    ),
    include_subaccounts: Type.Boolean({ default: false }),
    include_totals: Type.Boolean({ default: false }),
    pagination: Type.Optional(
      Type.Object({
        sort: Type.Enum(['timestamp:asc', 'timestamp:desc'], { default: 'timestamp:desc' }),
        ...tokenFields({ limit: 100, limitMax: 100 }),
      }),
    ),
  }),
  reply: Type.Object({
    start: Type.String(),
    end: Type.String(),
    items: Type.Array(Item),
    pagination: Type.Object({
      first: Type.String(),
      last: Type.String(),
      next: Type.String(),
      previous: Type.String(),
      total: Type.Optional(Type.Integer({ description: 'With `include_totals`.' })),
      total_is_bound: Type.Optional(
        Type.Boolean({ description: 'There are so many at least; they were not counted further.' }),
      ),
    }),
    aggregates: Type.Optional(
      Type.Object(
        { all: Type.Integer(), metrics: Type.Record(Type.String(), Type.Integer()) },
        { description: 'With `include_totals`: how many there are of each kind.' },
      ),
    ),
  }),
  errors: ['invalid_request'],
});
