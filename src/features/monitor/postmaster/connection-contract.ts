// How an account connects a provider's tool, or brings its exports, and the records of all of them in one shape.
import { Type, type TSchema } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'Postmaster data', errorShape: 'message' } as const;
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const time = orNull(Type.String({ description: 'RFC 3339.' }));
const text = Type.String();
/** Google keeps figures of 120 days, SNDS of 90. */
export const DAYS_MAX = 120;
const FILE_BYTES_MAX = 10 * 1024 * 1024;

export const STATES = ['waiting', 'connected', 'limited', 'failing', 'expired'] as const;

const Connection = Type.Object(
  {
    id: text,
    provider: Type.Enum(['google', 'snds']),
    method: Type.Enum(['service_account', 'refresh_token', 'links']),
    name: text,
    asks: Type.String({ description: 'The address that is asked; of links, which hold a key, the host alone.' }),
    identity: Type.String({ description: 'Of a service account, its email address. Secrets are never shown.' }),
    state: Type.Enum([...STATES], {
      description:
        '`waiting`: for its first reading. `limited`: asked too often, it goes on at `next_at`. `failing`: the last ' +
        'reading failed, and is tried again. `expired`: somebody must renew the access.',
    }),
    problem: orNull(text),
    ends_at: time,
    checked_at: time,
    succeeded_at: time,
    next_at: time,
    created_at: text,
  },
  { title: 'PostmasterConnection' },
);

export const listConnections = contract({
  ...common,
  method: 'GET',
  operationId: 'listPostmasterConnections',
  path: '/v1/galley/postmaster/connections',
  summary: 'List connections to tools of providers',
  description: 'At most 20, in the order in which they were made.',
  reply: Type.Object({ items: Type.Array(Connection) }),
});

const days = Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: 'Days back from today.' });

export const createConnection = contract({
  ...common,
  method: 'POST',
  operationId: 'createPostmasterConnection',
  path: '/v1/galley/postmaster/connections',
  summary: 'Connect a tool of a provider',
  description:
    '`google` takes `service_account`, the JSON key of a service account that may read the domains in Postmaster ' +
    'Tools. `snds` takes `refresh_token` of a Microsoft account, or `data_url` (and `status_url`), links of the ' +
    'automated access, which end after 30 days. Yahoo documents no interface for its figures: upload them. What is ' +
    'secret is kept encrypted. It is read at once, and then each day.',
  sample: { provider: 'snds', data_url: 'https://sendersupport.olc.protection.outlook.com/snds/data.aspx?key=abc' },
  body: Type.Object({
    provider: Type.Enum(['google', 'snds']),
    name: Type.String({ maxLength: 100, default: '' }),
    service_account: Type.Optional(
      readByItself(Type.Union([Type.Object({}), text], { description: 'An object, or its text.' })),
    ),
    subject: Type.Optional(
      Type.String({ maxLength: 320, description: 'For whom the service account acts, with domain-wide delegation.' }),
    ),
    refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
    client_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Default: that of the SNDS portal.' }),
    ),
    data_url: Type.Optional(Type.String({ maxLength: 2000 })),
    status_url: Type.Optional(Type.String({ maxLength: 2000 })),
    base_url: Type.Optional(Type.String({ maxLength: 2000, description: 'In place of the provider’s own.' })),
    token_url: Type.Optional(Type.String({ maxLength: 2000, description: 'In place of the provider’s own.' })),
    days: Type.Integer({ ...days, default: 30 }),
  }),
  reply: Connection,
  status: 201,
  errors: ['invalid_request', 'conflict'],
});

const Named = Type.Object({ connection_id: text });

export const deleteConnection = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deletePostmasterConnection',
  path: '/v1/galley/postmaster/connections/{connection_id}',
  summary: 'Disconnect a tool of a provider',
  description: 'Its secret is deleted; records that were read stay.',
  params: Named,
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});

export const syncConnection = contract({
  ...common,
  method: 'POST',
  operationId: 'runPostmasterConnection',
  path: '/v1/galley/postmaster/connections/{connection_id}/sync',
  summary: 'Read a connection now',
  description: 'Also further back. What a provider has of these days replaces what is there.',
  params: Named,
  isBodyOptional: true,
  body: Type.Object({ days: Type.Integer({ ...days, default: 7 }) }),
  reply: Connection,
  status: 202,
  errors: ['invalid_request', 'not_found'],
});

export const uploadReport = contract({
  ...common,
  method: 'POST',
  operationId: 'uploadPostmasterReport',
  path: '/v1/galley/postmaster/uploads',
  summary: 'Upload an export',
  description:
    'A CSV file or a workbook of at most 10 MB and 50,000 rows. Of `google` and `yahoo`, the first row names the ' +
    'columns: date, domain, and figures such as spam rate, SPF, DKIM, DMARC, TLS, delivery errors, delivered, ' +
    'reputation; with a column ip, reputations of addresses; with a column feedback loop id, those. Of `snds`, its ' +
    'reports as they are. Rows that cannot be read are left out; the answer counts them and names the first 20.',
  bodyBytesMax: FILE_BYTES_MAX + 64 * 1024,
  fileField: 'file',
  isFormOnly: true,
  body: Type.Object({
    provider: Type.Enum(['google', 'yahoo', 'snds']),
    domain: Type.Optional(Type.String({ maxLength: 255, description: 'Of a file without a column domain.' })),
    file: readByItself(Type.String({ contentMediaType: '*/*' })),
  }),
  reply: Type.Object({
    message: text,
    records: Type.Integer(),
    skipped: Type.Integer(),
    problems: Type.Array(Type.Object({ row: Type.Integer(), message: text })),
  }),
  errors: ['invalid_request', 'too_large'],
});

const ratio = orNull(Type.Number());
const Own = Type.Object({
  sent: Type.Integer({ description: 'Deliveries that ended: taken, or refused for good.' }),
  delivered: Type.Integer(),
  refused: Type.Integer({ description: 'For good.' }),
  deferred: Type.Integer({ description: 'Tries that failed for now.' }),
  complaints: Type.Integer(),
});

export const listRecords = contract({
  ...common,
  method: 'GET',
  operationId: 'listPostmasterRecords',
  path: '/v1/galley/postmaster/records',
  summary: 'List figures of providers beside own ones',
  description:
    'By domain and day, the newest first. A day of which the provider says nothing has no record. `own` is what ' +
    'Galley saw of the same domain’s mail to that provider; null where it has no event of the day.',
  query: Type.Object({
    ...skipFields(),
    provider: Type.Enum(['google', 'yahoo'], { default: 'google' }),
    domain: Type.Optional(Type.String({ maxLength: 255 })),
    days: Type.Integer({ minimum: 1, maximum: 730, default: 30, description: 'Days back from today.' }),
  }),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({
        provider: Type.Enum(['google', 'yahoo']),
        domain: text,
        date: Type.String({ description: 'Such as 2026-11-22.' }),
        source: Type.Enum(['api', 'upload']),
        spam_ratio: ratio,
        spf_ratio: ratio,
        dkim_ratio: ratio,
        dmarc_ratio: ratio,
        encryption_ratio: ratio,
        delivery_error_ratio: ratio,
        delivered: orNull(Type.Integer()),
        reputation: orNull(Type.Integer()),
        reputation_source: orNull(Type.Enum(['upload', 'own_events'])),
        own: orNull(Own),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

const state = orNull(Type.Enum(['compliant', 'needs_work']));
const Verdict = orNull(
  Type.Object({ state, reason: orNull(Type.String({ description: 'Google’s name of it, in lower case.' })) }),
);
const Compliance = orNull(
  Type.Object(
    {
      domain: text,
      requirements: Type.Array(Type.Object({ requirement: text, state })),
      deliverability: Verdict,
      one_click_unsubscribe: Verdict,
      honor_unsubscribe: Verdict,
    },
    { title: 'PostmasterCompliance' },
  ),
);

export const getCompliance = contract({
  ...common,
  method: 'GET',
  operationId: 'getPostmasterCompliance',
  path: '/v1/galley/postmaster/compliance/{domain}',
  summary: 'Get whether a domain meets Google’s requirements',
  description: 'As Google said at the last reading of a connection. What it did not say is null.',
  params: Type.Object({ domain: Type.String({ maxLength: 255 }) }),
  reply: Type.Object({
    domain: text,
    date: orNull(Type.String({ description: 'The day of the reading.' })),
    organizational: Compliance,
    subdomain: Compliance,
  }),
  errors: ['invalid_request'],
});
