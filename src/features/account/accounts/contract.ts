import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const Subaccount = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ description: 'RFC 2822 date.' }),
    updated_at: Type.String({ description: 'RFC 2822 date.' }),
    status: Type.Enum(['open', 'disabled', 'closed']),
    features: Type.Object({}),
  },
  { title: 'Subaccount' },
);

const Named = Type.Object({ subaccount_id: Type.String() });
const common = { tag: 'Subaccounts', errorShape: 'message', rights: 'subaccounts' } as const;

export const listSubaccounts = contract({
  ...common,
  method: 'GET',
  operationId: 'listSubaccounts',
  path: '/v5/accounts/subaccounts',
  summary: 'List subaccounts',
  description: 'Lists the subaccounts of the account of the key, sorted by name. Pages by `limit` and `skip`.',
  query: Type.Object({
    sort: Type.Enum(['asc', 'desc'], { default: 'asc' }),
    filter: Type.String({ default: '', description: 'Part of the name.' }),
    enabled: Type.Optional(Type.Boolean({ description: 'Only open subaccounts, or only disabled ones.' })),
    closed: Type.Optional(Type.Boolean({ description: 'Only closed subaccounts, or only the others.' })),
    ...skipFields({ limit: 10 }),
  }),
  reply: Type.Object({ subaccounts: Type.Array(Subaccount), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createSubaccount = contract({
  ...common,
  method: 'POST',
  operationId: 'createSubaccount',
  path: '/v5/accounts/subaccounts',
  summary: 'Create a subaccount',
  description: 'Send the name in the query or in the body.',
  query: Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
  sample: { name: 'garden' },
  body: Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
  isBodyOptional: true,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['invalid_request'],
});

export const getSubaccount = contract({
  ...common,
  method: 'GET',
  operationId: 'getSubaccount',
  path: '/v5/accounts/subaccounts/{subaccount_id}',
  summary: 'Get a subaccount',
  description: 'Finds only subaccounts of the account of the key.',
  params: Named,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['not_found'],
});

export const disableSubaccount = contract({
  ...common,
  method: 'POST',
  operationId: 'disableSubaccount',
  path: '/v5/accounts/subaccounts/{subaccount_id}/disable',
  summary: 'Disable a subaccount: its keys are refused',
  description: 'Its shared links and pictures do not answer either, until the subaccount is enabled.',
  params: Named,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['not_found', 'invalid_request'],
});

export const enableSubaccount = contract({
  ...common,
  method: 'POST',
  operationId: 'enableSubaccount',
  path: '/v5/accounts/subaccounts/{subaccount_id}/enable',
  summary: 'Enable a subaccount again',
  description: 'Its keys, shared links and pictures work again.',
  params: Named,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['not_found', 'invalid_request'],
});
