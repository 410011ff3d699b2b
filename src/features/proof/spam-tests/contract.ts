import { Type, type TSchema } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { sourceFields } from '../_message/index.ts';

/** HTML or a message in JSON. */
const BODY_BYTES_MAX = 40 * 1024 * 1024;
export const PATH = '/v1/inspect/spam';
export const common = { tag: 'Spam testing V1', errorShape: 'message' } as const;

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema));
const Region = Type.Enum(['us1', 'eu1']);
export const Named = Type.Object({ spam_test_id: Type.String() });
export const Meta = Type.Object({
  request_id: Type.String(),
  timestamp: Type.String(),
  count: Type.Optional(Type.Integer()),
});
export const Links = Type.Object({ self: Type.String() });

export const Envelope = Type.Object(
  {
    ip: Optional(Type.String({ maxLength: 45, description: 'Address of the connecting server.' })),
    helo: Optional(Type.String({ maxLength: 255 })),
    reverse_dns: Optional(
      Type.String({
        maxLength: 255,
        description: 'Reverse DNS name of the address; empty if it has none. By default Galley asks DNS.',
      }),
    ),
    mail_from: Optional(Type.String({ maxLength: 320 })),
  },
  {
    additionalProperties: false,
    description: 'The simulated connection that receivers and filters judge instead of the local connection.',
  },
);

const Source = Type.Object(
  {
    publisher: Type.String(),
    document: Type.String(),
    url: Type.String(),
    sentence: Type.String(),
    since: Nullable(Type.String({ description: 'Date from which the rule is enforced, if published.' })),
  },
  { description: 'The published sentence behind the rule; null if Galley chose the rule.' },
);
const Reason = Type.Object(
  { code: Type.String(), message: Type.String(), points: Nullable(Type.Number()), source: Nullable(Source) },
  { title: 'SpamReason' },
);
const FilterVerdict = Type.Object(
  {
    engine: Type.String(),
    score: Nullable(Type.Number()),
    threshold: Nullable(Type.Number()),
    verdict: Nullable(
      Type.String({
        description:
          '`nothing_found`, `soft` (unclear) or `spam`. `nothing_found` does not mean that the message is wanted.',
      }),
    ),
    failure: Nullable(Type.String()),
  },
  { title: 'FilterVerdict' },
);

const ProviderResult = Type.Object(
  {
    esp: Type.String(),
    display_name: Type.String(),
    seed: Type.String(),
    kind: Type.Enum(['receiver', 'mailbox']),
    simulated: Type.Boolean({ description: 'A simulated receiver: a rule decides its placement.' }),
    status: Type.Enum(['passed', 'failed', 'pending']),
    placement: Nullable(Type.Enum(['inbox', 'spam', 'missing', 'rejected', 'unknown'])),
    folder: Nullable(Type.String({ description: 'Tab or folder, when it is not the inbox itself.' })),
    reason: Nullable(Type.String()),
    score: Nullable(Type.Number({ description: 'In points of the receiver.' })),
    spam_threshold: Nullable(Type.Number()),
    reasons: Type.Array(Reason),
    filters: Type.Array(FilterVerdict),
    authentication: Nullable(
      Type.Object({ spf: Nullable(Type.String()), dkim: Nullable(Type.String()), dmarc: Nullable(Type.String()) }),
    ),
    smtp_reply: Nullable(Type.String()),
    attempts: Type.Integer(),
    copies: Type.Integer(),
    received_at: Nullable(Type.String()),
  },
  { title: 'SpamProviderResult' },
);

const Group = Type.Object(
  {
    passed: Type.Integer(),
    failed: Type.Integer(),
    pending: Type.Integer(),
    simulated: Type.Integer({ description: 'Number of results from simulated receivers.' }),
    results: Type.Array(ProviderResult),
  },
  { title: 'SpamResultGroup' },
);

const Place = Type.Object(
  {
    part: Type.String(),
    header: Type.Optional(Type.String()),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    offset: Type.Optional(Type.Integer()),
    length: Type.Optional(Type.Integer()),
    snippet: Type.Optional(Type.String()),
    selector: Type.Optional(Type.String()),
  },
  { title: 'SpamPlace' },
);

const RuleHit = Type.Object(
  {
    rule: Type.String(),
    points: Type.Number(),
    description: Type.String(),
    message: Type.String(),
    fix: Nullable(Type.String()),
    source: Nullable(Type.String()),
    places: Type.Array(Place, { description: 'The words of the message that caused it.' }),
  },
  { title: 'SpamRuleHit' },
);

const CalledSpam = Type.Object(
  {
    messages: Type.Integer(),
    called_spam: Type.Integer(),
    share: Type.Number(),
    low: Type.Number(),
    high: Type.Number(),
  },
  {
    title: 'CalledSpam',
    description: 'Of so many messages so many were called spam; the interval is Wilson’s at 95 %.',
  },
);
const MeasuredRate = Type.Object(
  {
    kind: Type.Enum(['detection', 'false_positives']),
    collection: Type.String(),
    from: Nullable(Type.String()),
    to: Nullable(Type.String()),
    ...CalledSpam.properties,
  },
  { title: 'MeasuredRate' },
);

/** How often the built-in rules are right. */
export const MeasuredBeside = Type.Object(
  {
    date: Type.String({ description: 'When it was measured.' }),
    rules_version: Type.String(),
    rates: Type.Array(MeasuredRate),
    language: Nullable(
      Type.Object({
        code: Type.String(),
        name: Type.String(),
        status: Type.Enum(['measured', 'rules present, not measured']),
        detection: Nullable(CalledSpam),
        false_positives: Nullable(CalledSpam),
      }),
    ),
    sentences: Type.Array(Type.String()),
  },
  { title: 'MeasuredBeside' },
);

/** Whether a filter was asked, how it was found, and what to do when it is missing. */
export const FilterAdvice = Type.Object(
  {
    engine: Type.String(),
    state: Type.Enum(['configured', 'found', 'installed', 'absent', 'not_looked_for']),
    address: Nullable(Type.String()),
    message: Type.String(),
    fix: Nullable(Type.String()),
  },
  { title: 'FilterAdvice' },
);

const FilterReport = Type.Object(
  {
    ...FilterVerdict.properties,
    measured: Type.Optional(Nullable(MeasuredBeside)),
    version: Nullable(Type.String()),
    action: Nullable(Type.String()),
    rules: Type.Array(RuleHit),
  },
  { title: 'FilterReport' },
);

const Check = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    status: Type.Enum(['pass', 'fail', 'warning', 'unknown', 'not_applicable']),
    reason: Type.String(),
    fix: Nullable(Type.String()),
  },
  { title: 'SpamCheck' },
);
const AuthCheck = Type.Object({
  method: Type.String(),
  result: Type.String(),
  reason: Type.String(),
  source: Type.String(),
  domain: Nullable(Type.String()),
  aligned: Nullable(Type.Boolean()),
});

export const Analysis = Type.Object(
  {
    sender: Type.Object({
      kind: Type.Enum(['stand-in', 'domain', 'given']),
      domain: Nullable(Type.String()),
      note: Type.String(),
    }),
    envelope: Type.Object({
      ip: Nullable(Type.String()),
      helo: Type.String(),
      reverse_dns: Nullable(Type.String()),
      mail_from: Type.String(),
    }),
    authentication: Type.Array(AuthCheck),
    filters: Type.Array(FilterReport),
    filter_advice: Type.Optional(Type.Array(FilterAdvice)),
    bulk_sender: Type.Object({
      passed: Type.Integer(),
      failed: Type.Integer(),
      warnings: Type.Integer(),
      unknown: Type.Integer(),
      checks: Type.Array(
        Type.Object({
          ...Check.properties,
          requirements: Type.Array(
            Type.Object({ provider: Type.String(), document: Type.String(), since: Type.String() }),
          ),
        }),
      ),
    }),
    one_click: Type.Object({
      conforms: Nullable(
        Type.Boolean({
          description: 'Whether the message conforms to RFC 8058; null if it has no unsubscribe header.',
        }),
      ),
      url: Nullable(Type.String()),
      checks: Type.Array(
        Type.Object({
          id: Type.String(),
          status: Type.Enum(['pass', 'fail', 'unknown', 'not_applicable']),
          message: Type.String(),
          fix: Nullable(Type.String()),
          source: Type.String(),
        }),
      ),
    }),
  },
  { title: 'SpamAnalysis' },
);

const SpamTest = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'The name that lists show; never empty. PATCH /v1/inspections/{id} changes it.' }),
    status: Type.Enum(['pending', 'processing', 'completed', 'failed']),
    subject: Type.String(),
    sending_ip: Nullable(Type.String()),
    region: Region,
    results: Nullable(Type.Object({ b2c: Group, b2b: Group })),
    failure_reason: Nullable(Type.String()),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'SpamTest' },
);
export const DetailedTest = Type.Object(
  { ...SpamTest.properties, analysis: Nullable(Analysis) },
  { title: 'DetailedSpamTest' },
);

const MeasuredCollection = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    source: Type.String(),
    license: Type.String(),
    about: Type.String(),
    is_spam: Type.Boolean(),
    is_fitted: Type.Boolean({ description: 'The weights were fitted to the older half; the later half was measured.' }),
    messages: Type.Integer(),
    from: Nullable(Type.String()),
    to: Nullable(Type.String()),
    languages: Type.Record(Type.String(), Type.Integer()),
    built_in: CalledSpam,
    before: Type.Object(CalledSpam.properties, { description: 'The built-in rules before they were fitted.' }),
    same_sample: Type.Array(Type.Object({ engine: Type.String(), ...CalledSpam.properties }), {
      description: 'Each filter on the same sample.',
    }),
  },
  { title: 'MeasuredCollection' },
);

export const getMeasurements = contract({
  ...common,
  isMetric: true,
  method: 'GET',
  operationId: 'getSpamFilterMeasurements',
  path: `${PATH}/measurements`,
  summary: 'Get the accuracy of the built-in rules, SpamAssassin and Rspamd',
  description:
    'Detection and false positives on public collections of mail, measured in the same run. A language without ' +
    'enough real mail has no rate.',
  reply: Type.Object({
    meta: Meta,
    item: Type.Object({
      date: Type.String(),
      rules_version: Type.String(),
      threshold: Type.Number(),
      engines: Type.Record(Type.String(), Nullable(Type.String())),
      circumstances: Type.Array(Type.String()),
      collections: Type.Array(MeasuredCollection),
      languages: Type.Array(
        Type.Object({
          language: Type.String(),
          name: Type.String(),
          status: Type.Enum(['measured', 'rules present, not measured']),
          detection: Nullable(CalledSpam),
          false_positives: Nullable(CalledSpam),
        }),
      ),
    }),
    links: Links,
  }),
});

export const createTest = contract({
  ...common,
  method: 'POST',
  operationId: 'createSpamTest',
  path: PATH,
  summary: 'Test how spam filters and receivers judge a message',
  description:
    'Answers at once; the message then goes to every provider of `GET /v1/inspect/spam/providers`. Without `from` ' +
    '(and without `mime`) a fully authenticated test sender sends it, so that filters judge only the content.',
  sample: { subject: 'Garden notes', html: '<h1>Hello</h1><p>The roses by the south wall are in flower.</p>' },
  body: Type.Object({
    subject: Optional(Type.String({ maxLength: 998 })),
    html: Optional(Type.String({ contentMediaType: 'text/html' })),
    text: Optional(Type.String({ contentMediaType: 'text/plain' })),
    mime: Optional(
      Type.String({
        contentMediaType: 'message/rfc822',
        description: 'A whole message, as it would be sent, instead of subject and html.',
      }),
    ),
    transfer_encoding: Optional(Type.Enum(['base64', '7bit', '8bit'])),
    data: sourceFields.data,
    from: Optional(
      Type.String({
        maxLength: 320,
        description: 'An address at a verified sending domain; the message is signed with its key.',
      }),
    ),
    from_name: Optional(Type.String({ maxLength: 200 })),
    headers: Optional(Type.Record(Type.String(), Type.String())),
    sending_ip: Optional(Type.String({ maxLength: 45, description: 'Same as `envelope.ip`.' })),
    envelope: Optional(Envelope),
    region: Optional(Region),
    live_unsubscribe: Optional(
      Type.Boolean({
        description:
          'Send the POST of RFC 8058 to the unsubscribe address of the message. This can unsubscribe a real recipient.',
      }),
    ),
  }),
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Type.Object({ meta: Meta, item: SpamTest, links: Links }),
  status: 201,
  errors: ['invalid_request', 'too_large'],
});

export const listTests = contract({
  ...common,
  isMetric: true,
  method: 'GET',
  operationId: 'listSpamTests',
  path: PATH,
  summary: 'List spam tests, newest first',
  description: 'Pages by `limit` and `skip`; newest first unless `sort_by` and `sort_order` say otherwise.',
  query: Type.Object({
    status: Type.Optional(Type.Enum(['pending', 'processing', 'completed', 'failed'])),
    region: Type.Optional(Region),
    sort_by: Type.Enum(['created_at', 'updated_at'], { default: 'created_at' }),
    sort_order: Type.Enum(['desc', 'asc'], { default: 'desc' }),
    ...skipFields(),
  }),
  reply: Type.Object({ meta: Meta, paging: Paging, items: Type.Array(SpamTest), links: Links }),
  errors: ['invalid_request'],
});
