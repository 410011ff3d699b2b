import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';

export const SCOPES = ['account', 'domain', 'provider', 'ip'] as const;
export const PERIODS = ['hour', 'day'] as const;
export const LIMITS_PATH = '/v1/galley/sending_limits';
export const LIMITS_MAX = 100;

const common = { tag: 'Sending limits', errorShape: 'message', rights: 'domains' } as const;

const fields = {
  scope: Type.Enum([...SCOPES], {
    description:
      'What is counted: all messages of the account, those of a sending domain, those for a provider of mailboxes, or ' +
      'those of the account that leave from an IP address.',
  }),
  name: Type.String({
    maxLength: 253,
    description: 'Of the domain, the provider, such as `google`, or the IP address; empty for the account.',
  }),
  period: Type.Enum([...PERIODS], { description: 'Of the clock in UTC.' }),
  max: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Attempts to deliver, one for each recipient.',
  }),
};

const Limit = Type.Object(
  {
    id: Type.String(),
    ...fields,
    used: Type.Integer({ description: 'In the window of this moment.' }),
    resets_at: Type.String({ format: 'date-time', description: 'When that window ends.' }),
  },
  { title: 'SendingLimit' },
);

export const listLimits = contract({
  ...common,
  method: 'GET',
  operationId: 'listSendingLimits',
  path: LIMITS_PATH,
  summary: 'List the limits of what leaves',
  description: 'Pages by `limit` and `skip`.',
  query: Type.Object(skipFields({ limit: 50 })),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(Limit),
    providers: Type.Array(Type.String(), { description: 'Providers of mailboxes that a limit can be for.' }),
  }),
  errors: ['invalid_request'],
});

export const putLimit = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSendingLimit',
  path: LIMITS_PATH,
  summary: 'Set how many messages may leave in an hour or a day',
  description:
    'One limit for each scope, name and period; another one replaces it. Exact, however many processes send: what is ' +
    'over it waits for the next hour or day, says so, and is given up later by as long as it waited. A message counts ' +
    'when it is taken to be delivered, each attempt anew; one that was not tried after all is counted out again. ' +
    'Tests do not count, and only what is delivered live leaves from an address or goes to a provider. Where an address ' +
    'is used up, messages leave from the next one that their domain or pool has. A limit counts what is taken from ' +
    'then on. At most 100 limits of an account.',
  body: Type.Object({ ...fields, name: Type.Optional(fields.name) }),
  sample: { scope: 'domain', name: 'news.example.com', period: 'hour', max: 1000 },
  reply: Limit,
  errors: ['invalid_request', 'not_found'],
});

export const deleteLimit = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSendingLimit',
  path: `${LIMITS_PATH}/{limit_id}`,
  summary: 'Delete a limit of what leaves',
  description: 'What waits for it is looked at again.',
  params: Type.Object({ limit_id: Type.String({ maxLength: 30 }) }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
