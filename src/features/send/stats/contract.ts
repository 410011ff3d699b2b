import { Type } from 'typebox';
import { EVENT_KINDS } from '../../../platform/event-log/index.ts';
import { contract } from '../../../platform/http/index.ts';

/** The published query counts no `rejected`. */
export const STAT_EVENTS = EVENT_KINDS.filter((kind) => kind !== 'rejected' && kind !== 'email_validation');

const SINCE = '@1735689600';
const common = {
  tag: 'Stats',
  errorShape: 'message',
  rights: 'metrics',
  deprecated: { since: SINCE, successor: '/v1/analytics/metrics' },
  method: 'GET',
} as const;

const text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
const names = STAT_EVENTS.join(', ');
const Event = Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })], {
  description: `One of ${names}; repeat the parameter for more.`,
});
const total = Type.Object({ total: Type.Integer() });
const readers = Type.Object({ total: Type.Integer(), unique: Type.Integer() });
const sums = (...fields: string[]) => Type.Object(Object.fromEntries(fields.map((field) => [field, Type.Integer()])));

const Stat = Type.Object({
  time: Type.String({ description: 'RFC 2822, UTC: when the hour, the day or the month begins.' }),
  accepted: Type.Optional(sums('incoming', 'outgoing', 'total')),
  delivered: Type.Optional(sums('smtp', 'http', 'optimized', 'total')),
  failed: Type.Optional(
    Type.Object({
      temporary: sums('espblock', 'total'),
      permanent: sums(
        'suppress-bounce',
        'suppress-unsubscribe',
        'suppress-complaint',
        'bounce',
        'delayed-bounce',
        'webhook',
        'optimized',
        'total',
      ),
    }),
  ),
  opened: Type.Optional(readers),
  clicked: Type.Optional(readers),
  unsubscribed: Type.Optional(total),
  complained: Type.Optional(total),
  stored: Type.Optional(total),
});

/** The answer of every operation of stats; those of a tag name it. */
export const Stats = Type.Object(
  {
    tag: Type.Optional(Type.String()),
    description: Type.String(),
    start: Type.String(),
    end: Type.String(),
    resolution: Type.String(),
    stats: Type.Array(Stat),
  },
  { title: 'Stats' },
);

/** Which time, and which kinds of events. */
export const statsFields = {
  event: Event,
  start: text('RFC 2822 or Unix seconds. Default: seven days before the end.'),
  end: text('RFC 2822 or Unix seconds. Default: now.'),
  resolution: Type.Enum(['hour', 'day', 'month'], { default: 'day' }),
  duration: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,3}[hdm]$',
      description: '`24h`, `7d`, `1m` (a month) before the end: in place of start.',
    }),
  ),
};

const Domain = Type.Object({ domain: Type.String({ description: 'A sending domain of the account.' }) });
const KEPT = ' Hours are kept for 60 days, days for 400: `start` says from when the figures are.';

export const getAccountStats = contract({
  ...common,
  operationId: 'getAccountStats',
  path: '/v3/stats/total',
  summary: 'Get the stats of the account',
  description: `How many events of some kinds there were, of all domains, by the hour, the day or the month.${KEPT}`,
  query: Type.Object(statsFields),
  reply: Stats,
  errors: ['invalid_request'],
});

export const getDomainStats = contract({
  ...common,
  operationId: 'getDomainStats',
  path: '/v3/{domain}/stats/total',
  summary: 'Get the stats of a domain',
  description: `How many events of some kinds there were of a domain, by the hour, the day or the month.${KEPT}`,
  params: Domain,
  query: Type.Object(statsFields),
  reply: Stats,
  errors: ['invalid_request', 'not_found'],
});

export const listDomainStats = contract({
  ...common,
  operationId: 'listDomainStats',
  path: '/v3/stats/total/domains',
  summary: 'List the stats of domains',
  description:
    'How many events of some kinds each domain had in the hour, the day or the month of a time: one item for each ' +
    'domain that had any, by name.',
  query: Type.Object({
    event: Event,
    timestamp: Type.String({ maxLength: 100, description: 'RFC 2822 or Unix seconds.' }),
    resolution: Type.Enum(['hour', 'day', 'month'], { default: 'day' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  }),
  reply: Type.Object({
    description: Type.String(),
    start: Type.String(),
    end: Type.String(),
    resolution: Type.String(),
    stats: Type.Array(Type.Object({ ...Stat.properties, domain: Type.String() })),
  }),
  errors: ['invalid_request'],
});

export const listFilteredStats = contract({
  ...common,
  operationId: 'listFilteredStats',
  path: '/v3/stats/filter',
  summary: 'List stats under a condition',
  description: `As the stats of the account, of what meets a condition.${KEPT}`,
  query: Type.Object({
    ...statsFields,
    filter: text('`domain:news.example.com`; also tag, provider, ip, ip_pool, country, device. Join several with AND.'),
    group: text('`total`: one sum for all the time; `hour`, `day`, `month`, `time`: as `resolution`.'),
  }),
  reply: Stats,
  errors: ['invalid_request'],
});

const GROUPS = {
  providers: 'Of each provider: what was delivered to its recipients, and what they did.',
  devices: 'Of each kind of device: what its readers did.',
  countries: 'Of each country: what its readers did.',
} as const;
export type AggregateName = keyof typeof GROUPS;

const aggregateOf = (name: AggregateName, operationId: string) =>
  contract({
    ...common,
    operationId,
    path: `/v3/{domain}/aggregates/${name}`,
    summary: `Get the ${name} of a domain`,
    description: `${GROUPS[name]} Counted over all the time that is kept (400 days); what is not known is left out.`,
    params: Domain,
    reply: Type.Object({ [name]: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())) }),
    errors: ['not_found'],
  });

export const AGGREGATES = {
  providers: aggregateOf('providers', 'getDomainProviders'),
  devices: aggregateOf('devices', 'getDomainDevices'),
  countries: aggregateOf('countries', 'getDomainCountries'),
};
