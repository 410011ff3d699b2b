import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const LIMIT_MAX = 1_000_000_000_000;
const own = { tag: 'Custom message limit', errorShape: 'message', rights: 'messageLimit' } as const;
const ofSubaccount = {
  tag: 'Subaccounts',
  errorShape: 'message',
  rights: 'subaccounts',
  path: '/v5/accounts/subaccounts/{subaccount_id}/limit/custom/monthly',
  params: Type.Object({ subaccount_id: Type.String() }),
} as const;
const MONTHLY = '/v5/accounts/limit/custom/monthly';

const MessageLimit = Type.Object(
  {
    limit: Type.Number({ description: 'Messages in a calendar month (UTC).' }),
    current: Type.Number({
      description: 'Messages that were accepted this month, one for each recipient; those of subaccounts count, too.',
    }),
    period: Type.String({ description: '`1m`: a month.' }),
  },
  { title: 'MessageLimit' },
);
const query = Type.Object({
  limit: Type.Integer({ maximum: LIMIT_MAX, description: 'At least 1000.' }),
});
const Success = Type.Object({ success: Type.Boolean() });
const ABOUT =
  'What would go over it is refused with 429 (over SMTP, 451), whole calls at a time, until the month ends, the limit is ' +
  'raised or deleted, or the account is enabled again. What was accepted before is delivered. Its owner is told at 50, ' +
  '75 and 100 percent by the alert `limit_reached`.';

export const getMessageLimit = contract({
  ...own,
  method: 'GET',
  operationId: 'getMessageLimit',
  path: MONTHLY,
  summary: 'Get the monthly limit of messages',
  description: "The account's own, or else the one that its parent account set on it.",
  reply: MessageLimit,
  errors: ['not_found'],
});

export const putMessageLimit = contract({
  ...own,
  method: 'PUT',
  operationId: 'updateMessageLimit',
  path: MONTHLY,
  summary: 'Set the monthly limit of messages',
  description: ABOUT,
  sample: { limit: 10_000 },
  query,
  reply: Success,
  errors: ['invalid_request'],
});

export const deleteMessageLimit = contract({
  ...own,
  method: 'DELETE',
  operationId: 'deleteMessageLimit',
  path: MONTHLY,
  summary: 'Delete the monthly limit of messages',
  description: 'A limit that the parent account set on it stays.',
  reply: Success,
  errors: ['invalid_request'],
});

export const enableAccount = contract({
  ...own,
  method: 'PUT',
  operationId: 'enableAccount',
  path: '/v5/accounts/limit/custom/enable',
  summary: 'Enable an account that its monthly limit has stopped',
  description:
    'It sends on without that limit until the month ends. A subaccount lifts its own limit; its parent, acting for it, ' +
    'also the one that the parent set.',
  reply: Success,
  errors: ['invalid_request'],
});

export const getSubaccountLimit = contract({
  ...ofSubaccount,
  method: 'GET',
  operationId: 'getSubaccountMessageLimit',
  summary: 'Get the monthly limit of messages of a subaccount',
  description: 'The one that the parent account set.',
  reply: MessageLimit,
  errors: ['invalid_request', 'not_found'],
});

export const putSubaccountLimit = contract({
  ...ofSubaccount,
  method: 'PUT',
  operationId: 'updateSubaccountMessageLimit',
  summary: 'Set the monthly limit of messages of a subaccount',
  description: `The subaccount cannot change it. ${ABOUT}`,
  sample: { limit: 10_000 },
  query,
  reply: Success,
  errors: ['invalid_request'],
});

export const deleteSubaccountLimit = contract({
  ...ofSubaccount,
  method: 'DELETE',
  operationId: 'deleteSubaccountMessageLimit',
  summary: 'Delete the monthly limit of messages of a subaccount',
  description: 'A limit that the subaccount set for itself stays.',
  reply: Success,
  errors: ['invalid_request'],
});
