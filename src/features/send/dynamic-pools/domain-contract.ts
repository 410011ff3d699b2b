// What is known of domains in dynamic pools: rates, bands, history, overrides.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { CapitalPaging, skipFields } from '../../../platform/paging/index.ts';
import { common, Message, Named } from './contract.ts';

const text = Type.String();
const base = '/v1/dynamic_pools';
const Rate = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description: 'A share from 0 to 1; null: there was nothing to take a share of.',
});
const rates = {
  bounce_rate: Rate,
  complaint_rate: Rate,
  processed_count: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Messages of seven days that left and came to an end.',
  }),
};
const filter = (description: string) => Type.Optional(Type.String({ maxLength: 253, description }));

export const listDomains = contract({
  ...common,
  method: 'GET',
  operationId: 'listDynamicPoolDomains',
  path: `${base}/domains`,
  summary: 'List the domains in dynamic pools',
  description:
    'Of the account and of its subaccounts, with the rates that the last check found; each is checked once an hour. ' +
    'What has no rate comes last.',
  query: Type.Object({
    ...skipFields({ limit: 10 }),
    account: filter('Only domains of this account.'),
    pool: filter('Only domains in `dynamic_good`, `dynamic_poor` or `dynamic_new`.'),
    sort_by: Type.Enum(['bounce_rate', 'complaint_rate', 'name'], { default: 'name' }),
    sort_order: Type.Enum(['ascending', 'descending'], { default: 'ascending' }),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          id: text,
          account_id: text,
          account_name: text,
          name: text,
          registered_at: Type.String({ description: 'When it was enrolled.' }),
          pool: text,
          override: Type.Boolean(),
          ...rates,
          reason: Type.String({ description: 'Why it is in the pool, by the last check.' }),
          pool_since: text,
          checked_at: text,
        },
        { title: 'DynamicPoolDomain' },
      ),
    ),
    total_items: Type.Integer(),
    paging: CapitalPaging,
  }),
  errors: ['invalid_request'],
});

export const previewDomain = contract({
  ...common,
  method: 'GET',
  operationId: 'getDynamicPoolPreview',
  path: `${base}/domains/{name}/preview`,
  summary: 'Check which dynamic pool a domain would be in',
  description: 'By its last seven days, enrolled or not. Nothing changes. An enrolled domain may stay where it is.',
  params: Named,
  reply: Type.Object({
    message: text,
    pool: text,
    ...rates,
    reason: text,
    current_pool: Type.Union([Type.String(), Type.Null()], { description: 'Null: it is in no dynamic pool.' }),
    override: Type.Boolean(),
  }),
  errors: ['not_found'],
});

const record = {
  id: text,
  owning_account_id: Type.String({ description: 'Whose pools they are.' }),
  account_id: text,
  account_name: text,
  domain_id: text,
  domain_name: text,
  new_band: Type.String({ description: 'Empty: it was taken out of the dynamic pools.' }),
  prev_band: Type.String({ description: 'Empty: it was in no dynamic pool.' }),
  reason: text,
  ...rates,
  initiated_by: Type.String({
    description:
      '`X-Service-Requestor`, with `X-Service-Requestor-Client` in brackets; without them the key or user that asked. ' +
      '`health check`: nobody did.',
  }),
  timestamp: text,
};
const Move = Type.Object(record, { title: 'DynPoolHistory' });
const listed = { items: Type.Array(Move), total_items: Type.Integer(), paging: CapitalPaging };

export const domainHistory = contract({
  ...common,
  method: 'GET',
  operationId: 'getDynamicPoolHistoryOfDomain',
  path: `${base}/domains/{name}/history`,
  summary: 'List how a domain came into its dynamic pool',
  description:
    'The newest move, and in `items` a page of all, the newest first: clients read the one or the other. Kept for ' +
    '400 days, and for a deleted domain, too.',
  params: Named,
  query: Type.Object(skipFields()),
  reply: Type.Object({ ...record, ...listed }),
  errors: ['not_found'],
});

export const accountHistory = contract({
  ...common,
  method: 'GET',
  operationId: 'listDynamicPoolHistory',
  path: `${base}/history`,
  summary: 'List how domains came into their dynamic pools',
  description: 'The newest first. Kept for 400 days.',
  query: Type.Object({
    Limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '`limit` with a capital letter.' })),
    ...skipFields({ limit: 10 }),
    include_subaccounts: Type.Boolean({ default: false }),
    domain: filter('Only of this domain.'),
    before: filter('RFC 2822 or ISO 8601, not included.'),
    after: filter('RFC 2822 or ISO 8601, not included.'),
    moved_to: filter('Such as `dynamic_good`.'),
    moved_from: filter('Such as `dynamic_new`.'),
  }),
  reply: Type.Object(listed),
  errors: ['invalid_request'],
});

export const overrideDomain = contract({
  ...common,
  errorShape: 'field',
  method: 'PUT',
  operationId: 'updateDynamicPoolOverride',
  path: `${base}/domains/{name}/override`,
  summary: 'Put a domain into a dynamic pool by hand',
  description: 'It stays there, whatever checks find, until the override is removed.',
  params: Named,
  sample: { pool: 'dynamic_good' },
  body: Type.Object({ pool: Type.Optional(Type.String({ description: 'Such as `dynamic_good`.' })) }),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});

export const removeOverride = contract({
  ...common,
  errorShape: 'field',
  method: 'DELETE',
  operationId: 'deleteDynamicPoolOverride',
  path: `${base}/domains/{name}/override`,
  summary: 'Let checks decide on the dynamic pool of a domain again',
  description: 'The domain is checked at once.',
  params: Named,
  reply: Message,
  errors: ['not_found'],
});
