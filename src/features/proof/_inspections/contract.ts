import { Type } from 'typebox';
import { REPORT_FORMATS, type ReportFormat } from '../../../engines/reports/index.ts';
import { contract } from '../../../platform/http/index.ts';
import { NewName } from '../_message/index.ts';

const Place = Type.Object(
  {
    line: Type.Optional(Type.Integer({ description: 'From 1, in the source as given.' })),
    column: Type.Optional(Type.Integer({ description: 'From 1.' })),
    offset: Type.Optional(Type.Integer({ description: 'Characters from the start of the source, from 0.' })),
    selector: Type.Optional(Type.String({ description: 'CSS selector of the element in the parsed document.' })),
    snippet: Type.Optional(Type.String()),
  },
  { title: 'FindingPlace' },
);

/** `engines/findings`, on the wire. */
export const FindingView = Type.Object(
  {
    rule: Type.String({ description: 'Inspection and rule, such as `links/broken`; stable.' }),
    severity: Type.Enum(['error', 'warning', 'info', 'pass']),
    message: Type.String(),
    where: Type.Optional(Place),
    places: Type.Optional(
      Type.Array(Place, {
        description: 'All places of a fault that occurs in several, `where` first; at most 1,000.',
      }),
    ),
    count: Type.Optional(
      Type.Integer({ description: 'Number of places where the fault occurs, if there is more than one.' }),
    ),
    fix: Type.Optional(Type.String({ description: 'How to fix the fault.' })),
    source: Type.Optional(
      Type.String({ description: 'The source of the rule: a WCAG criterion, an RFC section or a data set.' }),
    ),
    clients: Type.Optional(
      Type.Array(Type.String(), { description: 'The affected clients, if the finding concerns only some clients.' }),
    ),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Finding' },
);

export const getInspection = contract({
  tag: 'Inspections',
  errorShape: 'message',
  method: 'GET',
  operationId: 'getInspection',
  isPolled: true,
  path: '/v1/inspections/{id}',
  summary: 'Get the findings of an inspection of any kind',
  description: 'Code analyses, link, image and accessibility tests answer here with one common shape of findings.',
  params: Type.Object({ id: Type.String() }),
  reply: Type.Object({
    id: Type.String(),
    kind: Type.String(),
    name: Type.String({ description: 'The name that lists show; never empty.' }),
    status: Type.Enum(['Processing', 'Complete', 'Failed']),
    version: Type.Integer(),
    findings: Type.Array(FindingView),
    error: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String(),
    updated_at: Type.String(),
  }),
  errors: ['not_found'],
});

export const renameInspection = contract({
  tag: 'Inspections',
  errorShape: 'message',
  method: 'PATCH',
  operationId: 'renameInspection',
  path: '/v1/inspections/{id}',
  summary: 'Rename an inspection of any kind',
  description: 'The name is what lists show.',
  params: Type.Object({ id: Type.String() }),
  body: NewName,
  reply: Type.Object({ id: Type.String(), name: Type.String() }),
  errors: ['invalid_request', 'not_found'],
});

export const getReport = contract({
  tag: 'Inspections',
  errorShape: 'message',
  method: 'GET',
  operationId: 'getInspectionReport',
  path: '/v1/inspections/{id}/report',
  summary: 'Get the findings of an inspection of any kind as a report',
  description:
    'Findings of severity error fail. An inspection that failed is a report that says so. Answers 425 with ' +
    'Retry-After while it runs. The report of a gate with its verdict is at /v1/inspect/gate/{id}/report.',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({
    format: Type.Enum(Object.keys(REPORT_FORMATS) as ReportFormat[], { default: 'json' }),
    name: Type.String({
      minLength: 1,
      maxLength: 1000,
      default: 'message.html',
      description: 'The name of the email in the report, such as its path in your repository.',
    }),
  }),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'too_early'],
  isFile: true,
});
