import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'Health score', errorShape: 'reason', method: 'GET' } as const;
const text = Type.String();
const count = Type.Integer();
const number = Type.Number();
const Interval = Type.Object({ low: number, high: number }, { title: 'HealthInterval' });

const Component = Type.Object(
  {
    name: Type.Enum(['bounce', 'complaint', 'trap', 'full_mailbox', 'bad_failure']),
    count,
    of: count,
    rate: Type.Number({ description: '0 to 1.' }),
    interval: Type.Union([Interval, Type.Null()], { description: 'At 95 %, by Wilson.' }),
    weight: number,
    lost: Type.Number({ description: 'Points that the score loses.' }),
    is_measured: Type.Boolean(),
    words: text,
  },
  { title: 'HealthComponent' },
);

const Placed = Type.Object(
  {
    inbox: count,
    decided: Type.Integer({ description: 'Inbox, spam and missing.' }),
    addresses: Type.Integer({ description: 'Different addresses that were written to.' }),
  },
  { title: 'HealthPlaced' },
);
const Placement = Type.Object(
  { tests: count, real: Placed, simulated: Placed, is_bound: Type.Boolean() },
  {
    title: 'HealthPlacement',
    description:
      'No part of the score: where complete placement tests of the time landed, in mailboxes at providers (`real`) ' +
      "and at Galley's own receivers (`simulated`, which follow rules). At most the newest 2,000 tests.",
  },
);

const Health = {
  score: count,
  rates: Type.Object(
    { bounce_rate: count, complaint_rate: count, trap_rate: count, full_mailbox_rate: count, bad_failure_rate: count },
    { title: 'HealthRates', description: 'Whole percents; `components` has them exactly.' },
  ),
  counters: Type.Object({ delivered: count, sent: count }, { title: 'HealthCounters' }),
  interval: Interval,
  is_small_sample: Type.Boolean({ description: 'Fewer than 10,000 were delivered: look at `interval`.' }),
  components: Type.Array(Component),
};

const scope = {
  include_subaccounts: Type.Boolean({ default: true }),
  start: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: 30 days before end.' })),
  end: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: now.' })),
};
const bound = Type.Boolean({ description: 'There was more than could be counted: the numbers are lower bounds.' });

export const getTotal = contract({
  ...common,
  operationId: 'getHealthScore',
  path: '/v1/health-score/total',
  summary: 'Get the health score',
  description:
    'A hundred less what five rates cost, by the formula of /v1/health-score/formula, from the events of what the ' +
    'account and its subaccounts sent, at most 92 days. `sent` are deliveries that left and came to an end.',
  query: Type.Object(scope),
  reply: Type.Object({ ...Health, placement: Placement, start: text, end: text, is_bound: bound }),
  errors: ['invalid_request'],
});

const FIELDS =
  'domain, ip, subaccount, timestamp, score, bounce_rate, complaint_rate, trap_rate, full_mailbox_rate, ' +
  'bad_failure_rate, delivered';
const several = Type.Union([
  Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }),
  Type.String({ maxLength: 300 }),
]);

export const listGroups = contract({
  ...common,
  operationId: 'listHealthScores',
  path: '/v1/health-score/grouped',
  summary: 'List health scores by group',
  description:
    'Of domains, IPs, subaccounts or days that sent more than 10,000 messages, at least one of which was delivered. ' +
    'Hits of spam traps that no report names a group of count for none.',
  query: Type.Object({
    ...scope,
    group: Type.Enum(['domain', 'ip', 'subaccount', 'timestamp'], { default: 'domain' }),
    term: Type.Optional(several),
    'term[]': Type.Optional(several),
    query: Type.Optional(Type.String({ maxLength: 300, description: '`domain:example`: keys that hold the text.' })),
    sort: Type.Optional(Type.String({ maxLength: 50, description: `\`field:asc\` or \`field:desc\`, of ${FIELDS}.` })),
    minimum_sent: Type.Integer({
      minimum: 0,
      default: 10_000,
      description: 'Groups that sent no more are left out. Beyond the published interface.',
    }),
    ...skipFields({ limit: 10 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  }),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({ group_key: text, account_id: Type.Optional(text), ...Health }, { title: 'HealthGroup' }),
    ),
    is_bound: bound,
  }),
  errors: ['invalid_request'],
});

export const getFormula = contract({
  ...common,
  operationId: 'getHealthFormula',
  path: '/v1/health-score/formula',
  summary: 'Get the formula of the health score',
  description:
    'Each component costs nothing up to `starts_at`, its whole weight from `full_at` on, and between them by a ' +
    'straight line. `sources` publish the limits; without one, the limits are our choice.',
  reply: Type.Object({
    formula: text,
    components: Type.Array(
      Type.Object({
        name: text,
        about: text,
        weight: number,
        starts_at: number,
        full_at: number,
        limit: text,
        sources: Type.Array(Type.Object({ name: text, url: text, as_of: text })),
      }),
    ),
  }),
});
