import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const Export = Type.Object({
  job_id: Type.String(),
  test_id: Type.String(),
  clients: Type.Array(Type.String()),
  job_status: Type.Enum(['Processing', 'Complete', 'Failed']),
  zip_url: Type.Optional(Type.String()),
  failed_clients: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});
const common = { tag: 'Email preview', errorShape: 'reason' } as const;

export const createExport = contract({
  ...common,
  method: 'POST',
  path: '/v2/preview/tests/{test_id}/exports',
  summary: 'Start an export of screenshots as a zip file',
  description:
    'Clients still processing are waited for, ten minutes at most; those that bounced are listed in `failed_clients`.',
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
  path: '/v2/preview/tests/{test_id}/exports',
  summary: 'Get the latest export of a test',
  params: Type.Object({ test_id: Type.String() }),
  reply: Export,
  errors: ['not_found'],
});

export const getExport = contract({
  ...common,
  method: 'GET',
  path: '/v2/preview/tests/{test_id}/exports/{job_id}',
  summary: 'Get an export',
  params: Type.Object({ test_id: Type.String(), job_id: Type.String() }),
  reply: Export,
  errors: ['not_found'],
});

export const getZip = contract({
  ...common,
  method: 'GET',
  path: '/files/exports/{job_id}',
  summary: 'Download an export; the address itself is the permission',
  params: Type.Object({ job_id: Type.String() }),
  reply: Type.Unknown(),
  errors: ['not_found', 'damaged'],
  access: 'none',
  isFile: true,
});
