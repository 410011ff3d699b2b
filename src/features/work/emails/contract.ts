import { Type, type Static } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, NewName, Nullable, sourceFields } from '../../proof/_message/index.ts';

/** Of one email. */
export const VERSIONS_MAX = 1000;
export const LABELS_MAX = 500;
const TAGS_MAX = 20;
const TEXT_LENGTH_MAX = 1024 * 1024;
export const ORIGINS = ['paste', 'file', 'url', 'template', 'sandbox'] as const;

export const PATH = '/v1/emails';
export const common = { tag: 'Emails', errorShape: 'message' } as const;
const params = Type.Object({ email_id: Type.String() });
export const ofVersion = Type.Object({
  email_id: Type.String(),
  number: Type.String({ description: 'From 1, or `latest`.' }),
});
export const At = Type.String({ description: 'RFC 3339, UTC.' });
const Folder = Type.String({
  maxLength: 200,
  description: 'Names with a slash between them, such as `Campaigns/Spring`; empty: in no folder.',
});
const Tag = Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' });

/** Where an email belongs. */
export const Filed = Type.Object({
  name: Type.Optional(Nullable(NewName.properties.name)),
  folder: Type.Optional(Nullable(Folder)),
  tags: Type.Optional(Nullable(Type.Union([Type.Array(Tag, { maxItems: TAGS_MAX }), Tag]))),
});

const { name: _fallback, ...sources } = sourceFields;

/** What a version is made from: exactly one of `html`, `mime`, `url`, `template`, `file` and `sandbox`. */
export const ContentBody = Type.Object({
  ...sources,
  file: Type.Optional(
    readByItself(
      Type.String({
        contentMediaType: '*/*',
        description: 'HTML or a whole message (.eml), in a multipart body; told apart by its name, or how it begins.',
      }),
    ),
  ),
  sandbox: Type.Optional(
    Nullable(
      Type.Object(
        {
          inbox: Type.String({ minLength: 1, maxLength: 200, description: 'Its id or its name.' }),
          message: Type.String({ minLength: 1, maxLength: 100, description: 'The id of a message in it.' }),
        },
        { title: 'SandboxSource', additionalProperties: false },
      ),
    ),
  ),
  subject: Type.Optional(Nullable(Type.String({ maxLength: 2000, description: 'Of HTML.' }))),
  from: Type.Optional(
    Nullable(Type.String({ maxLength: 1000, description: 'Of HTML: who is to send it, as in the field From.' })),
  ),
  text: Type.Optional(
    Nullable(Type.String({ maxLength: TEXT_LENGTH_MAX, description: 'Of HTML: the text part that goes with it.' })),
  ),
});

const Owner = Type.Object({ id: Type.String(), name: Nullable(Type.String()) }, { title: 'EmailOwner' });
/** Of what a review of the newest version says; reviews stand above emails. */
export const ReviewState = Type.Object(
  {
    state: Type.Enum(['none', 'open', 'approved', 'changes_requested'], {
      description: 'Of the version; `open`: a link for it is open, or something was said.',
    }),
    approvals: Type.Integer(),
    change_requests: Type.Integer(),
    open_threads: Type.Integer({ description: 'Of the version, not resolved.' }),
  },
  { title: 'ReviewState' },
);
export type ReviewStateView = Static<typeof ReviewState>;

export const Email = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Never empty.' }),
    folder: Folder,
    tags: Type.Array(Type.String()),
    owner: Nullable({
      ...Owner,
      description: 'The user who made it; null: a key of no user did. `name` is null when the user is gone.',
    } as typeof Owner),
    version: Type.Integer({ description: 'The number of the newest version; from 1.' }),
    subject: Type.String({ description: 'Of the newest version.' }),
    status: Type.Object(
      {
        state: Type.Enum(['untested', 'testing', 'tested']),
        errors: Type.Integer(),
        warnings: Type.Integer(),
      },
      {
        title: 'EmailStatus',
        description:
          'What the newest test of each kind found in the newest version, place by place; what was not tested counts as ' +
          'nothing, which is why `tested` alone does not say that it is ready.',
      },
    ),
    review: ReviewState,
    created_at: At,
    updated_at: At,
  },
  { title: 'Email' },
);
export type EmailView = Static<typeof Email>;

export const Version = Type.Object(
  {
    number: Type.Integer(),
    kind: Type.Enum(['html', 'url', 'mime'], { description: 'HTML, HTML of a page, or a whole message.' }),
    origin: Type.Enum([...ORIGINS], { description: 'How it came.' }),
    url: Nullable(Type.String({ description: 'Of a page.' })),
    subject: Type.String(),
    from: Nullable(Type.String({ description: 'As given with HTML; a whole message has its own.' })),
    size_bytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the bytes, in hexadecimal.' }),
    created_at: At,
    links: Type.Object({
      self: Type.String(),
      content: Type.String(),
      source: Type.String(),
      tests: Type.String(),
    }),
  },
  { title: 'EmailVersion' },
);
export type VersionView = Static<typeof Version>;

export const Ignore = Type.Object(
  {
    cause: Type.String(),
    rule: Type.String(),
    reason: Type.String(),
    until: Nullable(Type.String({ description: 'The last day, such as `2026-12-31`; null: until it is taken back.' })),
    is_over: Type.Boolean({ description: 'That day has passed: it counts again.' }),
    created_at: At,
  },
  { title: 'EmailIgnore' },
);
export type IgnoreView = Static<typeof Ignore>;

const Shown = Type.Object({ ...Email.properties, latest: Version }, { title: 'EmailWithVersion' });

const SOURCES =
  'Give exactly one of `html`, `mime` (a whole message), `url` (fetched once), `template` (a stored one, filled with ' +
  '`data`), `sandbox` (a message of a sandbox inbox) and `file` (multipart). `subject`, `from` and `text` go with HTML. ';

export const listEmails = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmails',
  path: PATH,
  summary: 'List emails',
  description:
    'Those that changed last come first, unless `sort` says otherwise. Pages by `limit` and `skip`; `paging` holds the ' +
    'addresses of the next and previous pages.',
  query: Type.Object({
    ...skipFields(),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or subject, in any case.' })),
    folder: Type.Optional(Type.String({ maxLength: 200, description: 'Exactly this one; empty: in no folder.' })),
    tag: Type.Optional(Type.String({ maxLength: 60 })),
    owner: Type.Optional(Type.String({ maxLength: 100, description: 'The id of a user, or `me`.' })),
    sort: Type.Enum(['updated', 'created', 'name'], { default: 'updated' }),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: `asc` by name, `desc` by times.' })),
  }),
  reply: Type.Object({ items: Type.Array(Email), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createEmail = contract({
  ...common,
  method: 'POST',
  operationId: 'createEmail',
  path: PATH,
  summary: 'Create an email',
  description:
    `${SOURCES}Without \`name\` it is called by its subject, its title, its file or its address. An account has at ` +
    'most 10,000 emails and 50,000 versions, unless the operator says otherwise.',
  sample: { name: 'Spring news', subject: 'Spring is here', html: '<h1>Spring</h1><p>The garden opens.</p>' },
  body: Type.Object({ ...ContentBody.properties, ...Filed.properties }),
  bodyBytesMax: BODY_BYTES_MAX,
  fileField: 'file',
  reply: Shown,
  status: 201,
  errors: ['invalid_request', 'not_found', 'source_unreachable', 'too_large'],
});

export const getEmail = contract({
  ...common,
  method: 'GET',
  operationId: 'getEmail',
  path: `${PATH}/{email_id}`,
  summary: 'Get an email',
  description: 'With its newest version.',
  params,
  reply: Shown,
  errors: ['not_found'],
});

export const updateEmail = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateEmail',
  path: `${PATH}/{email_id}`,
  summary: 'Change an email',
  description: 'Its name, folder and tags; what is left out stays. Its content changes by a new version.',
  params,
  body: Filed,
  sample: { folder: 'Campaigns/Spring', tags: ['spring'] },
  reply: Email,
  errors: ['invalid_request', 'not_found'],
});

export const deleteEmail = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteEmail',
  path: `${PATH}/{email_id}`,
  summary: 'Delete an email',
  description:
    'With all its versions, for good. Tests that were started from them stay in their own lists, with what they ' +
    'looked at, until they are deleted or their time is over.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

const Labels = Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }, { title: 'EmailLabel' }));

export const listLabels = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmailLabels',
  path: `${PATH}/labels`,
  summary: 'List the folders and tags of emails',
  description: `With how many emails each has; at most ${LABELS_MAX} of each.`,
  reply: Type.Object({ folders: Labels, tags: Labels }),
  errors: [],
});

export const listVersions = contract({
  ...common,
  method: 'GET',
  operationId: 'listEmailVersions',
  path: `${PATH}/{email_id}/versions`,
  summary: 'List the versions of an email',
  description: 'Newest first. Pages by `limit` and `skip`.',
  params,
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(Version), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request', 'not_found'],
});

export const createVersion = contract({
  ...common,
  method: 'POST',
  operationId: 'createEmailVersion',
  path: `${PATH}/{email_id}/versions`,
  summary: 'Add a version to an email',
  description:
    `${SOURCES}What says the same as the newest version makes no new one: that is answered, with \`is_new\` false. ` +
    `An email has at most ${VERSIONS_MAX} versions.`,
  sample: { subject: 'Spring is here', html: '<h1>Spring</h1><p>The garden opens on Sunday.</p>' },
  params,
  body: ContentBody,
  bodyBytesMax: BODY_BYTES_MAX,
  fileField: 'file',
  reply: Type.Object({ ...Version.properties, is_new: Type.Boolean() }),
  status: 201,
  errors: ['invalid_request', 'not_found', 'conflict', 'source_unreachable', 'too_large'],
});

export const getVersion = contract({
  ...common,
  method: 'GET',
  operationId: 'getEmailVersion',
  path: `${PATH}/{email_id}/versions/{number}`,
  summary: 'Get a version of an email',
  description: 'What is known of it without tests.',
  params: ofVersion,
  reply: Version,
  errors: ['invalid_request', 'not_found'],
});

export const getContent = contract({
  ...common,
  method: 'GET',
  operationId: 'getEmailContent',
  path: `${PATH}/{email_id}/versions/{number}/content`,
  summary: 'Get what a version of an email says',
  description: 'Its HTML, its text and its header fields, decoded. HTML has no header fields.',
  params: ofVersion,
  reply: Type.Object({
    subject: Type.String(),
    from: Nullable(Type.String()),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  errors: ['invalid_request', 'not_found', 'damaged'],
});

export const getSource = contract({
  ...common,
  method: 'GET',
  operationId: 'getEmailSource',
  path: `${PATH}/{email_id}/versions/{number}/source`,
  summary: 'Get the source of a version of an email',
  description: 'The bytes as a file: HTML as UTF-8, or the whole message as it was given.',
  params: ofVersion,
  reply: Type.Unknown(),
  errors: ['invalid_request', 'not_found', 'damaged'],
  isFile: true,
});
