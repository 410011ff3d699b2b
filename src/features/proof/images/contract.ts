import { Type, type Static } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { BODY_BYTES_MAX, Nullable, SourceBody } from '../_message/index.ts';
import { Deleted, Started } from '../_inspections/index.ts';

const LINKS_MAX = 25_000;
/** One image in base64, inside JSON. */
const UPLOAD_BODY_BYTES_MAX = 21 * 1024 * 1024;

const text = (description: string) => Type.String({ description });

const Finding = Type.Object(
  {
    id: Type.String(),
    rule: Type.String(),
    description: Type.String(),
    impact: Type.Optional(Type.Enum(['critical', 'serious', 'moderate', 'minor'])),
    recommendation: Type.Optional(Type.String()),
    details: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'ImageFinding' },
);

const DetailsLeftOut = Type.Optional(
  Type.Literal(true, { description: 'The details are not empty: they are in the test itself.' }),
);

const judged = {
  passes: Type.Array(Finding),
  failures: Type.Array(Finding),
  informational: Type.Array(Finding),
};

const Animation = Type.Object(
  {
    frames: Type.Integer(),
    duration_ms: Type.Integer({ description: 'Duration of one pass over all frames, as written in the file.' }),
    played_duration_ms: Type.Integer({
      description: 'Duration of one pass in browsers, which show very short frames longer.',
    }),
    loops: Type.Union([Type.Integer(), Type.Literal('endless')], { description: 'Total number of passes.' }),
    color_depth: Type.Integer({ description: 'Bits per pixel.' }),
    palette_colors: Nullable(Type.Integer()),
    has_transparency: Type.Boolean(),
    first_frame_url: Nullable(text('The first frame as PNG: all that some clients show.')),
  },
  { title: 'ImageAnimation' },
);

const Image = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    status: Type.Enum(['Valid', 'Invalid', 'Skipped']),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    selector: Type.Optional(Type.String()),
    absolute_index: Type.Optional(Type.Integer()),
    found_in: Nullable(text('Element and attribute or property, such as `img src` or `td background-image`.')),
    alt: Nullable(text('Null if the image has none or needs none.')),
    width: Nullable(Type.Integer({ description: 'Pixels in the file.' })),
    height: Nullable(Type.Integer()),
    display_width: Nullable(
      Type.Number({ description: 'Displayed size in CSS pixels, as far as the message states it.' }),
    ),
    display_height: Nullable(Type.Number()),
    format: Nullable(text('Detected from the bytes: gif, png, jpeg, webp, avif, heif, svg, bmp, ico, tiff.')),
    mime_type: Nullable(Type.String()),
    size_bytes: Nullable(Type.Integer()),
    load_time_ms: Nullable(
      Type.Integer({ description: 'With redirects, until the last byte. Null for what comes with the message.' }),
    ),
    final_url: Nullable(Type.String()),
    color_depth: Nullable(Type.Integer({ description: 'Bits per pixel.' })),
    has_transparency: Nullable(Type.Boolean()),
    stored_url: Nullable(text('The file as it was checked. Anyone who knows the address can read it.')),
    gif: Type.Optional(Animation),
    ...judged,
  },
  { title: 'CheckedImage' },
);

const OptimizedImage = Type.Object(
  {
    id: Type.String(),
    original_image_id: Type.String(),
    image_url: Type.String(),
    status: Type.Enum(['Complete', 'Error', 'Processing']),
    error_message: Type.Optional(Type.String()),
    optimized_url: Type.Optional(Type.String()),
    optimized_file_size: Type.Optional(text('Bytes, as text.')),
    optimized_format: Type.Optional(Type.String()),
    optimized_mime_type: Type.Optional(Type.String()),
    load_time_ms: Nullable(Type.Integer()),
    kind: Type.Optional(
      Type.Enum(['same_format', 'resized', 'alternative', 'original'], {
        description:
          '`same_format` and `resized` can replace the original in every client; `alternative` is another ' +
          'format; `original` means that no smaller file was found.',
      }),
    ),
    original_size_bytes: Type.Optional(Type.Integer()),
    optimized_size_bytes: Type.Optional(Type.Integer()),
    saved_percent: Type.Optional(Type.Number()),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    encoder: Type.Optional(Type.String()),
    visual_difference: Type.Optional(
      Type.Object(
        { ssim: Type.Number(), delta_e: Type.Number() },
        { description: 'Measured: structural similarity (1 is equal), and color distance (2 is just noticed).' },
      ),
    ),
    client_support_warning: Type.Optional(text('Which clients do not show the format.')),
  },
  { title: 'OptimizedImage' },
);

/** One file of an image, or why there is none. */
export type OptimizedImageView = Static<typeof OptimizedImage>;

const ImageOptimization = Type.Object(
  { id: Type.String(), error_message: Type.Optional(Type.String()), optimized_images: Type.Array(OptimizedImage) },
  { title: 'ImageOptimization' },
);

const ImageValidation = Type.Object(
  {
    id: Type.String(),
    total_load_time_ms: Nullable(Type.Integer()),
    total_size_bytes: Nullable(Type.Integer()),
    images: Type.Array(Image),
    ...judged,
    image_optimization: Type.Optional(ImageOptimization),
  },
  { title: 'ImageValidation' },
);

const Meta = Type.Object({
  status: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  error: Type.Optional(Type.String()),
});
const Test = Type.Object({ meta: Meta, items: ImageValidation }, { title: 'ImageTest' });

export const TAG = 'Images';
const common = { tag: TAG, errorShape: 'message' } as const;
export const PATH = '/v1/inspect/images';
const Named = Type.Object({ id: Type.String() });

export const createTest = contract({
  ...common,
  method: 'POST',
  operationId: 'createImageTest',
  path: PATH,
  summary: 'Check images by their addresses',
  description: 'Answers at once; the test is at the address in `items`.',
  body: Type.Object({
    links: Type.Array(Type.String({ minLength: 1, maxLength: 8_000 }), { minItems: 1, maxItems: LINKS_MAX }),
  }),
  bodyBytesMax: 20 * 1024 * 1024,
  reply: Started,
  errors: ['invalid_request', 'too_large'],
});

export const createTestFromHtml = contract({
  ...common,
  method: 'POST',
  operationId: 'createImageTestFromHtml',
  path: `${PATH}/html-validate`,
  summary: 'Check the images of an email',
  description: 'Images that the message carries itself (`cid:`, `data:`) are judged too.',
  body: SourceBody,
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  errors: ['invalid_request', 'source_unreachable', 'too_large'],
});

export const uploadImage = contract({
  ...common,
  method: 'POST',
  operationId: 'uploadImage',
  fileField: 'image',
  path: `${PATH}/upload`,
  summary: 'Check one image and get the result',
  description: 'As a file of a multipart body, or in base64.',
  body: Type.Object({
    image: Type.Unknown({ description: 'A file of a multipart body; in JSON, base64 or a data: URL.' }),
    file_name: Type.Optional(
      Type.String({ maxLength: 300, description: 'Of an image in JSON; its extension is checked.' }),
    ),
  }),
  bodyBytesMax: UPLOAD_BODY_BYTES_MAX,
  reply: Test,
  errors: ['invalid_request', 'too_large'],
});

export const listTests = contract({
  ...common,
  method: 'GET',
  operationId: 'listImageTests',
  path: PATH,
  summary: 'List image tests, newest first',
  description:
    'Of each test the first fifty images, with their failures; details are left out beyond eight thousand ' +
    'characters a test. Everything else is in the test itself.',
  query: Type.Object(skipFields()),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'Never empty.' }),
        status: Type.String(),
        created_at: Type.String(),
        total_load_time_ms: Nullable(Type.Integer()),
        total_size_bytes: Nullable(Type.Integer()),
        image_count: Type.Integer(),
        images: Type.Array(
          Type.Object({
            id: Type.String(),
            url: Type.String(),
            status: Type.String(),
            failures: Type.Array(Type.Object({ ...Finding.properties, details_left_out: DetailsLeftOut })),
          }),
        ),
        links: Type.Object({ self: Type.String() }),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const getTest = contract({
  ...common,
  method: 'GET',
  operationId: 'getImageTest',
  isPolled: true,
  path: `${PATH}/{id}`,
  summary: 'Get an image test',
  description: 'While it runs, the answer carries `Retry-After`: ask again after that many seconds.',
  params: Named,
  reply: Test,
  errors: ['not_found'],
});

export const deleteTest = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteImageTest',
  path: `${PATH}/{id}`,
  summary: 'Delete an image test and its files',
  description: 'The optimized files are deleted too.',
  params: Named,
  reply: Deleted,
  errors: ['not_found'],
});

export const reprocessTest = contract({
  ...common,
  method: 'POST',
  operationId: 'reprocessImageTest',
  path: `${PATH}/{id}/reprocess`,
  summary: 'Load and check the images of a test again',
  description: 'The test keeps its id.',
  params: Named,
  reply: Started,
  errors: ['not_found'],
});

const OPTIMIZE_NOTE =
  'Waits a few seconds; when the status is `Processing`, call it again, or get the test. Images that are ' +
  'already optimized are ' +
  'skipped.';

export const optimizeTest = contract({
  ...common,
  method: 'POST',
  operationId: 'optimizeImageTest',
  path: `${PATH}/{id}/optimize`,
  summary: 'Optimize the images of a test',
  description: OPTIMIZE_NOTE,
  params: Named,
  reply: Type.Object({ meta: Type.Object({ status: Type.String() }), items: Type.Array(ImageOptimization) }),
  errors: ['not_found', 'conflict'],
});

export const optimizeImage = contract({
  ...common,
  method: 'POST',
  operationId: 'optimizeImage',
  path: `${PATH}/{id}/optimize/{image_id}`,
  summary: 'Optimize one image of a test',
  description: OPTIMIZE_NOTE,
  params: Type.Object({ id: Type.String(), image_id: Type.String() }),
  reply: Type.Object({ meta: Type.Object({ status: Type.String() }), items: ImageOptimization }),
  errors: ['not_found', 'conflict'],
});

export const getFile = contract({
  ...common,
  method: 'GET',
  operationId: 'getImageFile',
  path: '/files/images/{id}/{folder}/{file}',
  summary: 'Get a file of an image test; the address itself is the permission',
  description: 'Needs no key. With `download` the browser saves the file.',
  params: Type.Object({ id: Type.String(), folder: Type.String(), file: Type.String() }),
  query: Type.Object({
    download: Type.Optional(Type.String({ description: 'If present, the answer is an attachment.' })),
  }),
  reply: Type.Unknown(),
  errors: ['not_found'],
  access: 'none',
  isFile: true,
});
