import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

/** One answer is made of no more groups. */
export const ITEMS_MAX = 20_000;

export const CLASS_DIMENSIONS = ['entity-name', 'group-id', 'criticality', 'severity', 'category'] as const;
export const DIMENSIONS = [
  'entity-name',
  'domain.name',
  'envelope.sending-ip',
  'account.name',
  'envelope.i-ip-pool-name',
  'tags',
  'tag',
  'recipient-domain',
  'recipient-provider',
  'group-id',
  'criticality',
  'severity',
  'category',
  'timestamp',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];
const ATTRIBUTES = DIMENSIONS.filter((name) => name !== 'timestamp');

export const COUNTS = [
  'critical_bounce_count',
  'non_critical_bounce_count',
  'critical_delay_count',
  'non_critical_delay_count',
  'classified_failures_count',
  'delivered_smtp_count',
] as const;
export const RATES = [
  'critical_bounce_rate',
  'non_critical_bounce_rate',
  'critical_delay_rate',
  'non_critical_delay_rate',
] as const;
export const METRICS = [...COUNTS, ...RATES] as const;

const date = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

const Condition = Type.Object({
  attribute: Type.Enum(ATTRIBUTES),
  comparator: Type.Enum(['=', '!=', 'contains', 'not contains']),
  values: Type.Array(
    Type.Object({ label: Type.Optional(Type.String({ maxLength: 1000 })), value: Type.String({ maxLength: 1000 }) }),
    { minItems: 1, maxItems: 100 },
  ),
});

const orNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const rate = (part: string) =>
  orNull(`${part} of what was delivered or bounced, in whole percent; null where that is not known or nothing.`);

export const BounceMetrics = Type.Object(
  {
    critical_bounce_count: Type.Integer(),
    non_critical_bounce_count: Type.Integer(),
    critical_delay_count: Type.Integer(),
    non_critical_delay_count: Type.Integer(),
    classified_failures_count: Type.Integer({ description: 'The four above together.' }),
    delivered_smtp_count: orNull('Null where the group tells failures apart by what no delivery has.'),
    critical_bounce_rate: rate('Critical bounces'),
    non_critical_bounce_rate: rate('Other bounces'),
    critical_delay_rate: rate('Critical delays'),
    non_critical_delay_rate: rate('Other delays'),
  },
  { title: 'BounceMetrics' },
);

const shown = (description: string) => Type.Optional(Type.String({ description }));
const Group = Type.Object({
  'account.id': Type.Optional(Type.String()),
  'account.name': Type.Optional(Type.String()),
  'entity-name': shown('Who refused: a provider, or the filter or blocklist that the reply names.'),
  'recipient-provider': Type.Optional(Type.String()),
  'recipient-domain': Type.Optional(Type.String()),
  'domain.name': Type.Optional(Type.String()),
  'envelope.i-ip-pool-id': Type.Optional(Type.String()),
  'envelope.i-ip-pool-name': Type.Optional(Type.String()),
  'envelope.sending-ip': Type.Optional(Type.String()),
  timestamp: shown('ISO 8601, UTC: when the hour or the day begins.'),
  tags: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  criticality: shown('`critical`: it asks for attention; `non-critical`.'),
  severity: shown('`permanent`: a bounce; `temporary`: a delay.'),
  category: shown('The id of the class.'),
  'category-name': Type.Optional(Type.String()),
  'group-id': shown('The entity and the rule: `gmail/gmail-rate`.'),
  'sample-text': shown('With `group-id`: the latest reply, without addresses.'),
  'sample-texts': Type.Optional(Type.Array(Type.String(), { description: 'With `group-id`: up to three replies.' })),
  explanation: shown('With `group-id` or `category`: what the class means.'),
  advice: shown('With `group-id` or `category`: what to do.'),
  metrics: BounceMetrics,
});

const COUNTED =
  'Failures are classified once, in the second in which they are counted; those of lists of suppressions are none of a ' +
  'receiver, and are left out.';

export const queryBounces = contract({
  tag: 'Bounce classification',
  errorShape: 'message',
  rights: 'metrics',
  isQuery: true,
  method: 'POST',
  operationId: 'listBounceMetrics',
  path: '/v2/bounce-classification/metrics',
  summary: 'Query bounces by class',
  description:
    'How many bounces and delays there were, by why, by whom and by what was sent. A class is found by the words of the ' +
    `reply, then by its enhanced status, then by its code. ${COUNTED} The time is widened to whole hours or days (UTC); ` +
    'hours are kept for 60 days, days for 400. Groups without a failure are left out. `tag` and `recipient-domain` cannot ' +
    'be asked for at once, `recipient-domain` not by the hour. `delivered_smtp_count` is null in groups by entity, class, ' +
    `criticality or severity. An answer is made of at most ${ITEMS_MAX} groups; beyond that the query is refused.`,
  isBodyOptional: true,
  sample: { duration: '168h', dimensions: ['entity-name', 'category'], pagination: { limit: 10 } },
  body: Type.Object({
    start: date('RFC 2822. Default: seven days before the end.'),
    end: date('RFC 2822. Default: now.'),
    duration: Type.Optional(
      Type.String({
        pattern: '^(?=.)([0-9]{1,4}d)?([0-9]{1,5}h)?([0-9]{1,7}m)?([0-9]{1,9}s)?$',
        description: '`24h`, `7d`, `90m`, `24h0m0s` before the end: in place of start.',
      }),
    ),
    resolution: Type.Enum(['day', 'hour'], { default: 'day' }),
    dimensions: Type.Array(Type.Enum([...DIMENSIONS]), { maxItems: 6, uniqueItems: true, default: [] }),
    metrics: Type.Optional(
      Type.Array(Type.Enum([...METRICS]), { maxItems: 30, description: 'All are answered, whatever is named.' }),
    ),
    filter: Type.Optional(
      Type.Object({ AND: Type.Optional(Type.Array(Condition, { maxItems: 30 })) }, { additionalProperties: false }),
    ),
    include_subaccounts: Type.Boolean({ default: false }),
    pagination: Type.Optional(
      Type.Object({
        sort: Type.Optional(
          Type.String({ maxLength: 100, description: 'A dimension or a metric, then `:asc` or `:desc`.' }),
        ),
        ...skipFields({ limit: 10 }),
      }),
    ),
  }),
  reply: Type.Object({
    start: Type.String(),
    end: Type.String(),
    resolution: Type.Enum(['day', 'hour']),
    duration: Type.Optional(Type.String()),
    dimensions: Type.Array(Type.Enum([...DIMENSIONS])),
    pagination: Type.Object({ sort: Type.String(), ...skipFields(), total: Type.Integer() }),
    items: Type.Array(Group),
  }),
  errors: ['invalid_request'],
});

const common = {
  tag: 'Bounce classification',
  errorShape: 'message',
  rights: 'metrics',
  deprecated: { since: '@1735689600', successor: '/v2/bounce-classification/metrics' },
  method: 'GET',
} as const;
const time = {
  duration: Type.String({
    pattern: '^[1-9][0-9]{0,2}d$',
    default: '7d',
    description: 'So many whole days (UTC), today among them; at most 400.',
  }),
};
const own = { include_subaccounts: Type.Boolean({ default: false }) };
const Bounced = Type.Object({ total: Type.Integer({ description: 'Bounces and delays.' }) });
const Domain = Type.Object({ domain: Type.String({ description: 'A sending domain of the account.' }) });

export const GROUPS = ['subaccount.id', 'domain.name', 'entity-id', 'rule-id'] as const;

export const getBounceStats = contract({
  ...common,
  operationId: 'listBounceStats',
  path: '/v1/bounce-classification/stats',
  summary: 'List bounces in groups',
  description: `How many failures there were by entity, rule, domain and subaccount, most first. ${COUNTED}`,
  query: Type.Object({
    group: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10 })], {
        description: `One of ${GROUPS.join(', ')}; repeat the parameter for more. Default: all.`,
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    ...own,
    ...time,
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        subaccount: Type.Optional(Type.Object({ id: Type.String() })),
        domain: Type.Optional(Type.Object({ name: Type.String() })),
        'rule-id': Type.Optional(Type.String()),
        'entity-id': Type.Optional(Type.String()),
        'short-explanation': Type.Optional(Type.String()),
        bounced: Bounced,
      }),
    ),
    _duration: Type.String({ description: 'Of the time that was counted, such as `168h0m0s`.' }),
  }),
  errors: ['invalid_request'],
});

export const listBounceDomains = contract({
  ...common,
  operationId: 'listBounceDomains',
  path: '/v1/bounce-classification/domains',
  summary: 'List domains with bounces',
  description: `How many failures each sending domain had, most first. ${COUNTED}`,
  query: Type.Object({
    ...skipFields({ limit: 100 }),
    query: Type.Optional(Type.String({ maxLength: 255, description: "A part of the domain's name." })),
    ...own,
    ...time,
  }),
  reply: Type.Object({
    items: Type.Array(Type.Object({ domain: Type.Object({ name: Type.String() }), bounced: Bounced })),
    total: Type.Integer(),
  }),
  errors: ['invalid_request'],
});

export const listBounceEntities = contract({
  ...common,
  operationId: 'listBounceEntities',
  path: '/v1/bounce-classification/domains/{domain}/entities',
  summary: 'List who refused mail of a domain',
  description: `How many failures a sending domain had at each provider, filter and blocklist, most first. ${COUNTED}`,
  params: Domain,
  query: Type.Object({ ...own, ...time }),
  reply: Type.Object({
    items: Type.Array(Type.Object({ 'entity-id': Type.String(), 'entity-name': Type.String(), bounced: Bounced })),
  }),
  errors: ['invalid_request', 'not_found'],
});

export const listBounceRules = contract({
  ...common,
  operationId: 'listBounceRules',
  path: '/v1/bounce-classification/domains/{domain}/entities/{entity_id}/rules',
  summary: 'List why an entity refused mail of a domain',
  description: `How many failures there were of each rule, with a sample of the replies, most first. ${COUNTED}`,
  params: Type.Object({
    ...Domain.properties,
    entity_id: Type.String({ maxLength: 100, description: 'From the list of entities.' }),
  }),
  query: Type.Object({ ...own, ...time }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        'rule-id': Type.String(),
        category: Type.String(),
        severity: Type.Enum(['PERMANENT', 'TEMPORARY']),
        'sample-text': Type.String(),
        explanation: Type.String(),
        bounced: Bounced,
      }),
    ),
  }),
  errors: ['invalid_request', 'forbidden', 'not_found'],
});

export const listBounceEvents = contract({
  ...common,
  operationId: 'listBounceEvents',
  path: '/v1/bounce-classification/domains/{domain}/events',
  summary: 'List the failures of a domain with their rules',
  description:
    'Failed events of a sending domain, newest first, each with its rule. `limit` is how many failed events a page looks ' +
    'at; those of other rules and entities are left out, so that a page may be shorter and even empty before the end. ' +
    'Follow `paging.next` until it stays the same.',
  params: Domain,
  query: Type.Object({
    'rule-id': Type.Optional(Type.String({ maxLength: 100 })),
    'entity-id': Type.Optional(Type.String({ maxLength: 100 })),
    sort: Type.Enum(['timestamp:desc', 'timestamp:asc', 'desc', 'asc'], { default: 'timestamp:desc' }),
    page: Type.Optional(Type.String({ maxLength: 8000, description: 'From `paging` of the page before.' })),
    limit: Type.Integer({ minimum: 1, maximum: 300, default: 100 }),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          '@timestamp': Type.String(),
          'i-classification': Type.Object({
            reason: Type.String({ description: 'The category.' }),
            'rule-id': Type.String(),
            'entity-id': Type.String(),
          }),
        },
        { additionalProperties: Type.Unknown(), description: 'Beside these, what the failed event has.' },
      ),
    ),
    paging: Type.Object({
      first: Type.String(),
      last: Type.String(),
      next: Type.String(),
      previous: Type.String(),
    }),
  }),
  errors: ['invalid_request', 'forbidden', 'not_found'],
});

export const listEntityConfig = contract({
  ...common,
  operationId: 'listBounceEntityNames',
  path: '/v1/bounce-classification/config/entities',
  summary: 'List the entities',
  description: 'The providers, filters and blocklists that replies are told apart by, by id.',
  reply: Type.Record(Type.String(), Type.Object({ name: Type.String() })),
  errors: [],
});

export const listRuleConfig = contract({
  ...common,
  operationId: 'listBounceRuleTexts',
  path: '/v1/bounce-classification/config/rules',
  summary: 'List the rules',
  description: 'The rules that say the class of a reply, by id, in the order in which they are asked.',
  reply: Type.Record(
    Type.String(),
    Type.Object({
      entity_id: Type.Optional(Type.String({ description: 'Missing: the rule is of any entity.' })),
      class: Type.String(),
      'sample-text': Type.String({ description: 'An example.' }),
      explanation: Type.String(),
      'short-explanation': Type.String(),
      advice: Type.String({ description: 'What to do.' }),
    }),
  ),
  errors: [],
});
