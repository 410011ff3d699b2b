import { Type } from 'typebox';
import { LOOK_RULE } from '../../../platform/browser/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { common, Named } from './contract.ts';

const NamedClient = Type.Object({ test_id: Type.String(), client_id: Type.String() });

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
    fidelity: Type.Enum(['real', 'engine', 'emulated']),
    engine: Type.String({
      description: 'The engine of the screenshot and its version; empty until the screenshot is ready.',
    }),
    family: Type.String(),
    color_scheme: Type.Enum(['light', 'dark']),
    notes: Type.Array(Type.String(), {
      description: 'Notes about this screenshot, such as where the client clips the message.',
    }),
    pictures: Type.Record(Type.String(), Picture),
    first_screens: Type.Optional(
      Type.Record(Type.String(), FirstScreen, {
        description:
          'The tops of long screenshots that are still being made, by the names of `screenshots`. Absent where there ' +
          'is none.',
      }),
    ),
    sources: Type.Array(Type.Object({ what: Type.String(), url: Type.String(), date: Type.String() })),
  },
  { title: 'PreviewResult' },
);

export const listResults = contract({
  ...common,
  method: 'GET',
  operationId: 'listPreviewResults',
  path: '/v1/preview/tests/{test_id}/results',
  summary: 'Get the results of all clients of a test',
  description: 'Keyed by client id, with the addresses of the screenshots.',
  params: Named,
  reply: Type.Record(Type.String(), Result),
  errors: ['not_found'],
});

export const getResult = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewResult',
  path: '/v2/preview/tests/{test_id}/results/{client_id}',
  summary: 'Get the result of one client',
  description:
    'Answers with an object whose only key is the client id. An error if the client is not part of the test.',
  params: NamedClient,
  reply: Type.Record(Type.String(), Result),
  errors: ['not_found', 'invalid_client'],
});

export const reprocess = contract({
  ...common,
  method: 'PUT',
  operationId: 'reprocessPreviewResults',
  path: '/v1/preview/tests/{test_id}/results/reprocess',
  summary: 'Retake the screenshots of some clients',
  description: 'Galley fetches the images again. At most twenty times per client; a bounced client cannot be retried.',
  params: Named,
  body: Type.Object({ clients: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }) }),
  reply: Type.Record(
    Type.String(),
    Type.Object({
      success: Type.Boolean(),
      reason: Type.Optional(Type.String()),
      remaining_reprocesses: Type.Integer(),
      regional: Type.Boolean(),
      screenshot: Type.Optional(
        Type.Object({
          id: Type.String(),
          type: Type.Literal('resubmit'),
          sent: Type.Integer(),
          completed: Type.Integer(),
        }),
      ),
    }),
  ),
  errors: ['not_found', 'invalid_request'],
});

const Content = Type.Object({ content: Type.String() }, { title: 'PreviewContent' });
export const getContent = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewContent',
  path: '/v1/preview/tests/{test_id}/content',
  summary: 'Get the HTML of a test',
  description: 'The HTML as it was sent, before any client changes it.',
  params: Named,
  reply: Content,
  errors: ['not_found'],
});

export const getContentAs = contract({
  ...getContent,
  operationId: 'getPreviewContentAs',
  path: '/v1/preview/tests/{test_id}/content/{content}',
  summary: 'Get the HTML with its styles inlined, or the text alone',
  description: '`inlinecss` moves the styles into style attributes; `textonly` is the text alone.',
  params: Type.Object({ test_id: Type.String(), content: Type.Enum(['inlinecss', 'textonly']) }),
  errors: ['not_found', 'invalid_request'],
});
