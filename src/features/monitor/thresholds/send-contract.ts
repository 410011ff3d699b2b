// Alerts on how sending goes, and where they were crossed.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';
import { Channels, common, Description, Dimension, Message, Name, Named, owner } from './contract.ts';

export const SEND_METRICS = ['hard_bounce_rate', 'temporary_fail_rate', 'delivered_rate', 'complained_rate'] as const;
export const COMPARATORS = ['=', '!=', '<', '<=', '>', '>='] as const;

const ALERTS = '/v1/thresholds/alerts/send';
const Metric = Type.Enum([...SEND_METRICS]);
const Comparator = Type.Enum([...COMPARATORS]);
const Filter = Type.Object({
  dimension: Dimension,
  comparator: Type.Enum([...COMPARATORS, 'contains', 'not contains']),
  values: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
});

const SendAlertRecord = Type.Object(
  {
    ...owner,
    last_checked: Type.String({ description: 'Empty before the first look.' }),
    values_crossed: Type.Integer({
      description:
        'For so many values of `dimension` the comparison held at the last look. Hits are open for 500 of them.',
    }),
    description: Type.String(),
    alert_channels: Channels,
    filters: Type.Array(Filter),
    metric: Metric,
    comparator: Comparator,
    limit: Type.String({ description: 'A share from 0 to 1, as text.' }),
    dimension: Dimension,
    period: Type.String(),
  },
  { title: 'SendAlert' },
);
const SendAlertBody = Type.Object({
  name: Name,
  metric: Metric,
  comparator: Comparator,
  limit: Type.String({ maxLength: 20, description: 'A share from 0 to 1, as text.' }),
  dimension: Dimension,
  filters: Type.Optional(Type.Array(Filter, { maxItems: 10 })),
  period: Type.Optional(Type.String({ maxLength: 20, description: 'Such as `30m`, `1h` (the default), `7d`.' })),
  description: Type.Optional(Description),
  alert_channels: Type.Optional(Channels),
});
const sample = {
  name: 'bounces',
  metric: 'hard_bounce_rate',
  comparator: '>',
  limit: '0.02',
  dimension: 'domain',
  period: '1h',
};

export const listSendAlerts = contract({
  ...common,
  method: 'GET',
  operationId: 'listSendAlerts',
  path: ALERTS,
  summary: 'List alerts on sending',
  description: 'By name.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(SendAlertRecord), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createSendAlert = contract({
  ...common,
  method: 'POST',
  operationId: 'createSendAlert',
  path: ALERTS,
  summary: 'Add an alert on sending',
  description:
    'Looked at each minute (where counting takes over three seconds, less often), over the last `period`, at most ' +
    '31 days, for each value of `dimension`: of the account, and with the dimension or a filter `subaccount` of its ' +
    'subaccounts, too. Hard bounces and deliveries are shares of what was sent to an end, temporary failures of all ' +
    'tries, complaints of deliveries. While the comparison holds there is a hit, and the alert `threshold_hit` is ' +
    'open; `alert_channels` keeps it to settings of these channels. Where it holds for more than 500 values, those with ' +
    'the most mail get hits, and who has one keeps it; `values_crossed` counts all.',
  body: SendAlertBody,
  sample,
  reply: SendAlertRecord,
  errors: ['invalid_request', 'conflict'],
});

export const getSendAlert = contract({
  ...common,
  method: 'GET',
  operationId: 'getSendAlert',
  path: `${ALERTS}/{name}`,
  summary: 'Get an alert on sending',
  description: 'Finds only those of the account itself, by name.',
  params: Named,
  reply: SendAlertRecord,
  errors: ['not_found'],
});

export const updateSendAlert = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSendAlert',
  path: `${ALERTS}/{name}`,
  summary: 'Replace an alert on sending',
  description: 'Its hits are deleted; the next look finds what holds now.',
  params: Named,
  body: SendAlertBody,
  sample,
  reply: Message,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteSendAlert = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSendAlert',
  path: `${ALERTS}/{name}`,
  summary: 'Delete an alert on sending',
  description: 'Its hits are deleted, and their alerts are over.',
  params: Named,
  reply: Message,
  errors: ['not_found'],
});

const Hit = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Of the alert on sending.' }),
    created_at: Type.String(),
    updated_at: Type.String(),
    triggered: Type.Boolean({ description: 'The comparison held at the last look.' }),
    expires_at: Type.String({ description: 'The hit is gone then, unless the comparison holds again.' }),
    latest_value: Type.String({ description: 'A share from 0 to 1.' }),
    metric: Metric,
    comparator: Comparator,
    limit: Type.String(),
    parent_account_id: Type.String(),
    subaccount_id: Type.String(),
    dimension: Dimension,
    dimension_value: Type.String({ description: 'Empty where events do not say it.' }),
  },
  { title: 'ThresholdHit' },
);

export const listHits = contract({
  ...common,
  method: 'GET',
  operationId: 'listThresholdHits',
  path: '/v1/thresholds/hits',
  summary: 'List where alerts on sending were crossed',
  description: 'The newest first; of each alert at most 500 that are open.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(Hit), total: Type.Integer() }),
  errors: ['invalid_request'],
});
