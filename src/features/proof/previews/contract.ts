import { Type, type Static } from 'typebox';
import { LOOK_RULE } from '../../../platform/browser/index.ts';
import { PublishedBehaviors } from '../preview-clients/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { numberFields } from '../../../platform/paging/index.ts';
import { FindingView } from '../_inspections/index.ts';
import { BODY_BYTES_MAX, NewName, Nullable, sourceFields } from '../_message/index.ts';

export const common = { tag: 'Email preview', errorShape: 'preview', product: 'email_preview' } as const;
const V1 = { deprecated: { since: '@1735689600', successor: '/v2/preview/tests' } } as const;
export const Named = Type.Object({ test_id: Type.String() });
const Text = (description: string) => Type.Optional(Nullable(Type.String({ description, maxLength: 1000 })));

/** Of a request: which content checks it wants, by name. */
type CheckFields = Record<string, Type.TOptional<Type.TUnion<[Type.TBoolean, Type.TNull]>>>;

const Given = Type.Optional(Nullable(Type.String({ maxLength: 1000 })));
export const SpamOption = Type.Object(
  {
    test_method: Type.Optional(
      Nullable(
        Type.Enum(['eoa', 'smtp', 'seed'], {
          description: 'How the message reaches the seeds: `eoa`, the service sends it.',
        }),
      ),
    ),
    from_address: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 320,
          description: 'An address at a verified sending domain. By default a test sender sends the message.',
        }),
      ),
    ),
    key: Given,
    smtp_info: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
  },
  {
    title: 'SpamOption',
    additionalProperties: false,
    description: 'Run a spam test of the same email, too. Its results are at /v1/inspect/spam/{key}.',
  },
);

/** The reading panes that can be asked for, in CSS pixels. */
export const PANE_WIDTHS = { min: 320, max: 1600 } as const;
const PaneWidth = Type.Integer({
  minimum: PANE_WIDTHS.min,
  maximum: PANE_WIDTHS.max,
  description:
    'CSS pixels of the area that shows the message in programs and webmail; by default what `viewport` of the client ' +
    'says. Phones and tablets keep the width of their screens.',
});

export const newTest = (checks: CheckFields) =>
  Type.Object({
    subject: Type.String({
      maxLength: 10_000,
      description: 'Encoded in the transfer_encoding and charset of the source.',
    }),
    ...sourceFields,
    clients: Type.Optional(Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 500 }))),
    image_blocking: Type.Optional(Nullable(Type.Boolean())),
    pane_width: Type.Optional(Nullable(PaneWidth)),
    headers: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
    reference_id: Text('Returned in answers; lists can search for it.'),
    customer_id: Text('Returned in answers; lists can search for it.'),
    content_checking: Type.Optional(Nullable(Type.Object(checks))),
    spam: Type.Optional(Nullable(SpamOption)),
    user_id: Type.Optional(Type.Unknown()),
    folder_id: Type.Optional(Type.Unknown()),
    project_name: Type.Optional(Type.Unknown()),
  });

const Warning = Type.Object({ name: Type.String(), message: Type.String() }, { title: 'PreviewWarning' });
const Spam = Type.Optional(
  Type.Object({
    key: Type.String({ description: 'The id of the spam test.' }),
    address_list: Type.Array(Type.String({ description: 'Where the message is sent.' })),
    meta: Type.Optional(Type.Object({ status: Type.String() })),
    items: Type.Optional(Type.Object({ id: Type.String(), links: Type.Object({ self: Type.String() }) })),
    errors: Type.Optional(
      Type.Array(Type.Object({ status: Type.String(), title: Type.String(), detail: Type.String() }), {
        description: 'Why there is no spam test any more.',
      }),
    ),
  }),
);

const Created = Type.Object(
  {
    id: Type.String(),
    reference_id: Type.Optional(Type.String()),
    customer_id: Type.Optional(Type.String()),
    spam: Spam,
    warnings: Type.Array(Warning),
    content_checking: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'CreatedPreviewTest' },
);

export const createTestV2 = (checks: CheckFields) =>
  contract({
    ...common,
    method: 'POST',
    operationId: 'createPreviewTest',
    path: '/v2/preview/tests',
    summary: 'Create and submit a preview test',
    description:
      'Give exactly one of `html`, `url`, `mime` and `template`. Unknown clients become warnings, as long as at ' +
      'least one is known.',
    body: newTest(checks),
    bodyBytesMax: BODY_BYTES_MAX,
    reply: Created,
    errors: ['invalid_request', 'invalid_client', 'source_unreachable', 'too_large'],
  });

export const createTestV1 = (checks: CheckFields) =>
  contract({
    ...createTestV2(checks),
    ...V1,
    operationId: 'createPreviewTestV1',
    path: '/v1/preview/tests',
    summary: 'Create a preview test',
  });

export const searchFields = {
  from: Type.Optional(Type.String({ description: 'Unix seconds, ISO 8601 or RFC 2822.' })),
  to: Type.Optional(Type.String({ description: 'Unix seconds, ISO 8601 or RFC 2822.' })),
  subject: Type.Optional(Type.String({ description: 'Part of the subject, in any case.' })),
  customer_id: Type.Optional(Type.String()),
  reference_id: Type.Optional(Type.String()),
};

const Search = Type.Object({
  ...searchFields,
  ...numberFields('results', { limit: 50, limitMax: 200 }),
});

const Summary = Type.Object(
  {
    id: Type.String(),
    date: Type.Integer({ description: 'Unix seconds.' }),
    type: Type.Literal('email-test'),
    subject: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
  },
  { title: 'PreviewTestSummary' },
);

export const listTestsV2 = contract({
  ...common,
  isMetric: true,
  method: 'GET',
  operationId: 'listPreviewTests',
  path: '/v2/preview/tests',
  summary: 'List or search preview tests, newest first',
  description: 'Pages by `results` and `page`. A test must match all given conditions.',
  query: Search,
  reply: Type.Array(Summary),
  errors: ['invalid_request'],
});

export const listTestsV1 = contract({
  ...listTestsV2,
  ...V1,
  operationId: 'listPreviewTestsV1',
  path: '/v1/preview/tests',
  summary: 'List preview tests',
});

const Info = Type.Object(
  {
    subject: Type.String(),
    name: Type.String({ description: 'The name that lists show; never empty.' }),
    date: Type.Integer({ description: 'Unix seconds.' }),
    completed: Type.Array(Type.String()),
    processing: Type.Array(Type.String()),
    bounced: Type.Array(Type.String()),
    first_screens: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Clients in processing of whose screenshot the top is there; absent where there is none.',
      }),
    ),
    content_checking: Type.Record(Type.String(), Type.Unknown()),
    headers: Type.Record(Type.String(), Type.String()),
    reference_id: Type.Optional(Type.String()),
    customer_id: Type.Optional(Type.String()),
    spam: Spam,
    image_blocking: Type.Boolean(),
    pane_width: Nullable(PaneWidth),
    expires_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { title: 'PreviewTest' },
);

export const getTestV2 = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewTest',
  path: '/v2/preview/tests/{test_id}',
  summary: 'Get a preview test',
  description: '`completed`, `processing` and `bounced` hold the ids of its clients.',
  params: Named,
  reply: Info,
  errors: ['not_found'],
});
export const getTestV1 = contract({
  ...getTestV2,
  ...V1,
  operationId: 'getPreviewTestV1',
  path: '/v1/preview/tests/{test_id}',
});

export const renameTest = contract({
  ...common,
  method: 'PATCH',
  operationId: 'renamePreviewTest',
  path: '/v2/preview/tests/{test_id}',
  summary: 'Rename a preview test',
  description: 'Lists show the name; the subject does not change.',
  params: Named,
  body: NewName,
  reply: Type.Object({ id: Type.String(), name: Type.String() }),
  errors: ['invalid_request', 'not_found'],
});

const Deleted = Type.Object({ success: Type.Boolean() }, { title: 'DeletedPreviewTest' });
export const deleteTestV2 = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deletePreviewTest',
  path: '/v2/preview/tests/{test_id}',
  summary: 'Delete a preview test, its screenshots and its content checks',
  description: 'This cannot be undone.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});
export const deleteTestV1 = contract({
  ...deleteTestV2,
  ...V1,
  operationId: 'deletePreviewTestV1',
  path: '/v1/preview/tests/{test_id}',
});

export const addChecks = (checks: CheckFields) =>
  contract({
    ...common,
    method: 'POST',
    operationId: 'addPreviewTestChecks',
    path: '/v2/preview/tests/{test_id}/content_checking',
    summary: 'Run content checks on a preview test that was made without them',
    description:
      'The body is the `content_checking` of a new test. Running and complete checks do not change; ' +
      'failed and deleted checks run again.',
    params: Named,
    body: Type.Object(checks, { additionalProperties: false }),
    reply: Type.Object({ id: Type.String(), content_checking: Type.Record(Type.String(), Type.Unknown()) }),
    errors: ['invalid_request', 'not_found'],
  });

const Details = Type.Object(
  {
    submitted: Type.Integer(),
    completed: Type.Integer(),
    bouncecode: Type.String(),
    bouncemessage: Type.String(),
    bounce_code: Type.String(),
    bounce_message: Type.String(),
    attempts: Type.Integer(),
  },
  { title: 'PreviewResultDetails' },
);
const Sharp = Type.Object(
  {
    pixel_ratio: Type.Number({ description: 'Pixels of the screen for each CSS pixel.' }),
    parts: Type.Integer({ description: 'Each is as high as the screen; the last one may be lower.' }),
    part_height: Type.Integer({ description: 'Pixels of the whole screenshot that a part shows.' }),
    url: Type.String({
      description:
        'With the number of a part, from 1, in place of `{part}`. The first request has it drawn: 425 until it is ' +
        'there. `Galley-Content-Height` of the answer is `content_height` at this pixel ratio: images and media ' +
        'queries that depend on it may make it another one.',
    }),
  },
  {
    title: 'PreviewSharpParts',
    description:
      'The same with the pixels that the screen of the phone or tablet has, in parts; absent for other clients.',
  },
);
const Picture = Type.Object(
  {
    id: Type.String({ description: 'Screenshots with the same id are identical.' }),
    look: Type.String({ description: LOOK_RULE }),
    width: Type.Integer(),
    height: Type.Integer(),
    content_height: Type.Integer(),
    is_cut: Type.Boolean(),
    bytes: Type.Integer(),
    preview_at: Type.Optional(
      Type.Integer({ description: 'Unix seconds: when there was something to see, its first screen or all of it.' }),
    ),
    sharp: Type.Optional(Sharp),
  },
  { title: 'PreviewPicture' },
);

const FirstScreen = Type.Object(
  {
    url: Type.String({ description: 'When the whole picture is there, it is at this address, too.' }),
    width: Type.Integer(),
    height: Type.Integer(),
    content_height: Type.Integer({ description: 'CSS pixels of the whole message.' }),
    preview_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { title: 'PreviewFirstScreen' },
);

const LastCompared = Type.Object(
  {
    capture_id: Type.String(),
    test_id: Type.String({ description: 'The test of that message; it may be another one.' }),
    captured_at: Type.String({ description: 'RFC 3339, UTC.' }),
    compared_at: Type.String(),
    client_version: Type.String({ description: 'As stated by who made the capture.' }),
    how: Type.Enum(['by_hand', 'agent']),
    agreement: Type.Number({ description: '0 to 1, see `method`.' }),
    method: Type.String(),
  },
  { title: 'PreviewEvidence' },
);
export type Evidence = Static<typeof LastCompared>;

export const Undecided = Type.Object(
  {
    feature: Type.String({ description: 'Its name at caniemail.com.' }),
    title: Type.String(),
    reason: Type.String({ description: 'Why it is not known what the client does with it.' }),
    tested: Type.String({ description: '`YYYY-MM-DD`: when somebody last tried the feature in any client.' }),
    places: Type.Array(Type.Object({ line: Type.Integer(), column: Type.Integer() }), {
      description: 'In the HTML of the message, from 1; at most five.',
    }),
    place_count: Type.Integer(),
  },
  { title: 'PreviewUndecided' },
);

export const Result = Type.Object(
  {
    id: Type.String(),
    displayname: Type.String(),
    display_name: Type.String(),
    client: Type.String(),
    os: Type.String(),
    category: Type.String(),
    browser: Type.String(),
    screenshots: Type.Record(Type.String(), Type.String(), {
      description: '`default`, `no_images` (images blocked), `horizontal` (landscape).',
    }),
    thumbnail: Type.String(),
    fullthumbnail: Type.String(),
    full_thumbnail: Type.String(),
    status: Type.String(),
    statusdetails: Details,
    status_details: Details,
    fidelity: Type.Enum(['real', 'engine', 'emulated'], {
      description: 'How the screenshot was made. `undecided` names what it leaves open.',
    }),
    undecided: Nullable(
      Type.Array(Undecided, {
        description:
          'Features that the message uses, and of which nobody has published what this client does with them: the ' +
          'screenshot shows them as its engine does. Null: not known, for nothing is published of the client, or the ' +
          'message was not looked through.',
      }),
    ),
    engine: Type.String({
      description: 'The engine of the screenshot and its version; empty until the screenshot is ready.',
    }),
    family: Type.String(),
    color_scheme: Type.Enum(['light', 'dark']),
    notes: Type.Array(Type.String(), {
      description: 'Notes about this screenshot, such as where the client clips the message.',
    }),
    findings: Type.Array(FindingView, {
      description:
        'Faults measured in the screenshots of this client: text under 3:1 contrast on what is behind it, text cut off ' +
        'or overlapping, a message wider than a phone, images missing or stretched, a clipped message. ' +
        '`details.box` is left, top, width and height in CSS pixels, `details.shot` the screenshot.',
    }),
    findings_measured: Type.Boolean({
      description:
        'Whether all of the layout was measured. Where it is false, an empty `findings` says nothing: the screenshot is ' +
        'not ready, its engine does not measure, or the message is too long to be measured whole.',
    }),
    audience_share: Nullable(
      Type.Number({
        description:
          'Percent of the default audience that reads in this client on this platform, light and dark together; null ' +
          'where the audience does not name it.',
      }),
    ),
    pictures: Type.Record(Type.String(), Picture),
    first_screens: Type.Optional(
      Type.Record(Type.String(), FirstScreen, {
        description:
          'The tops of long screenshots that are still being made, by the names of `screenshots`. Absent where there ' +
          'is none.',
      }),
    ),
    last_compared: Type.Union([LastCompared, Type.Null()], {
      description:
        'The newest accepted capture of this client in this account, and how far its preview agreed with it; null ' +
        'where there is none.',
    }),
    published_behaviors: PublishedBehaviors,
    sources: Type.Array(Type.Object({ what: Type.String(), url: Type.String(), date: Type.String() })),
  },
  { title: 'PreviewResult' },
);
