import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

/** Counts, by name. */
export const COUNT_NAMES = [
  'accepted_incoming_count',
  'accepted_outgoing_count',
  'accepted_count',
  'delivered_smtp_count',
  'delivered_http_count',
  'delivered_optimized_count',
  'delivered_count',
  'stored_count',
  'processed_count',
  'sent_count',
  'opened_count',
  'clicked_count',
  'unique_opened_count',
  'unique_clicked_count',
  'unsubscribed_count',
  'complained_count',
  'failed_count',
  'temporary_failed_count',
  'permanent_failed_count',
  'esp_block_count',
  'temporary_failed_esp_block_count',
  'permanent_failed_esp_block_count',
  'rate_limit_count',
  'webhook_count',
  'permanent_failed_optimized_count',
  'permanent_failed_old_count',
  'bounced_count',
  'hard_bounces_count',
  'soft_bounces_count',
  'delayed_bounce_count',
  'suppressed_bounces_count',
  'suppressed_unsubscribed_count',
  'suppressed_complaints_count',
  'delivered_first_attempt_count',
  'delayed_first_attempt_count',
  'delivered_subsequent_count',
  'delivered_two_plus_attempts_count',
] as const;
type CountName = (typeof COUNT_NAMES)[number];

/** Rates, by name: a count over a count. */
export const RATES = {
  delivered_rate: ['delivered_count', 'sent_count'],
  opened_rate: ['opened_count', 'delivered_count'],
  clicked_rate: ['clicked_count', 'delivered_count'],
  unique_opened_rate: ['unique_opened_count', 'delivered_count'],
  unique_clicked_rate: ['unique_clicked_count', 'delivered_count'],
  unsubscribed_rate: ['unsubscribed_count', 'delivered_count'],
  complained_rate: ['complained_count', 'delivered_count'],
  bounce_rate: ['bounced_count', 'processed_count'],
  fail_rate: ['failed_count', 'processed_count'],
  permanent_fail_rate: ['permanent_failed_count', 'processed_count'],
  temporary_fail_rate: ['temporary_failed_count', 'processed_count'],
  delayed_rate: ['delivered_two_plus_attempts_count', 'delivered_count'],
  delayed_first_attempt_rate: ['delayed_first_attempt_count', 'processed_count'],
} as const satisfies Record<string, readonly [CountName, CountName]>;

export const METRIC_NAMES: readonly (CountName | keyof typeof RATES)[] = [
  ...COUNT_NAMES,
  ...(Object.keys(RATES) as (keyof typeof RATES)[]),
];

/** What an account uses, by name. */
export const USAGE_NAMES = [
  'processed_count',
  'email_validation_count',
  'email_validation_public_count',
  'email_validation_valid_count',
  'email_validation_single_count',
  'email_validation_bulk_count',
  'email_validation_list_count',
  'email_validation_mailgun_count',
  'email_validation_mailjet_count',
  'email_preview_count',
  'email_preview_failed_count',
  'link_validation_count',
  'link_validation_failed_count',
  'seed_test_count',
  'ip_blocklist_monitoring_count',
  'domain_blocklist_monitoring_count',
  'accessibility_count',
  'accessibility_failed_count',
  'image_validation_count',
  'image_validation_failed_count',
  'archived_count',
] as const;

export const DIMENSIONS = [
  'time',
  'domain',
  'tag',
  'recipient_provider',
  'recipient_domain',
  'ip',
  'ip_pool',
  'country',
  'device',
  'bot',
  'subaccount',
] as const;
const ATTRIBUTES = DIMENSIONS.filter((name) => name !== 'time');
const DIMENSIONS_MAX = 3;
export const ITEMS_MAX = 20_000;
const RESOLUTIONS = ['hour', 'day', 'month'] as const;

const date = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

const rangeFields = {
  start: date('RFC 2822. Default: seven days before the end.'),
  end: date('RFC 2822. Default: now.'),
  duration: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}[hdm]$',
      description: '`24h`, `7d`, `1m` (a month) before the end: in place of start.',
    }),
  ),
  resolution: Type.Enum([...RESOLUTIONS], { default: 'day' }),
};

const Condition = Type.Object({
  attribute: Type.Enum(ATTRIBUTES),
  comparator: Type.Enum(['=', '!=', 'contains', 'not contains']),
  values: Type.Array(
    Type.Object({ label: Type.Optional(Type.String({ maxLength: 1000 })), value: Type.String({ maxLength: 1000 }) }),
    { minItems: 1, maxItems: 100 },
  ),
});

/** The rest of a query, but for its dimensions and metrics. */
const queryFields = {
  ...rangeFields,
  filter: Type.Optional(
    Type.Object({ AND: Type.Optional(Type.Array(Condition, { maxItems: 30 })) }, { additionalProperties: false }),
  ),
  include_subaccounts: Type.Boolean({ default: false }),
  include_aggregates: Type.Boolean({ default: false }),
  pagination: Type.Optional(
    Type.Object({
      sort: Type.Optional(
        Type.String({ maxLength: 100, description: 'A dimension or a metric of the query, then `:asc` or `:desc`.' }),
      ),
      ...skipFields({ limit: 1000 }),
    }),
  ),
};

const Dimension = Type.Object({
  dimension: Type.String(),
  value: Type.String({ description: 'Empty: it is not known.' }),
  display_value: Type.String(),
});

const PageShown = { sort: Type.String(), ...skipFields(), total: Type.Integer() };

const replyOf = <Values extends ReturnType<typeof Type.Object>>(values: Values) =>
  Type.Object({
    start: Type.String(),
    end: Type.String(),
    resolution: Type.String(),
    duration: Type.Optional(Type.String()),
    dimensions: Type.Array(Type.String()),
    pagination: Type.Object(PageShown),
    items: Type.Array(Type.Object({ dimensions: Type.Array(Dimension), metrics: values })),
    aggregates: Type.Optional(Type.Object({ metrics: values })),
  });

const MetricValues = Type.Object(
  {
    ...Object.fromEntries(COUNT_NAMES.map((name) => [name, Type.Optional(Type.Integer())])),
    ...Object.fromEntries(
      Object.entries(RATES).map(([name, [part, whole]]) => [
        name,
        Type.Optional(Type.String({ description: `${part} / ${whole}, four places; missing where that is 0.` })),
      ]),
    ),
  },
  { title: 'MetricValues' },
);

export const queryMetrics = contract({
  tag: 'Metrics',
  errorShape: 'message',
  rights: 'metrics',
  isQuery: true,
  method: 'POST',
  operationId: 'listMetrics',
  path: '/v1/analytics/metrics',
  summary: 'Query metrics',
  description:
    'How many events there were, and rates of them, in groups by up to three dimensions. The time is widened to whole ' +
    'hours, days or months (UTC); hours are kept for 60 days, days for 400, and `start` of the answer says from when ' +
    'the figures are. Events are in the figures within seconds. What readers did counts for the provider, the address ' +
    'and the pool of the delivery, if that was at most ten days before. A message with several tags counts for each of ' +
    'them. A first opening or click of a recipient is unique, unless a program did it, such as a scanner. `tag` and ' +
    '`recipient_domain` cannot be asked for at once, `recipient_domain` not by the hour. An answer is made of at most ' +
    `${ITEMS_MAX} groups; beyond that the query is refused.`,
  isBodyOptional: true,
  sample: { duration: '7d', dimensions: ['domain'], metrics: ['accepted_count', 'delivered_rate'] },
  body: Type.Object({
    ...queryFields,
    dimensions: Type.Array(Type.Enum([...DIMENSIONS]), { maxItems: DIMENSIONS_MAX, uniqueItems: true, default: [] }),
    metrics: Type.Optional(
      Type.Array(Type.Enum([...METRIC_NAMES]), { maxItems: 100, description: 'Default: all counts and rates.' }),
    ),
  }),
  reply: replyOf(MetricValues),
  errors: ['invalid_request'],
});

const UsageValues = Type.Object(
  Object.fromEntries(USAGE_NAMES.map((name) => [name, Type.Optional(Type.Union([Type.Integer(), Type.Null()]))])),
  { title: 'UsageMetricValues', description: 'Null: it is not counted.' },
);

export const queryUsage = contract({
  tag: 'Metrics',
  errorShape: 'message',
  rights: 'metrics',
  isQuery: true,
  method: 'POST',
  operationId: 'listUsageMetrics',
  path: '/v1/analytics/usage/metrics',
  summary: 'Query what was used',
  description:
    'How much an account used of what is counted, by time and by subaccount. Preview tests, seed tests and validations ' +
    'are counted for limits: by the hour, the day and the month in which they were used, for 60 days. A figure that is not counted ' +
    'is null, not 0.',
  isBodyOptional: true,
  sample: { duration: '7d', dimensions: ['time'], metrics: ['email_preview_count'] },
  body: Type.Object({
    ...queryFields,
    dimensions: Type.Array(Type.Enum(['time', 'subaccount']), { maxItems: 2, uniqueItems: true, default: [] }),
    metrics: Type.Optional(Type.Array(Type.Enum([...USAGE_NAMES]), { maxItems: 100, description: 'Default: all.' })),
  }),
  reply: replyOf(UsageValues),
  errors: ['invalid_request'],
});
