// Limits by their metric: the newer endpoints. They write the limits that the older ones show.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';
import { Channels, common, LimitMetric, LimitRecord, Message } from './contract.ts';

const LIMITS = '/v2/thresholds/limits';
const PRIMARY = '/v2/thresholds/limits-primary';

const Of = Type.Object({ metric: LimitMetric });
const Whose = Type.Object({
  subaccount_id: Type.Optional(Type.String({ description: 'Default: the account itself.' })),
});
const Body = Type.Object(
  {
    metric: LimitMetric,
    limit: Type.String({ maxLength: 20, description: 'A whole number, as text: uses in a month of UTC.' }),
    subaccount_id: Type.Optional(Type.String({ description: 'Default: the account itself.' })),
  },
  { title: 'MetricLimitRequest' },
);
const sample = { metric: 'seed_test_count', limit: '2500' };

export const listMetricLimits = contract({
  ...common,
  method: 'GET',
  operationId: 'listMetricLimits',
  path: LIMITS,
  summary: 'List limits, newer endpoint',
  description: 'All limits of the account, those of `/v1/thresholds/limits`, too.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(LimitRecord), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createMetricLimit = contract({
  ...common,
  method: 'POST',
  operationId: 'createMetricLimit',
  path: LIMITS,
  summary: 'Add the limit of a month for a metric',
  description: 'One for each metric and account. `/v1/thresholds/limits` shows it, too, under the name answered.',
  body: Body,
  sample,
  reply: LimitRecord,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const getMetricLimit = contract({
  ...common,
  method: 'GET',
  operationId: 'getMetricLimit',
  path: `${LIMITS}/{metric}`,
  summary: 'Get the limit of a metric',
  description: 'The one that was made for this metric and account here.',
  params: Of,
  query: Whose,
  reply: LimitRecord,
  errors: ['invalid_request', 'not_found'],
});

export const updateMetricLimit = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateMetricLimit',
  path: `${LIMITS}/{metric}`,
  summary: 'Replace the limit of a metric',
  description: 'What was used in the month under way stays used.',
  params: Of,
  body: Type.Object({ ...Body.properties, metric: Type.Optional(LimitMetric) }, { title: 'MetricLimitUpdate' }),
  sample: { limit: '3000' },
  reply: LimitRecord,
  errors: ['invalid_request', 'not_found'],
});

export const deleteMetricLimit = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteMetricLimit',
  path: `${LIMITS}/{metric}`,
  summary: 'Delete the limit of a metric',
  description: 'What it stopped is let through again.',
  params: Of,
  query: Whose,
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});

const warning = (share: number) => Type.Integer({ minimum: 1, maximum: 99, default: share });
const Settings = Type.Object(
  {
    alert_channels: Channels,
    warning_perc_one: Type.Integer(),
    warning_perc_two: Type.Integer(),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'LimitSettings' },
);

export const getLimitSettings = contract({
  ...common,
  method: 'GET',
  operationId: 'getLimitSettings',
  path: PRIMARY,
  summary: 'Get what is told of all limits',
  description: 'The channels and the warnings. 404 where nothing was set.',
  reply: Settings,
  errors: ['not_found'],
});

const settingsBody = Type.Object(
  { alert_channels: Channels, warning_perc_one: warning(50), warning_perc_two: warning(75) },
  { title: 'LimitSettingsRequest' },
);
const saving = {
  ...common,
  path: PRIMARY,
  summary: 'Set what is told of all limits',
  description:
    'The alert `limit_reached` goes to settings of these channels, unless a limit names its own: when a limit is ' +
    'used up, and when it is used up to each of two shares in percent. Without this, only of what is used up.',
  body: settingsBody,
  sample: { alert_channels: ['email'] },
  reply: Settings,
  errors: ['invalid_request'],
} as const;

export const createLimitSettings = contract({ ...saving, method: 'POST', operationId: 'createLimitSettings' });
export const updateLimitSettings = contract({ ...saving, method: 'PUT', operationId: 'updateLimitSettings' });
