import { Type, type TSchema } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { cursorFields, CursorPaging } from '../../../platform/paging/index.ts';
import { MeasuredBeside } from '../../proof/spam-tests/index.ts';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const common = { tag: 'Inbox placement', errorShape: 'message', product: 'inbox_placement' } as const;
const LISTS = '/v4/inbox/seedlists';
export const RESULTS = '/v4/inbox/results';
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** An item holds all of its seeds, so larger pages are cut to this; their paging goes on from there. */
export const LIMIT_MAX = 100;
export const pageFields = cursorFields({ held: LIMIT_MAX });

const Interval = Nullable(
  Type.Object(
    { low: Type.Number(), high: Type.Number() },
    { description: 'The 95 % interval (Wilson) over real mailboxes; null if no real mailbox has an outcome.' },
  ),
);
const Time = Nullable(Type.String());

const Stats = Type.Object(
  {
    provider: Type.String(),
    delivered: Type.Integer(),
    missing: Type.Integer(),
    pending: Type.Integer(),
    spam: Type.Integer(),
    inbox: Type.Integer(),
    total: Type.Integer(),
    categories: Type.Record(Type.String(), Type.Integer()),
    rejected: Type.Integer({ description: 'Rejected permanently; also counted as missing.' }),
    undetermined: Type.Integer({ description: 'Mailboxes that could not be read.' }),
    simulated: Type.Integer({ description: 'How many of `total` are addresses at simulated receivers.' }),
    observations: Type.Integer({
      description: 'Independent observations: each real mailbox with an outcome, and each simulated receiver once.',
    }),
    inbox_interval: Interval,
    spam_interval: Interval,
    first_received_at: Time,
    last_received_at: Time,
  },
  { title: 'DeliveryStats' },
);
const StatsByProvider = Type.Record(Type.String(), Stats);
const Totals = Type.Object(
  { real: Stats, simulated: Stats },
  { title: 'DeliveryTotals', description: 'Totals of real mailboxes and of simulated receivers, counted separately.' },
);

const keyBoxFields = {
  kid: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  last_result_at: Type.String(),
  target_email: Type.String(),
  mailing_list: Type.String(),
  previous_mailing_list: Type.String(),
  regen_at: Type.String(),
  regen_needed: Type.Boolean(),
  sending_domains: Type.Array(Type.String()),
  has_results: Type.Boolean(),
  name: Type.String(),
  seed_filter: Type.String(),
  provider_filter: Nullable(Type.Array(Type.String())),
  max_seeds_per_provider: Type.Integer(),
  tags: Type.Record(Type.String(), Type.String()),
  is_auto_generated: Type.Boolean(),
  version: Type.Integer(),
  delivery_stats: StatsByProvider,
  delivery_totals: Totals,
  results: Type.Array(
    Type.Object({
      result_id: Type.String(),
      subject: Type.String(),
      sender: Type.String(),
      delivery_stats: StatsByProvider,
    }),
  ),
};
const KeyBox = Type.Object(keyBoxFields, { title: 'SeedList' });

const AuthDetail = Type.Object(
  { method: Type.String(), result: Type.String(), reason: Type.String(), source: Type.String() },
  { title: 'SeedAuthentication' },
);
const Seed = Type.Object(
  {
    email: Type.String(),
    provider: Type.String(),
    simulated: Type.Boolean({ description: 'The seed belongs to a simulated receiver: a rule decides its placement.' }),
    destination: Type.Enum(['inbox', 'spam', '']),
    state: Type.Enum(['delivered', 'missing', 'pending', 'undetermined']),
    originating_ip: Type.String(),
    tags: Type.Array(Type.String()),
    spf: Type.String(),
    dkim: Type.String(),
    dmarc: Type.String(),
    headers: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
    extensions: Nullable(Type.Object({ category: Type.String() })),
    delivered_at: Time,
    received_at: Time,
    delay_seconds: Nullable(Type.Number({ description: 'Time from sending to arrival.' })),
    reason: Nullable(Type.String()),
    smtp_reply: Nullable(Type.String()),
    attempts: Type.Integer(),
    copies: Type.Integer(),
    authentication: Type.Optional(Type.Array(AuthDetail)),
  },
  { title: 'SeedResult' },
);

const Comparison = Nullable(
  Type.Object({
    before: Type.Number(),
    after: Type.Number(),
    change: Type.Number(),
    interval: Interval,
    verdict: Type.Enum(['changed', 'within noise', 'simulated'], {
      description: '`simulated`: a rule decided differently, so no margin of error applies.',
    }),
  }),
);

export const Result = Type.Object(
  {
    rid: Type.String(),
    result_id: Type.String(),
    keybox_email: Type.String(),
    seedlist_name: Type.String(),
    name: Type.String(),
    subject: Type.String(),
    sender: Type.String(),
    body: Type.Optional(Type.String()),
    campaign_id: Type.String(),
    status: Type.Enum(['processing', 'complete']),
    created_at: Type.String(),
    updated_at: Type.String(),
    attributes: Type.Record(Type.String(), Type.String()),
    delivery_stats: StatsByProvider,
    delivery_totals: Totals,
    notice: Nullable(
      Type.String({ description: 'Says what simulated placements do not predict; present if seeds are simulated.' }),
    ),
    is_spoofing: Nullable(Type.Boolean()),
    seed_results: Type.Array(Seed),
    sharing_enabled: Type.Boolean(),
    sharing_expires_at: Type.Optional(Type.String({ description: 'RFC 3339; left out while it is not shared.' })),
    sharing_id: Type.String(),
    spamassassin: Nullable(
      Type.Object({
        is_spam: Type.Boolean(),
        score: Type.Number(),
        required: Type.Number(),
        rules: Type.Array(
          Type.Object({
            name: Type.String(),
            points: Type.Number(),
            short_description: Type.String(),
            long_description: Type.String(),
          }),
        ),
      }),
    ),
    filters: Type.Array(
      Type.Object({
        engine: Type.String(),
        score: Nullable(Type.Number()),
        threshold: Nullable(Type.Number()),
        verdict: Nullable(Type.String({ description: '`nothing_found`, `soft` (in doubt) or `spam`.' })),
        failure: Nullable(Type.String()),
        measured: Type.Optional(Nullable(MeasuredBeside)),
        rules: Type.Array(
          Type.Object({
            name: Type.String(),
            points: Type.Number(),
            description: Type.String(),
            fix: Nullable(Type.String()),
          }),
        ),
      }),
    ),
    comparison: Type.Optional(
      Nullable(
        Type.Object({
          result_id: Type.String(),
          created_at: Type.String(),
          providers: Type.Record(Type.String(), Type.Object({ inbox: Comparison, spam: Comparison })),
        }),
      ),
    ),
  },
  { title: 'PlacementResult' },
);

export const paged = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), paging: CursorPaging, total: Type.Integer() });
export const times = {
  time_before: Type.Optional(Type.String({ maxLength: 60 })),
  time_after: Type.Optional(Type.String({ maxLength: 60 })),
};
const ByAddress = Type.Object({ address: Type.String({ maxLength: 320 }) });
export const ByResult = Type.Object({ result: Type.String({ maxLength: 100 }) });
/** One value of a form is a text, several are a list. */
const Several = Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()]);
export const Attribute = Type.Object(
  { items: Type.Object({ attribute: Type.String(), values: Type.Array(Type.String()) }) },
  { title: 'AttributeValues' },
);
export const Filters = Type.Object(
  {
    supported_filters: Type.Object({
      filters: Type.Array(Type.Object({ parameter: Type.String(), description: Type.String() })),
    }),
  },
  { title: 'SupportedFilters' },
);

const listFields = {
  name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  provider_filter: Type.Optional(Several),
  sending_domains: Type.Optional(Several),
  seed_filter: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'A regular expression over seed addresses.' })),
  ),
};
const newListFields = {
  ...listFields,
  remote_id: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  max_seeds_per_provider: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 50, description: '0 means no limit.' })),
  ),
  seeds_per_provider: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Number of seeds at each simulated receiver. Default 5.' }),
    ),
  ),
};
const flag = Type.Optional(Nullable(Type.Boolean()));
const changeFields = { ...listFields, regen: flag, shuffle: flag };

export const listSeedLists = contract({
  ...common,
  method: 'GET',
  operationId: 'listSeedLists',
  path: LISTS,
  summary: 'List seed lists',
  description: 'Pages by `limit` and `offset`, or by the `cursor` of the answer before.',
  query: Type.Object({ ...pageFields, name: Type.Optional(Type.String()), ...times }),
  reply: paged(KeyBox),
  errors: ['invalid_request'],
});
export const createSeedList = contract({
  ...common,
  method: 'POST',
  operationId: 'createSeedList',
  path: LISTS,
  summary: 'Generate a seed list',
  description: 'Send the fields in the body or the query.',
  query: Type.Object(newListFields),
  body: Type.Object(newListFields),
  isBodyOptional: true,
  reply: KeyBox,
  errors: ['invalid_request'],
});
export const listAttributes = contract({
  ...common,
  method: 'GET',
  operationId: 'listSeedListAttributes',
  path: `${LISTS}/a`,
  summary: 'List the attributes of seed lists',
  description: 'Their values are at `/v4/inbox/seedlists/a/{attribute}`.',
  reply: Attribute,
});
export const listAttribute = contract({
  ...common,
  method: 'GET',
  operationId: 'listSeedListAttributeValues',
  path: `${LISTS}/a/{attribute}`,
  summary: 'List the values of an attribute',
  description: '404 for an unknown attribute.',
  params: Type.Object({ attribute: Type.String() }),
  reply: Attribute,
  errors: ['not_found'],
});
export const listFilters = contract({
  ...common,
  method: 'GET',
  operationId: 'listSeedListFilters',
  path: `${LISTS}/_filters`,
  summary: 'List the filters of seed lists',
  description: 'The query parameters with which `GET /v4/inbox/seedlists` filters its list.',
  reply: Filters,
});
export const getSeedList = contract({
  ...common,
  method: 'GET',
  operationId: 'getSeedList',
  path: `${LISTS}/{address}`,
  summary: 'Get a seed list',
  description: 'By its target address.',
  params: ByAddress,
  reply: Type.Object({ ...keyBoxFields, seedlist: KeyBox }),
  errors: ['not_found'],
});
export const updateSeedList = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSeedList',
  path: `${LISTS}/{address}`,
  summary: 'Change a seed list or regenerate its addresses',
  description: 'Omitted fields keep their value. Send the fields in the query or in the body.',
  params: ByAddress,
  query: Type.Object(changeFields),
  body: Type.Object(changeFields),
  isBodyOptional: true,
  reply: KeyBox,
  errors: ['invalid_request', 'not_found'],
});
export const deleteSeedList = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSeedList',
  path: `${LISTS}/{address}`,
  summary: 'Delete a seed list; its results are kept',
  description: 'By its target address.',
  params: ByAddress,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

/** What a placement test is started with. */
export const PlacementBody = Type.Object({
  from: Type.String({ minLength: 3, maxLength: 320, description: 'An address at a verified sending domain.' }),
  subject: Type.String({ maxLength: 998 }),
  html: Type.Optional(Nullable(Type.String({ contentMediaType: 'text/html' }))),
  text: Type.Optional(Nullable(Type.String({ contentMediaType: 'text/plain' }))),
  template_name: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 300,
        description: 'A stored template, in its active version: of the domain of `from`, or else of the account.',
      }),
    ),
  ),
  account_template_name: Type.Optional(
    Nullable(Type.String({ maxLength: 300, description: 'The same, of the account alone.' })),
  ),
  variables: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
  headers: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
  provider_filter: Type.Optional(Several),
  seed_list: Type.Optional(
    Nullable(
      Type.String({ maxLength: 320, description: 'Address or id of a seed list. By default Galley creates one.' }),
    ),
  ),
  max_seeds_per_provider: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 50 }))),
  seeds_per_provider: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 50 }))),
  sending_ip: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 45,
        description: 'Simulated receivers judge the message as if it came from this address.',
      }),
    ),
  ),
  sending_ip_pool_id: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  deadline_minutes: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1440,
        description: 'A message that has not arrived after this time is missing. Default 30.',
      }),
    ),
  ),
});

export const createTest = contract({
  ...common,
  method: 'POST',
  operationId: 'createPlacementTest',
  path: '/v4/inbox/tests',
  summary: 'Create and run a placement test',
  description:
    '`%recipient.first_name%` and `%recipient.last_name%` are replaced for each seed. With `variables`, ' +
    '`{{name}}` in subject and html is replaced too. Instead of `html`, `template_name` names a stored template.',
  sample: {
    from: 'news@example.com',
    subject: 'Garden notes',
    html: '<h1>Hello</h1><p>The roses by the south wall are in flower.</p>',
  },
  body: PlacementBody,
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Type.Object({
    result_id: Type.String(),
    links: Type.Object({ results: Type.String() }),
    mailing_list: Type.String(),
  }),
  errors: ['invalid_request', 'not_found', 'too_large'],
});
