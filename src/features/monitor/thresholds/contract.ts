// Limits on what accounts use: the first generation of their endpoints, and what is used up.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';
import { LIMIT_DIMENSIONS, USE_METRICS } from '../../account/limits/index.ts';

export const common = { tag: 'Thresholds', errorShape: 'message' } as const;
const LIMITS = '/v1/thresholds/limits';

/** The bounds of names and texts that are given. */
export const Name = Type.String({ minLength: 1, maxLength: 200 });
export const Description = Type.String({ maxLength: 1000 });
export const Dimension = Type.Enum([...LIMIT_DIMENSIONS]);
export const Channels = Type.Array(Type.Enum(['email', 'slack', 'webhook']), { maxItems: 3 });
export const LimitMetric = Type.Enum([...USE_METRICS]);
export const Named = Type.Object({ name: Type.String() });
export const Message = Type.Object({ message: Type.String() });

const Comparator = Type.Enum(['=', '>', '>=']);
const Filter = Type.Object({
  dimension: Type.Enum(['subaccount']),
  comparator: Type.Enum(['=', '!=']),
  values: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
});

/** What every threshold shows beside its own. */
export const owner = {
  id: Type.String(),
  parent_account_id: Type.String({ description: 'Empty where `subaccount_id` is.' }),
  subaccount_id: Type.String({ description: 'The one subaccount that it is of or for; otherwise empty.' }),
  account_group: Type.String(),
  name: Type.String(),
  created_at: Type.String({ description: 'RFC 3339, as all times here.' }),
  updated_at: Type.String(),
};

export const LimitRecord = Type.Object(
  {
    ...owner,
    last_checked: Type.String({ description: 'Empty: a limit is checked at each use.' }),
    description: Type.String(),
    alert_channels: Type.Optional(Channels),
    filters: Type.Array(Filter),
    metric: LimitMetric,
    comparator: Comparator,
    limit: Type.String({ description: 'A whole number, as text.' }),
    dimension: Dimension,
    period: Type.String({ description: '`1h`, `1d`, or empty for a month.' }),
  },
  { title: 'LimitThreshold' },
);

const LimitBody = Type.Object({
  name: Name,
  metric: LimitMetric,
  comparator: Comparator,
  limit: Type.String({ maxLength: 20 }),
  dimension: Dimension,
  filters: Type.Optional(Type.Array(Filter, { maxItems: 10 })),
  period: Type.Optional(Type.String({ maxLength: 20 })),
  description: Type.Optional(Description),
  alert_channels: Type.Optional(Channels),
});
const sample = {
  name: 'previews a day',
  metric: 'email_preview_success_count',
  comparator: '>=',
  limit: '100',
  dimension: 'subaccount',
  period: '1d',
};

export const listLimits = contract({
  ...common,
  method: 'GET',
  operationId: 'listLimitThresholds',
  path: LIMITS,
  summary: 'List limits',
  description: 'By name.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(LimitRecord), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createLimit = contract({
  ...common,
  method: 'POST',
  operationId: 'createLimitThreshold',
  path: LIMITS,
  summary: 'Add a limit',
  description:
    'So many uses are let through in a window, with each of the comparators. The next one is answered with 403, the ' +
    'name of the limit, its value and when it resets. Windows are hours (`1h`), days (`1d`) or, without `period`, ' +
    'months of UTC; what was used before the limit was made counts. With the dimension `subaccount` the limit holds ' +
    'for the account and for each of its subaccounts by itself, or for those that `filters` leave; with another ' +
    'dimension, for all uses of the account itself. The alert `limit_reached` is sent to settings of `alert_channels`.',
  body: LimitBody,
  sample,
  reply: LimitRecord,
  errors: ['invalid_request', 'conflict'],
});

export const getLimit = contract({
  ...common,
  method: 'GET',
  operationId: 'getLimitThreshold',
  path: `${LIMITS}/{name}`,
  summary: 'Get a limit',
  description: 'Finds only limits of the account itself, by name.',
  params: Named,
  reply: LimitRecord,
  errors: ['not_found'],
});

export const updateLimit = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateLimitThreshold',
  path: `${LIMITS}/{name}`,
  summary: 'Replace a limit',
  description: 'What was used in the window under way stays used.',
  params: Named,
  body: LimitBody,
  sample,
  reply: Message,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteLimit = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteLimitThreshold',
  path: `${LIMITS}/{name}`,
  summary: 'Delete a limit',
  description: 'What it stopped is let through again. What was used stays counted.',
  params: Named,
  reply: Message,
  errors: ['not_found'],
});

const Use = Type.Object(
  {
    name: Type.String({ description: 'Of the limit.' }),
    metric: LimitMetric,
    limit: Type.String(),
    used: Type.Integer(),
    resets_at: Type.String(),
    account_id: Type.String(),
    account_name: Type.String(),
  },
  { title: 'LimitUse' },
);

export const listUses = contract({
  ...common,
  method: 'GET',
  operationId: 'listLimitUses',
  path: '/v1/galley/thresholds/uses',
  summary: 'List how far limits are used up',
  description: 'In the window under way, by the account and by each subaccount that used something; the fullest first.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(Use), total: Type.Integer() }),
  errors: ['invalid_request'],
});
