import { Type, type Static } from 'typebox';
import { LIKENESS_RULE } from '../../../engines/pictures/index.ts';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { Nullable } from '../_message/index.ts';

export const PATH = '/v2/preview/captures';
export const STATES = ['waiting', 'accepted', 'rejected'] as const;
export const PICTURES = ['captured', 'preview', 'difference'] as const;
export type PictureName = (typeof PICTURES)[number];

export const PICTURE_BYTES_MAX = 10_000_000;
/** Of the picture as it is sent. */
export const PICTURE_PIXELS_MAX = 25_000_000;
/** CSS pixels of either side. */
export const SIDE_MIN = 40;

const common = { tag: 'Email preview captures', errorShape: 'preview', product: 'email_preview' } as const;
const one = { ...common, params: Type.Object({ capture_id: Type.String() }) };
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const Sizes = Type.Object(
  { captured: Type.Integer(), preview: Type.Integer(), agreement: share('The smaller by the larger.') },
  { title: 'CaptureSizes' },
);
const Color = Type.Object({ color: Type.String(), share: share('Of the pixels of its picture.') });
const Comparison = Type.Object(
  {
    compared_at: Type.String({ description: 'RFC 3339, UTC.' }),
    preview_fidelity: Type.Enum(['real', 'engine', 'emulated'], { description: 'How the preview was made.' }),
    preview_engine: Type.String(),
    agreement: share(`0 to 1, see \`method\`.`),
    method: Type.String({ description: LIKENESS_RULE }),
    width: Sizes,
    height: Sizes,
    lines: Type.Object(Sizes.properties, {
      description: 'Runs of rows that show something: text that wraps makes more of them.',
    }),
    colors: Type.Object(
      {
        agreement: share('The share of the main colors of each that the other has.'),
        only_captured: Type.Array(Color),
        only_preview: Type.Array(Color),
      },
      { title: 'CaptureColors' },
    ),
    parts: Type.Object(
      {
        agreement: share('The share of rows that both have.'),
        missing: Type.Array(
          Type.Object({
            missing_in: Type.Enum(['captured', 'preview']),
            top: Type.Integer({ description: 'Rows of the other picture.' }),
            bottom: Type.Integer(),
          }),
          { description: 'At most 50.' },
        ),
        missing_count: Type.Integer(),
      },
      { title: 'CaptureParts' },
    ),
  },
  { title: 'CaptureComparison' },
);

const Capture = Type.Object(
  {
    id: Type.String(),
    account_id: Type.String(),
    test_id: Type.String(),
    html_digest: Type.String({ description: 'SHA-256 of the HTML, or whole message, that the test was made of.' }),
    client: Type.String(),
    client_version: Type.String({ description: 'As stated, like `os`, `captured_by` and `captured_at`.' }),
    os: Type.String(),
    captured_by: Type.String(),
    captured_at: Type.String({ description: 'RFC 3339, UTC.' }),
    fidelity: Type.Enum(['captured', 'real'], {
      description: '`real`: an agent that the operator enrolled ran the client. `captured`: somebody says so.',
    }),
    how: Type.Enum(['by_hand', 'agent']),
    agent: Nullable(Type.String()),
    state: Type.Enum([...STATES]),
    decision: Nullable(
      Type.Object({ reason: Type.String(), by: Type.String(), at: Type.String() }, { title: 'CaptureDecision' }),
    ),
    is_evidence: Type.Boolean({ description: 'It is accepted, and was compared with the preview.' }),
    width: Type.Integer({ description: 'CSS pixels.' }),
    height: Type.Integer(),
    scale: Type.Number({ description: 'Pixels of the picture that was sent to a CSS pixel.' }),
    bytes: Type.Integer({ description: 'Of the picture as it is kept, a PNG.' }),
    pictures: Type.Object({
      captured: Type.String(),
      preview: Nullable(Type.String()),
      difference: Nullable(Type.String()),
    }),
    comparison: Nullable(Comparison),
    comparison_problem: Nullable(Type.String({ description: 'Why it could not be compared.' })),
    created_at: Type.String(),
  },
  { title: 'Capture' },
);
export type CaptureView = Static<typeof Capture>;

const Line = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description });
export const createCapture = contract({
  ...common,
  method: 'POST',
  operationId: 'createPreviewCapture',
  path: PATH,
  summary: 'Upload a picture of the message in a real client',
  description:
    'Give `test_id`, or `html_digest`: then it belongs to the newest test of that source. The picture is a PNG, JPEG ' +
    'or WebP of at most 10 MB and 25 megapixels; kept is a PNG of its pixels, without what else the file says. It is ' +
    'compared with the preview once that is made, counts as evidence when the operator has accepted it, and changes ' +
    'no preview. It is deleted with its test.',
  bodyBytesMax: PICTURE_BYTES_MAX + 64 * 1024,
  fileField: 'picture',
  isFormOnly: true,
  body: Type.Object({
    picture: readByItself(Type.String({ contentMediaType: 'image/*' })),
    test_id: Type.Optional(Type.String()),
    html_digest: Type.Optional(Type.String({ pattern: '^([0-9a-f]{64})?$', description: 'SHA-256 in hex.' })),
    client: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a client of the test.' }),
    client_version: Line('As the client says it.'),
    os: Line('The operating system and its version.'),
    captured_by: Type.Optional(Type.String({ maxLength: 200, description: 'Default: who calls.' })),
    captured_at: Type.Optional(Type.String({ description: 'Unix seconds, ISO 8601 or RFC 2822. Default: now.' })),
    scale: Type.Optional(
      Type.Number({ minimum: 1, maximum: 4, description: 'Pixels to a CSS pixel, such as 2. Default: 1.' }),
    ),
  }),
  reply: Capture,
  status: 201,
  errors: ['invalid_request', 'invalid_client', 'not_found', 'too_large', 'too_many_requests'],
});

const filters = {
  client: Type.Optional(Type.String({ maxLength: 100 })),
  test_id: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(Type.Enum([...STATES])),
};
export type Filters = Partial<Record<keyof typeof filters, string>>;

export const listCaptures = contract({
  ...common,
  method: 'GET',
  operationId: 'listPreviewCaptures',
  path: PATH,
  summary: 'List captures, newest first',
  description:
    'A capture must match all given conditions. `accounts=all`: those of all accounts, for the operator: a key with ' +
    'the role `admin` of the first account of the installation.',
  query: Type.Object({
    ...filters,
    accounts: Type.Optional(Type.Enum(['own', 'all'])),
    ...skipFields({ limit: 50, max: 200 }),
  }),
  reply: Type.Object({ ...countedFields, items: Type.Array(Capture) }),
  errors: ['invalid_request', 'forbidden'],
});

export const getCapture = contract({
  ...one,
  method: 'GET',
  operationId: 'getPreviewCapture',
  path: `${PATH}/{capture_id}`,
  summary: 'Get a capture, with how far the preview agrees with it',
  description: 'One of the own account; the operator may see those of all.',
  reply: Capture,
  errors: ['not_found'],
});

export const getPicture = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewCapturePicture',
  path: `${PATH}/{capture_id}/{picture}`,
  summary: 'Get the picture that was captured, the preview it was compared with, or their difference',
  description: '425 until they were compared.',
  params: Type.Object({ capture_id: Type.String(), picture: Type.Enum([...PICTURES]) }),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'too_early', 'conflict', 'damaged'],
  isFile: true,
});

export const deleteCapture = contract({
  ...one,
  method: 'DELETE',
  operationId: 'deletePreviewCapture',
  path: `${PATH}/{capture_id}`,
  summary: 'Delete a capture and its pictures',
  description: 'It is evidence no longer. This cannot be undone.',
  reply: Type.Object({ success: Type.Boolean() }),
  errors: ['not_found'],
});

const decision = {
  ...one,
  method: 'POST',
  access: 'admin',
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S' }) }),
  reply: Capture,
  errors: ['invalid_request', 'not_found', 'forbidden', 'conflict'],
} as const;

export const acceptCapture = contract({
  ...decision,
  operationId: 'acceptPreviewCapture',
  path: `${PATH}/{capture_id}/accept`,
  summary: 'Accept a capture made by hand as evidence',
  description: 'For the operator alone. A later decision replaces an earlier one.',
});

export const rejectCapture = contract({
  ...decision,
  operationId: 'rejectPreviewCapture',
  path: `${PATH}/{capture_id}/reject`,
  summary: 'Reject a capture as evidence',
  description: 'For the operator alone. The capture stays; it does not count.',
});
