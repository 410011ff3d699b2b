import { Type } from 'typebox';
import { contract } from '../../platform/http/index.ts';
import { Deleted, pageFields, Paging, Started } from '../inspections/index.ts';

export const HTML_BYTES_MAX = 5 * 1024 * 1024;
/** HTML in base64, inside JSON. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

const Instance = Type.Object({
  correctAny: Type.Array(Type.String(), { description: 'Correct one of these.' }),
  correctAll: Type.Array(Type.String(), { description: 'Correct all of these.' }),
  snippet: Type.String(),
  target: Type.Array(Type.String()),
  lineNumber: Type.Integer(),
  absoluteIndex: Type.Integer(),
});

const Rule = Type.Object({
  rule: Type.String(),
  impact: Type.Optional(Type.Enum(['minor', 'moderate', 'serious', 'critical'])),
  description: Type.String(),
  standards: Type.Array(Type.String()),
  pour: Type.Array(Type.String()),
  compliance: Type.Array(Type.String(), { description: 'WCAG 2.2 success criteria, such as `1.1.1 Non-text Content`.' }),
  instances: Type.Optional(Type.Array(Instance)),
});

const common = { tag: 'Accessibility', errorShape: 'errors' } as const;
const PATH = '/v1/inspect/accessibility';
const Named = Type.Object({ id: Type.String() });

export const createTest = contract({
  ...common,
  method: 'POST',
  path: PATH,
  summary: 'Check the accessibility of an email',
  body: Type.Object({ html: Type.String({ minLength: 1 }), encoded: Type.Boolean({ default: false, description: 'The HTML is in base64.' }) }),
  bodyBytesMax: BODY_BYTES_MAX,
  reply: Started,
  status: 201,
  errors: ['invalid_request', 'too_large'],
});

export const listTests = contract({
  ...common,
  method: 'GET',
  path: PATH,
  summary: 'List accessibility tests, newest first',
  query: Type.Object(pageFields),
  reply: Type.Object({
    meta: Type.Object({ count: Type.Integer() }),
    paging: Paging,
    items: Type.Array(
      Type.Object({ id: Type.String(), status: Type.String(), checks: Type.Integer(), passes: Type.Integer(), failures: Type.Integer(), needs_review: Type.Integer(), created_at: Type.String(), updated_at: Type.String() }),
    ),
  }),
  errors: ['invalid_request'],
});

export const getTest = contract({
  ...common,
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Get an accessibility test',
  params: Named,
  reply: Type.Object({
    meta: Type.Object({ status: Type.String(), created_at: Type.String(), updated_at: Type.String(), error: Type.Optional(Type.String()) }),
    items: Type.Array(Type.Object({ checks: Type.Integer(), passes: Type.Array(Rule), failures: Type.Array(Rule), needs_review: Type.Array(Rule) })),
  }),
  errors: ['not_found'],
});

export const deleteTest = contract({ ...common, method: 'DELETE', path: `${PATH}/{id}`, summary: 'Delete an accessibility test', params: Named, reply: Deleted, errors: ['not_found'] });
