import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { fileQuery, Result } from '../previews/index.ts';

const Share = Type.Object(
  {
    test_id: Type.String(),
    uuid: Type.String(),
    url_uuid: Type.String(),
    url: Type.String(),
    share_url: Type.String(),
    enabled: Type.Boolean(),
    expires_at: Type.String({ description: 'RFC 3339.' }),
    expiration: Type.Integer({ description: 'Unix seconds.' }),
  },
  { title: 'PreviewShare' },
);
const WithMessage = Type.Evaluate(Type.Intersect([Share, Type.Object({ message: Type.String() })]));
const common = { tag: 'Email preview', errorShape: 'reason', product: 'email_preview' } as const;
const Named = Type.Object({ test_id: Type.String() });
const ByUuid = Type.Object({
  url_uuid: Type.Optional(Type.String({ description: 'If given, must be the current uuid.' })),
});
const PATH = '/v1/preview/sharing/{test_id}';

export const createShare = contract({
  ...common,
  method: 'POST',
  operationId: 'createPreviewShare',
  path: '/v1/preview/sharing',
  summary: 'Create a shareable link for a test',
  description: 'A test has one link; later calls answer with the same link.',
  body: Type.Object({ test_id: Type.String() }),
  reply: WithMessage,
  errors: ['not_found', 'invalid_request'],
});

export const getShare = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewShare',
  path: PATH,
  summary: 'Get the share of a test',
  description: '404 if the test has no share.',
  params: Named,
  reply: Share,
  errors: ['not_found'],
});

export const updateShare = contract({
  ...common,
  method: 'PUT',
  operationId: 'updatePreviewShare',
  path: PATH,
  summary: 'Enable or disable the link',
  description: 'Send `enabled` in the body or the query. Without it the link changes to the other state.',
  params: Named,
  query: Type.Evaluate(Type.Intersect([ByUuid, Type.Object({ enabled: Type.Optional(Type.Boolean()) })])),
  body: Type.Object({ enabled: Type.Optional(Type.Boolean()) }),
  isBodyOptional: true,
  reply: WithMessage,
  errors: ['not_found', 'invalid_request'],
});

export const deleteShare = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deletePreviewShare',
  path: PATH,
  summary: 'Delete the share',
  description: 'The link stops working. A `url_uuid` that is given must be the current one.',
  params: Named,
  query: ByUuid,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found', 'invalid_request'],
});

export const rotateShare = contract({
  ...common,
  method: 'POST',
  operationId: 'rotatePreviewShare',
  path: `${PATH}/rotate`,
  summary: 'Create a new link; the old link stops working and the expiry restarts',
  description: 'A `url_uuid` that is given must be the current one.',
  params: Named,
  query: ByUuid,
  reply: Share,
  errors: ['not_found', 'invalid_request'],
});

export const getPublicShare = contract({
  ...common,
  method: 'GET',
  operationId: 'getPublicPreviewShare',
  path: '/v1/preview/sharing/public/{id}',
  summary: 'Get a shared test by the uuid of its link, without a key',
  description: 'Its pictures have addresses of this share, which end with it: when it is disabled, rotated or expired.',
  params: Type.Object({ id: Type.String() }),
  reply: Type.Evaluate(
    Type.Intersect([Share, Type.Object({ subject: Type.String(), date: Type.Integer(), results: Type.Array(Result) })]),
  ),
  errors: ['not_found', 'expired'],
  access: 'none',
});

export const getSharedFile = contract({
  ...common,
  method: 'GET',
  operationId: 'getSharedPreviewFile',
  path: '/files/shares/{uuid}/{client_id}/{file}',
  summary: 'Get a picture of a shared test; the address ends with the share',
  description: 'Needs no key. 410 after the share has ended, 425 until the picture is ready.',
  params: Type.Object({ uuid: Type.String(), client_id: Type.String(), file: Type.String() }),
  query: Type.Object(fileQuery),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'expired', 'too_early'],
  access: 'none',
  isFile: true,
});
