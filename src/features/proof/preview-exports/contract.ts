import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const Export = Type.Object(
  {
    job_id: Type.String(),
    test_id: Type.String(),
    clients: Type.Array(Type.String()),
    job_status: Type.Enum(['Processing', 'Complete', 'Failed']),
    zip_url: Type.Optional(Type.String()),
    failed_clients: Type.Optional(Type.Array(Type.String())),
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { title: 'PreviewExport' },
);
const common = { tag: 'Email preview', errorShape: 'reason', product: 'email_preview' } as const;

export const createExport = contract({
  ...common,
  method: 'POST',
  operationId: 'createPreviewExport',
  path: '/v2/preview/tests/{test_id}/exports',
  summary: 'Start an export of screenshots as a zip file',
  description:
    'The export waits at most ten minutes for clients in processing and lists bounced clients in `failed_clients`.',
  params: Type.Object({ test_id: Type.String() }),
  body: Type.Object({
    clients: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
    test_id: Type.Optional(Type.String()),
  }),
  reply: Export,
  errors: ['not_found', 'invalid_request', 'invalid_client'],
});

export const latestExport = contract({
  ...common,
  method: 'GET',
  operationId: 'getLatestPreviewExport',
  path: '/v2/preview/tests/{test_id}/exports',
  summary: 'Get the latest export of a test',
  description: '404 if the test has no export.',
  params: Type.Object({ test_id: Type.String() }),
  reply: Export,
  errors: ['not_found'],
});

export const getExport = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewExport',
  path: '/v2/preview/tests/{test_id}/exports/{job_id}',
  summary: 'Get an export',
  description: '`zip_url` is present when `job_status` is `Complete`.',
  params: Type.Object({ test_id: Type.String(), job_id: Type.String() }),
  reply: Export,
  errors: ['not_found'],
});

export const getZip = contract({
  ...common,
  method: 'GET',
  operationId: 'downloadPreviewExport',
  path: '/files/exports/{job_id}',
  summary: 'Download an export; the address itself is the permission',
  description: 'Needs no key.',
  params: Type.Object({ job_id: Type.String() }),
  reply: Type.Unknown(),
  errors: ['not_found', 'damaged'],
  access: 'none',
  isFile: true,
});
