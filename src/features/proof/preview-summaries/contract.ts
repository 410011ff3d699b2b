import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { numberFields } from '../../../platform/paging/index.ts';
import { searchFields } from '../previews/index.ts';

const Check = Type.Object(
  {
    status: Type.Enum(['Processing', 'Complete', 'Failed', 'Missing'], {
      description: '`Missing`: it was deleted, or could not be started.',
    }),
    errors: Type.Integer(),
    warnings: Type.Integer(),
  },
  { title: 'PreviewCheck' },
);

const Row = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Never empty.' }),
    subject: Type.String(),
    date: Type.Integer({ description: 'Unix seconds.' }),
    expires_at: Type.Integer({ description: 'Unix seconds.' }),
    source: Type.Enum(['html', 'url', 'mime']),
    reference_id: Type.Optional(Type.String()),
    customer_id: Type.Optional(Type.String()),
    clients: Type.Object({
      total: Type.Integer(),
      completed: Type.Integer(),
      processing: Type.Integer(),
      bounced: Type.Integer(),
    }),
    thumbnails: Type.Array(Type.Object({ client_id: Type.String(), display_name: Type.String(), url: Type.String() }), {
      description: 'Up to four thumbnails of the best-known clients, as they become ready.',
    }),
    checks: Type.Record(Type.String(), Check, { description: 'The requested content checks, by name.' }),
    findings: Type.Object(
      { errors: Type.Integer(), warnings: Type.Integer() },
      { description: 'Totals over all checks.' },
    ),
    spam: Type.Optional(Type.Object({ id: Type.String(), status: Type.String() })),
    sharing: Type.Optional(Type.Object({ enabled: Type.Boolean(), url: Type.String(), expires_at: Type.String() })),
  },
  { title: 'PreviewTestRow' },
);

export const listSummaries = contract({
  isMetric: true,
  tag: 'Email preview',
  errorShape: 'preview',
  product: 'email_preview',
  method: 'GET',
  operationId: 'listPreviewSummaries',
  path: '/v1/previews/summary',
  summary: 'List preview tests with thumbnails and check totals, newest first',
  description: 'Pages by `limit` and `page`; takes the same filters as the list of preview tests.',
  query: Type.Object({
    ...searchFields,
    ...numberFields('limit', { limit: 30, limitMax: 100 }),
  }),
  reply: Type.Object({
    meta: Type.Object({
      count: Type.Integer({ description: 'Total over all pages.' }),
      limit: Type.Integer(),
      page: Type.Integer(),
    }),
    items: Type.Array(Row),
  }),
  errors: ['invalid_request'],
});
