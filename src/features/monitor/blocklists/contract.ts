import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';

const text = Type.String();
const time = Type.String({ description: 'RFC 3339.' });
const common = { tag: 'Blocklist monitoring', errorShape: 'message' } as const;
export const includeSubaccounts = Type.Boolean({ default: false });
export const PIVOT = 'event_id';
const Domain = Type.Object({ domain: Type.String({ maxLength: 253, description: 'A domain that is watched.' }) });

const Code = Type.Object({ code: text, meaning: text }, { title: 'BlocklistCode' });

/** A listing of an address or a domain, with what Galley knows beside the contract's fields. */
export const Listed = Type.Object(
  {
    id: text,
    list: Type.String({ description: 'The zone.' }),
    name: text,
    first_seen: time,
    last_seen: time,
    delist_requested_at: Type.String({ description: '0001-01-01T00:00:00Z: never.' }),
    comments: Type.Array(text),
    codes: Type.Array(Code, { description: 'What the list answered.' }),
    reason: Type.Union([text, Type.Null()], { description: 'What the list says in words.' }),
    means: text,
    used_by: text,
    remove: Type.String({ description: 'How to get off the list.' }),
    page: Type.String({ description: 'Of its operator.' }),
    reach: Type.Enum(['high', 'medium', 'low']),
  },
  { title: 'BlocklistListing' },
);

const DomainEvent = Type.Object(
  {
    id: text,
    timestamp: time,
    event: Type.Enum(['domain_listed', 'domain_delisted']),
    domain: text,
    account_id: text,
    list: text,
    name: text,
    reason: Type.Union([text, Type.Null()]),
  },
  { title: 'DomainBlocklistEvent' },
);
const DomainEvents = Type.Object({ events: Type.Array(DomainEvent), paging: EndlessPaging });
const eventPage = { ...pivotFields({ limit: 100 }), [PIVOT]: pivotField };

export const listMonitoredDomains = contract({
  ...common,
  method: 'GET',
  operationId: 'listDomainsOnBlocklists',
  path: '/v1/monitoring/domains',
  summary: 'List watched domains with their listings',
  description: 'At most 10,000, by name. `listed` is null for a domain that is on no list.',
  query: Type.Object({ include_subaccounts: includeSubaccounts }),
  reply: Type.Object({
    domains: Type.Array(
      Type.Object({
        domain: text,
        updated_at: Type.String({
          description: 'When lists were asked last; when it was added, before the first time.',
        }),
        state: Type.Enum(['healthy', 'listed']),
        listed: Type.Union([Type.Array(Listed), Type.Null()]),
      }),
    ),
  }),
});

export const listDomainEvents = contract({
  ...common,
  method: 'GET',
  operationId: 'listDomainBlocklistEvents',
  path: '/v1/monitoring/domains/events',
  summary: 'List when domains came onto lists and off them',
  description: 'Newest first, kept for 400 days. Each event was seen twice, some minutes apart.',
  query: Type.Object({ ...eventPage, include_subaccounts: includeSubaccounts }),
  reply: DomainEvents,
  errors: ['invalid_request'],
});

export const listBlocklistsOfDomain = contract({
  ...common,
  method: 'GET',
  operationId: 'listBlocklistsOfDomain',
  path: '/v1/monitoring/domains/{domain}/blocklists',
  summary: 'List the blocklists that a domain is on',
  description: 'Only listings that were seen twice.',
  params: Domain,
  reply: Type.Object({ blocklists: Type.Array(Listed) }),
  errors: ['not_found'],
});

export const listEventsOfDomain = contract({
  ...common,
  method: 'GET',
  operationId: 'listBlocklistEventsOfDomain',
  path: '/v1/monitoring/domains/{domain}/events',
  summary: 'List when a domain came onto lists and off them',
  description: 'Newest first.',
  params: Domain,
  query: Type.Object(eventPage),
  reply: DomainEvents,
  errors: ['invalid_request', 'not_found'],
});

const galley = { tag: 'Blocklist monitoring', errorShape: 'message' } as const;

export const listBlocklists = contract({
  ...galley,
  method: 'GET',
  operationId: 'listBlocklists',
  path: '/v1/galley/blocklists',
  summary: 'List the catalog of blocklists',
  description:
    'Each with what a dated document says of it (`status`), and, once something was watched, whether it passed its ' +
    'last test here (`tests`). Lists that are closed, paid or switched off say in `not_asked` why nobody asks them.',
  reply: Type.Object({
    resolver: Type.Object({
      servers: Type.Array(text),
      advice: Type.String({ description: 'What is wrong with asking lists through these name servers; mostly empty.' }),
    }),
    items: Type.Array(
      Type.Object(
        {
          list: text,
          name: text,
          operator: text,
          kinds: Type.Array(Type.Enum(['ip4', 'ip6', 'domain', 'email'])),
          purpose: Type.Enum(['block', 'allow', 'mixed']),
          status: Type.Enum(['operating', 'named', 'own', 'closed', 'paid', 'keyed']),
          status_at: text,
          status_from: Type.String({ description: 'A source of `data/blocklists/README.md`.' }),
          reach: Type.Enum(['high', 'medium', 'low']),
          used_by: text,
          means: text,
          remove: text,
          page: text,
          note: text,
          not_asked: Type.Union([text, Type.Null()]),
          questions_today: Type.Integer(),
          questions_per_day: Type.Integer(),
          tests: Type.Array(
            Type.Object({
              kind: text,
              is_live: Type.Boolean(),
              why: Type.String({ description: 'Why it is not believed.' }),
              tested_at: Type.String(),
            }),
          ),
        },
        { title: 'Blocklist' },
      ),
    ),
  }),
});

const Asset = Type.Object(
  {
    asset: text,
    kind: Type.Enum(['ip4', 'ip6', 'domain', 'email']),
    domain: Type.String({ description: 'Of an email address; otherwise empty.' }),
    state: Type.Enum(['healthy', 'listed', 'unchecked']),
    checked_at: Type.Union([text, Type.Null()]),
    due_at: text,
    clean: Type.Integer({ description: 'Lists that answered that it is not on them.' }),
    listed: Type.Array(Listed),
    suspected: Type.Array(text, { description: 'Lists whose second look is to come.' }),
    allowed: Type.Record(Type.String(), text),
    unknown: Type.Record(Type.String(), text, { description: 'By list: why there is no answer.' }),
  },
  { title: 'BlocklistAsset' },
);

export const listAssets = contract({
  ...galley,
  method: 'GET',
  operationId: 'listBlocklistAssets',
  path: '/v1/galley/blocklists/assets',
  summary: 'List everything that is watched, with what each list says',
  description: 'IP addresses, domains and email addresses, in the order of adding.',
  query: Type.Object({ ...pivotFields({ limit: 100 }), asset_id: pivotField }),
  reply: Type.Object({ items: Type.Array(Asset), paging: EndlessPaging }),
  errors: ['invalid_request'],
});

export const checkNow = contract({
  ...galley,
  method: 'POST',
  operationId: 'runBlocklistCheck',
  path: '/v1/galley/blocklists/check',
  summary: 'Ask the lists now',
  description: 'Queues a sweep of what was not looked at within the last minute; `asset` names one.',
  isBodyOptional: true,
  body: Type.Object({ asset: Type.Optional(Type.String({ maxLength: 320 })) }),
  reply: Type.Object({ message: text, queued: Type.Integer() }),
});

export const noteListing = contract({
  ...galley,
  method: 'PUT',
  operationId: 'updateBlocklistListing',
  path: '/v1/galley/blocklists/listings/{id}',
  summary: 'Note that removal was requested, or a comment',
  description: 'For the people of the account: the operator of the list hears nothing.',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$' }) }),
  sample: { delist_requested: true, comment: 'Asked for removal; the form is closed.' },
  body: Type.Object({
    delist_requested: Type.Optional(Type.Boolean({ description: 'True: now. False: it was not.' })),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Added; at most 50 are kept.' })),
  }),
  reply: Listed,
  errors: ['invalid_request', 'not_found'],
});
