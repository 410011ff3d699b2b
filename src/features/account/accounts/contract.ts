import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const Feature = Type.Object({ enabled: Type.Boolean() });
const Features = Type.Object(
  {
    email_preview: Feature,
    inbox_placement: Feature,
    sending: Feature,
    validations: Feature,
    validations_bulk: Feature,
  },
  { title: 'AccountFeatures' },
);

const Subaccount = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ description: 'RFC 2822 date.' }),
    updated_at: Type.String({ description: 'RFC 2822 date.' }),
    status: Type.Enum(['open', 'disabled', 'closed']),
    features: Features,
    disabled_reason: Type.Optional(Type.String({ description: 'Why it was disabled, where that was said.' })),
    disabled_note: Type.Optional(Type.String()),
  },
  { title: 'Subaccount' },
);

const Named = Type.Object({ subaccount_id: Type.String() });
const Why = {
  reason: Type.Optional(Type.String({ maxLength: 200 })),
  note: Type.Optional(Type.String({ maxLength: 2000 })),
};
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
  description:
    'Its shared links and pictures do not answer either, and its messages wait, until the subaccount is enabled. ' +
    '`reason` and `note`, in the query or in the body, are shown with it until then.',
  params: Named,
  query: Type.Object(Why),
  body: Type.Object(Why),
  isBodyOptional: true,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['not_found', 'invalid_request'],
});

export const enableSubaccount = contract({
  ...common,
  method: 'POST',
  operationId: 'enableSubaccount',
  path: '/v5/accounts/subaccounts/{subaccount_id}/enable',
  summary: 'Enable a subaccount again',
  description: 'Its keys, shared links and pictures work again, and its messages go on. Not for one that is closed.',
  params: Named,
  reply: Type.Object({ subaccount: Subaccount }),
  errors: ['not_found', 'invalid_request'],
});

export const closeSubaccount = contract({
  ...common,
  method: 'DELETE',
  operationId: 'closeSubaccount',
  path: '/v5/accounts/subaccounts',
  summary: 'Close a subaccount for good',
  description:
    'The header `X-Mailgun-On-Behalf-Of` (or `X-Service-Account-Id`) names it; it may be disabled. From the answer on ' +
    'its keys, sessions, SMTP logins, shared links and pictures are refused, and its messages that wait are not sent. ' +
    'Its keys, users, domains, credentials, webhooks, suppressions, monitors and events are then deleted and cannot be ' +
    'brought back; what has files (previews, inspections, placement tests, stored messages) is reached by nobody and ' +
    'goes when its retention ends. It stays in the list of subaccounts, as `closed`.',
  namesAccount: true,
  reply: Type.Object({ message: Type.String() }),
  errors: ['invalid_request'],
});

const Switch = (product: string) =>
  Type.Optional(
    readByItself(
      Type.Object({ enabled: Type.Boolean() }, { description: `${product}; in a form, the JSON of this object.` }),
    ),
  );

export const putFeatures = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSubaccountFeatures',
  path: '/v5/accounts/subaccounts/{subaccount_id}/features',
  summary: 'Switch features of a subaccount on and off',
  description:
    'Features that are not named stay as they are. What is switched off is refused with 403: over the API, by SMTP ' +
    'submission and by mail that would start a test. Messages that were accepted before are delivered.',
  params: Named,
  sample: { email_preview: { enabled: false } },
  body: Type.Object({
    email_preview: Switch('Email previews'),
    inbox_placement: Switch('Placement tests'),
    sending: Switch('Sending, over the API and by SMTP'),
    validations: Switch('Address validation'),
    validations_bulk: Switch('Lists of addresses to validate'),
  }),
  reply: Type.Object({ features: Features }),
  errors: ['not_found', 'invalid_request'],
});

const account = { tag: 'Account management', errorShape: 'message', rights: 'account' } as const;
const SETTINGS = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  inactive_session_timeout: Type.Optional(
    Type.Integer({
      description:
        'Seconds after the last request at which a session of the dashboard ends, to within a minute: 300 to 2592000; ' +
        '0, the default: only the other time-out ends it.',
    }),
  ),
  absolute_session_timeout: Type.Optional(
    Type.Integer({
      description: 'Seconds after signing in at which a session ends: 300 to 2592000; 0: the default, 12 hours.',
    }),
  ),
  logout_redirect_url: Type.Optional(
    Type.String({ description: 'Where the dashboard leads after signing out; empty: to its own page.' }),
  ),
};

export const putAccount = contract({
  ...account,
  method: 'PUT',
  operationId: 'updateAccount',
  path: '/v5/accounts',
  summary: 'Change the account: its name, how long sessions last',
  description:
    'In the query or in the body; what is not given stays. The time-outs hold for sessions that are under way, too: ' +
    'a shorter one ends them earlier, a longer one holds for the next.',
  query: Type.Object(SETTINGS),
  body: Type.Object(SETTINGS),
  isBodyOptional: true,
  sample: { name: 'Garden Letters' },
  reply: Type.Object({ message: Type.String() }),
  errors: ['invalid_request'],
});

export const getAccount = contract({
  ...account,
  method: 'GET',
  operationId: 'getAccount',
  path: '/v1/galley/account',
  summary: 'Get the account: its name, how long sessions last',
  description: 'The account that the call acts for.',
  reply: Type.Object({
    id: Type.String(),
    name: Type.String(),
    region: Type.Enum(['us', 'eu']),
    parent_id: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ description: 'RFC 2822 date.' }),
    features: Features,
    inactive_session_timeout: Type.Integer({ description: '0: none.' }),
    absolute_session_timeout: Type.Integer(),
    logout_redirect_url: Type.String({ description: 'Empty: none.' }),
  }),
});

export const resendActivation = contract({
  ...account,
  method: 'POST',
  operationId: 'resendActivationEmail',
  path: '/v5/accounts/resend_activation_email',
  summary: 'Ask for the mail that activates the account once more',
  description:
    'Accounts of a self-hosted service are active from the start: there is no such mail, nothing is sent, and the ' +
    'answer is `{"success": false}`.',
  body: Type.Object({}),
  isBodyOptional: true,
  reply: Type.Object({ success: Type.Boolean() }),
});
