import { Type, type TSchema } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, Nullable, sourceFields } from '../_message/index.ts';
import { Deleted, FindingView } from '../_inspections/index.ts';

const Shares = Type.Object(
  {
    name: Type.Optional(Type.Unknown()),
    clients: Type.Optional(
      Type.Unknown({
        description: 'A profile of your own: `[{ "client": "gmail.android", "share": 31, "name": "Gmail" }]`.',
      }),
    ),
  },
  {
    title: 'SupportShares',
    additionalProperties: true,
    description:
      'Shares by client, such as `{ "gmail.android": 31, "outlook.windows@2016": 4 }`, or a profile with ' +
      '`name` and `clients`. A client is `family.platform` of the dictionary, with `@version` for one ' +
      'version. Shares are of any scale.',
  },
);
const AUDIENCE_LENGTH_MAX = 10_000;
export const AudienceField = Type.Union(
  [
    Type.String({
      maxLength: AUDIENCE_LENGTH_MAX,
      description: 'The id of a profile, or shares as `gmail.android:31,apple-mail.ios:69`.',
    }),
    Shares,
  ],
  { description: 'The audience of the score.' },
);

/** The fields of the wire, and what makes a result better. */
const NewAnalysis = Type.Object({
  ...sourceFields,
  subject: Type.Optional(
    Nullable(Type.String({ maxLength: 2000, description: 'Subject for the inbox rows if the source has none.' })),
  ),
  audience: Type.Optional(Nullable(AudienceField)),
});

export const PATH = '/v1/inspect/analyze';
export const TAG = 'Code analysis';
const common = { tag: TAG, errorShape: 'message' } as const;
const Id = Type.String({ maxLength: 200 });
const Named = Type.Object({ test_id: Id });
const OfVersion = Type.Object({ test_id: Id, version_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
const Links = Type.Object({ self: Type.String() });
const Map = <Value extends TSchema>(value: Value) => Type.Record(Type.String(), value);

const Sums = Type.Object(
  { supported: Type.Number(), partial_support: Type.Number(), unsupported: Type.Number(), unknown: Type.Number() },
  { title: 'SupportSums', description: 'Percent of what the message uses; the four add up to 100.' },
);

const Meta = Type.Object({
  status: Type.Enum(['Processing', 'Completed', 'Failed']),
  version: Type.Integer(),
  count: Type.Optional(Type.Integer({ description: 'Features in this answer.' })),
  application_support: Type.Optional(Type.Object({ desktop: Sums, mobile: Sums, web: Sums })),
  inbox_provider_support: Type.Optional(Map(Sums)),
  market_support: Type.Optional(Sums),
  audience: Type.Optional(Type.Object({ id: Type.Optional(Type.String()), name: Type.String() })),
  grouped_by: Type.Optional(Type.Literal('notes')),
  error: Type.Optional(Type.String()),
});

const Variant = Type.Object(
  {
    id: Type.String({ description: 'A key of the dictionary’s `variants`.' }),
    notes: Type.Array(Type.String({ description: 'Keys of `notes_lookup`.' })),
  },
  { title: 'CodeVariant' },
);
const VariantGroup = Type.Object(
  { note: Type.String(), variants: Type.Array(Type.String()) },
  { title: 'CodeVariantGroup' },
);
const Variants = Type.Optional(Type.Array(Type.Union([Variant, VariantGroup])));

const Feature = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    description: Type.String(),
    category: Type.String(),
    notes_lookup: Map(Type.String()),
    instances: Type.Array(
      Type.Object({ id: Type.String(), line: Type.Integer(), column: Type.Integer(), resolved: Type.Boolean() }),
    ),
    instance_count: Type.Integer({ description: 'Number of all instances; `instances` holds the first 200.' }),
    support: Type.Object({ y: Variants, a: Variants, n: Variants, u: Variants }),
    suggestion: Type.Optional(Type.String({ description: 'What to write instead of an unsupported feature.' })),
    last_test_date: Type.String(),
    url: Type.String({ description: 'The feature’s page, with its tests.' }),
  },
  { title: 'CodeFeature' },
);

const Score = Type.Object(
  {
    overall: Type.Number({
      description:
        '0 to 100: the share of the message that survives, averaged over the audience. Overlapping breakages ' +
        'count once.',
    }),
    per_client: Type.Array(
      Type.Object({
        client: Type.String(),
        name: Type.String(),
        share: Type.Number(),
        score: Type.Number(),
        breaks: Type.Array(Type.String()),
        untested: Type.Array(Type.String()),
      }),
    ),
    breakages: Type.Array(
      Type.Object({
        slug: Type.String(),
        name: Type.String(),
        instance_count: Type.Integer(),
        share: Type.Number(),
        points: Type.Number(),
        clients: Type.Array(Type.String()),
      }),
      { description: 'The biggest losses, largest first.' },
    ),
    explanation: Type.Array(Type.String()),
  },
  { title: 'CodeScore' },
);

const Suggestion = Type.Object(
  {
    suggestion: Type.String(),
    slugs: Type.Array(Type.String()),
    points: Type.Number({ description: 'Points that the suggestion gains at most.' }),
    instance_count: Type.Integer(),
  },
  { title: 'CodeSuggestion' },
);

const IsCut = Type.Optional(Type.Boolean({ description: 'Absent: how much the client shows is not known.' }));
const Shown = Type.Object({ shown: Type.String(), is_cut: IsCut });
const Source = Type.Object(
  { what: Type.String(), url: Type.Optional(Type.String()), date: Type.String() },
  { title: 'DataSource' },
);
const InboxRow = Type.Object(
  {
    client: Type.String(),
    name: Type.String(),
    subject: Shown,
    preview: Type.Optional(
      Type.Object({
        shown: Type.String(),
        is_cut: IsCut,
        body_text: Type.String({ description: 'Text of the body that clients show after the preheader.' }),
      }),
    ),
    limits: Type.Object(
      { subject: Type.Optional(Type.Integer()), preview: Type.Optional(Type.Integer()) },
      { description: 'Characters. Absent: not known; 0: the list shows no preview.' },
    ),
    source: Source,
  },
  { title: 'InboxRow' },
);

const Result = Type.Object(
  {
    meta: Meta,
    items: Type.Object({
      id: Type.String(),
      version: Type.Integer(),
      features: Type.Array(Feature),
      score: Type.Optional(Score),
      suggestions: Type.Optional(Type.Array(Suggestion)),
      findings: Type.Optional(
        Type.Array(FindingView, {
          description:
            'Of the analysis for this audience, and of the checks that no support data covers: one for each ' +
            'feature, one for each rule and cause.',
        }),
      ),
      inbox: Type.Optional(Type.Array(InboxRow)),
      not_looked_for: Type.Optional(Type.Array(Type.Object({ slug: Type.String(), reason: Type.String() }))),
      complete: Type.Optional(
        Type.Boolean({ description: 'False if the message exceeds the limits and only its first part was analyzed.' }),
      ),
      source_bytes: Type.Optional(Type.Integer()),
      data_date: Type.Optional(Type.String({ description: 'When the support data last changed.' })),
    }),
  },
  { title: 'CodeAnalysisResult' },
);

const Started = Type.Object(
  {
    meta: Type.Object({ status: Type.String(), version: Type.Integer() }),
    items: Type.Object({ id: Type.String(), links: Links }),
  },
  { title: 'StartedCodeAnalysis' },
);

const resultQuery = Type.Object({
  slug: Type.Optional(Type.String({ maxLength: 200, description: 'Only this feature.' })),
  support_type: Type.Optional(
    Type.Enum(['y', 'a', 'n', 'u'], {
      description: 'Only features with variants of this support, and only those variants.',
    }),
  ),
  application_type: Type.Optional(Type.Enum(['web', 'mobile', 'desktop'])),
  group_by: Type.Optional(Type.Enum(['notes'])),
  audience: Type.Optional(
    Type.String({
      maxLength: AUDIENCE_LENGTH_MAX,
      description:
        'A profile by its id, or shares as `gmail.android:31,apple-mail.ios:69`; by default what the ' +
        'analysis was asked for with.',
    }),
  ),
});

export const getDictionary = contract({
  ...common,
  method: 'GET',
  operationId: 'getCodeAnalysisDictionary',
  path: `${PATH}/dictionary`,
  summary: 'Names of clients, platforms, categories and support levels',
  description: 'Explains the short names in code analyses.',
  reply: Type.Object({
    lookups: Type.Object({
      clients: Map(Type.String()),
      platforms: Map(Type.String()),
      application_type: Map(Type.String()),
      support_levels: Map(Type.String()),
      categories: Map(Type.String()),
      variants: Map(Type.Object({ client: Type.String(), platform: Type.String(), version: Type.String() })),
    }),
  }),
});

export const listAudiences = contract({
  ...common,
  method: 'GET',
  operationId: 'listAudiences',
  path: `${PATH}/audiences`,
  summary: 'Audience profiles that come with the service',
  description: 'Each can be named as `audience` of a code analysis, in place of shares of your own.',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        description: Type.String(),
        is_default: Type.Boolean(),
        source: Source,
        clients: Type.Array(Type.Object({ client: Type.String(), name: Type.String(), share: Type.Number() })),
      }),
    ),
  }),
});

export const listAnalyses = contract({
  ...common,
  method: 'GET',
  operationId: 'listCodeAnalyses',
  path: PATH,
  summary: 'List code analyses, newest first',
  description: 'Pages by `limit` and `skip`.',
  query: Type.Object({ ...skipFields(), status: Type.Optional(Type.Enum(['Processing', 'Completed', 'Failed'])) }),
  reply: Type.Object({
    meta: Type.Object({ count: Type.Integer(), ...Paging.properties }),
    items: Type.Array(
      Type.Object({
        test_id: Type.String(),
        name: Type.String({ description: 'Never empty.' }),
        status: Type.String(),
        version: Type.Integer(),
        created_at: Type.String(),
        links: Links,
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const createAnalysis = contract({
  ...common,
  method: 'POST',
  operationId: 'createCodeAnalysis',
  path: PATH,
  summary: 'Analyze the code of an email',
  description:
    'Answers at once; the analysis is at the address in `items`. Exactly one of `html`, ' +
    '`url` and `mime` is the source.',
  body: NewAnalysis,
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  errors: ['invalid_request', 'source_unreachable', 'too_large'],
});

export const getAnalysis = contract({
  ...common,
  method: 'GET',
  operationId: 'getCodeAnalysis',
  isPolled: true,
  path: `${PATH}/{test_id}`,
  summary: 'Get the latest version of a code analysis',
  description:
    'The query filters the features. While it runs, the answer carries `Retry-After`: ' +
    'ask again after that many seconds.',
  params: Named,
  query: resultQuery,
  reply: Result,
  errors: ['invalid_request', 'not_found'],
});

export const updateAnalysis = contract({
  ...common,
  method: 'POST',
  operationId: 'updateCodeAnalysis',
  path: `${PATH}/{test_id}`,
  summary: 'Analyze changed code as the next version',
  description: 'Earlier versions are kept. Give exactly one of `html`, `url` and `mime`.',
  params: Named,
  body: NewAnalysis,
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  errors: ['invalid_request', 'source_unreachable', 'not_found', 'too_large'],
});

export const deleteAnalysis = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteCodeAnalysis',
  path: `${PATH}/{test_id}`,
  summary: 'Delete a code analysis with all its versions',
  description: 'The analysis, its versions and their results are deleted. This cannot be undone.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});

export const listVersions = contract({
  ...common,
  method: 'GET',
  operationId: 'listCodeAnalysisVersions',
  path: `${PATH}/{test_id}/versions`,
  summary: 'List the versions of a code analysis, oldest first',
  description: 'The address of a version ends with its number.',
  params: Named,
  reply: Type.Object({
    meta: Type.Object({ count: Type.Integer() }),
    items: Type.Object({
      versions: Type.Array(
        Type.Object({ version: Type.Integer(), status: Type.String(), created_at: Type.String(), links: Links }),
      ),
    }),
  }),
  errors: ['not_found'],
});

export const getVersion = contract({
  ...common,
  method: 'GET',
  operationId: 'getCodeAnalysisVersion',
  isPolled: true,
  path: `${PATH}/{test_id}/versions/{version_id}`,
  summary: 'Get one version of a code analysis',
  description:
    'The query filters the features. While it runs, the answer carries `Retry-After`: ' +
    'ask again after that many seconds.',
  params: OfVersion,
  query: resultQuery,
  reply: Result,
  errors: ['invalid_request', 'not_found'],
});

export const resolveInstance = contract({
  ...common,
  method: 'POST',
  operationId: 'resolveCodeAnalysisInstance',
  path: `${PATH}/{test_id}/resolve/{id}`,
  summary: 'Mark an instance as resolved',
  description:
    'The mark stays in later versions for as long as the instance keeps its id. `{"resolved": false}` takes it back.',
  params: Type.Object({ test_id: Id, id: Id }),
  body: Type.Object({ resolved: Type.Boolean({ default: true }) }),
  isBodyOptional: true,
  reply: Type.Object({
    message: Type.String(),
    items: Type.Object({ id: Type.String(), version: Type.Integer(), resolved: Type.Boolean() }),
  }),
  errors: ['invalid_request', 'not_found', 'conflict'],
});
