// The webhooks of a domain, in both versions of the wire, and those of the account.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

/** The kinds of events that webhooks name. */
export const WEBHOOK_KINDS = [
  'accepted',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
  'temporary_fail',
  'permanent_fail',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** Of operations on webhooks of domains. */
export const common = { tag: 'Webhooks', errorShape: 'reason', rights: 'webhooks' } as const;
/** For the documents. */
export const KINDS = WEBHOOK_KINDS.map((kind) => `\`${kind}\``).join(', ');
export const SAMPLE_URL = 'https://shop.example.com/events';

const Domain = Type.Object({ domain: Type.String({ description: 'A sending domain of the account.' }) });
export const One = Type.Object({
  domain_name: Type.String({ description: 'A sending domain of the account.' }),
  webhook_name: Type.String({ description: `One of ${KINDS}.` }),
});
const several = (description: string) => Type.Union([Type.Array(Type.String()), Type.String()], { description });
const Urls = several('At most three: a field that is repeated. http or https.');
const EventTypes = several(`Repeated, or joined by commas: ${KINDS}.`);
export const OneUrl = Type.String({ description: 'http or https, at most 2,000 bytes.' });

const Webhook = Type.Object({ urls: Type.Array(Type.String()) }, { title: 'Webhook' });
const Webhooks = Type.Object(
  {
    webhooks: Type.Object(
      Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, Type.Union([Webhook, Type.Null()])])) as Record<
        (typeof WEBHOOK_KINDS)[number],
        Type.TUnion<[typeof Webhook, Type.TNull]>
      >,
    ),
  },
  { title: 'DomainWebhooks' },
);
const Changed = Type.Object({ message: Type.String(), webhook: Webhook }, { title: 'ChangedWebhook' });

export const listDomainWebhooks = contract({
  ...common,
  method: 'GET',
  operationId: 'listDomainWebhooks',
  path: '/v3/domains/{domain}/webhooks',
  summary: 'List the webhooks of a domain',
  description: 'The URLs of each kind of event, null for a kind without any.',
  params: Domain,
  reply: Webhooks,
  errors: ['not_found'],
});

export const createDomainWebhook = contract({
  ...common,
  method: 'POST',
  operationId: 'createDomainWebhook',
  path: '/v3/domains/{domain}/webhooks',
  summary: 'Add URLs to a kind of event',
  description:
    'Events from then on are sent as a signed POST of JSON. A kind has at most three URLs. An address that is not ' +
    'public is refused, here where it is written out, and at each attempt where DNS says so.',
  params: Domain,
  sample: { id: 'delivered', url: SAMPLE_URL },
  body: Type.Object({ id: Type.String({ description: `One of ${KINDS}.` }), url: Urls }),
  reply: Changed,
  errors: ['invalid_request', 'not_found'],
});

export const getDomainWebhook = contract({
  ...common,
  method: 'GET',
  operationId: 'getDomainWebhook',
  path: '/v3/domains/{domain_name}/webhooks/{webhook_name}',
  summary: 'Get the URLs of a kind of event',
  description: 'Answers 404 for a kind without URLs.',
  params: One,
  reply: Type.Object({ webhook: Webhook }),
  errors: ['not_found'],
});

export const updateDomainWebhook = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDomainWebhook',
  path: '/v3/domains/{domain_name}/webhooks/{webhook_name}',
  summary: 'Replace the URLs of a kind of event',
  description: 'What still waits for a URL that is in no webhook any more is not sent.',
  params: One,
  sample: { url: SAMPLE_URL },
  body: Type.Object({ url: Urls }),
  reply: Changed,
  errors: ['invalid_request', 'not_found'],
});

export const deleteDomainWebhook = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDomainWebhook',
  path: '/v3/domains/{domain_name}/webhooks/{webhook_name}',
  summary: 'Delete the webhook of a kind of event',
  description: 'Answers with the URLs that it had. What still waits for them is not sent.',
  params: One,
  reply: Changed,
  errors: ['not_found'],
});

export const addDomainUrl = contract({
  ...common,
  method: 'POST',
  operationId: 'addDomainWebhookUrl',
  path: '/v4/domains/{domain}/webhooks',
  summary: 'Add kinds of events to a URL',
  description: 'All of the kinds are added, or none.',
  params: Domain,
  sample: { url: SAMPLE_URL, event_types: ['delivered', 'permanent_fail'] },
  body: Type.Object({ url: OneUrl, event_types: EventTypes }),
  reply: Webhooks,
  errors: ['invalid_request', 'not_found'],
});

export const updateDomainUrl = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDomainWebhookUrl',
  path: '/v4/domains/{domain}/webhooks',
  summary: 'Replace the kinds of events of a URL',
  description: 'The URL has these kinds from then on, and no others.',
  params: Domain,
  sample: { url: SAMPLE_URL, event_types: ['delivered'] },
  body: Type.Object({ url: OneUrl, event_types: EventTypes }),
  reply: Webhooks,
  errors: ['invalid_request', 'not_found'],
});

export const deleteDomainUrls = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDomainWebhookUrls',
  path: '/v4/domains/{domain}/webhooks',
  summary: 'Delete URLs with all of their kinds',
  description: 'Answers with what the domain has left.',
  params: Domain,
  query: Type.Object({ url: Type.String({ description: 'One, or several joined by commas.' }) }),
  reply: Webhooks,
  errors: ['not_found'],
});

const ofAccount = { tag: 'Webhooks', errorShape: 'described', rights: 'webhooks' } as const;
const Named = Type.Object({ webhook_id: Type.String() });
const AccountWebhook = Type.Object(
  {
    webhook_id: Type.String(),
    description: Type.String(),
    url: Type.String(),
    event_types: Type.Array(Type.Enum([...WEBHOOK_KINDS])),
    created_at: Type.String({ description: 'RFC 3339.' }),
  },
  { title: 'AccountWebhook' },
);
const NewWebhook = Type.Object({
  description: Type.String({ maxLength: 500, default: '' }),
  url: OneUrl,
  event_types: EventTypes,
});
const Id = Type.Object({ webhook_id: Type.String() }, { title: 'WebhookId' });
const newSample = { url: SAMPLE_URL, event_types: ['delivered'], description: 'Shop' };

export const listWebhooks = contract({
  ...ofAccount,
  method: 'GET',
  operationId: 'listWebhooks',
  path: '/v1/webhooks',
  summary: 'List the webhooks of the account',
  description: 'They get the events of every domain of the account. Subaccounts have webhooks of their own.',
  query: Type.Object({ webhook_ids: Type.Optional(several('Only these: repeated, or joined by commas.')) }),
  reply: Type.Object({ webhooks: Type.Array(AccountWebhook) }),
});

export const createWebhook = contract({
  ...ofAccount,
  method: 'POST',
  operationId: 'createWebhook',
  path: '/v1/webhooks',
  summary: 'Add a webhook of the account',
  description:
    'A URL that a domain names for the same kind as well gets each event once. At most three URLs a kind; 409 for a ' +
    'URL that another webhook of the account has.',
  sample: newSample,
  body: NewWebhook,
  reply: Id,
  errors: ['invalid_request', 'conflict'],
});

export const deleteWebhooks = contract({
  ...ofAccount,
  method: 'DELETE',
  operationId: 'deleteWebhooks',
  path: '/v1/webhooks',
  summary: 'Delete webhooks of the account',
  description: 'All of those that are named, or none.',
  query: Type.Object({
    webhook_ids: Type.Optional(several('Repeated, or joined by commas.')),
    all: Type.Boolean({ default: false, description: 'Every one.' }),
  }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['invalid_request', 'not_found'],
});

export const getWebhook = contract({
  ...ofAccount,
  method: 'GET',
  operationId: 'getWebhook',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Get a webhook of the account',
  description: 'Finds only webhooks of the account itself, not those of a domain.',
  params: Named,
  reply: AccountWebhook,
  errors: ['not_found'],
});

export const updateWebhook = contract({
  ...ofAccount,
  method: 'PUT',
  operationId: 'updateWebhook',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Replace a webhook of the account',
  description: 'Its URL, kinds and description are these from then on.',
  params: Named,
  sample: newSample,
  body: NewWebhook,
  reply: Id,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteWebhook = contract({
  ...ofAccount,
  method: 'DELETE',
  operationId: 'deleteWebhook',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook of the account',
  description: 'What still waits for its URL is not sent, unless another webhook names it.',
  params: Named,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
