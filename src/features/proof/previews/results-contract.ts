import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { common, Named, Result } from './contract.ts';

const NamedClient = Type.Object({ test_id: Type.String(), client_id: Type.String() });

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
