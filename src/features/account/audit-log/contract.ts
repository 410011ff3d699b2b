import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { CursorPaging, cursorFields } from '../../../platform/paging/index.ts';
import { CSV_SEPARATORS } from '../../../platform/spreadsheets/index.ts';

const common = { tag: 'Audit log', errorShape: 'message', access: 'admin' } as const;
const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);
const KINDS = ['change', 'sign_in'] as const;

const contains = (what: string) => Type.Optional(Type.String({ maxLength: 200, description: `${what}; in any case.` }));

const filter = {
  start: Type.Optional(
    Type.String({ maxLength: 100, description: 'RFC 2822 or ISO 8601. Default: the oldest entry.' }),
  ),
  end: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 2822 or ISO 8601. Default: now.' })),
  kind: Type.Optional(Type.Enum([...KINDS])),
  who: contains('The id or the name of the key or user, or the requestor, contains this'),
  operation: contains('The operation, such as `createDomain`, contains this'),
  path: contains('Method and path, such as `DELETE /v1/keys`, contain this'),
  text: contains('Anything of the entry contains this'),
  include_subaccounts: Type.Boolean({ default: false, description: "The subaccounts' entries, too." }),
};

const Entry = Type.Object(
  {
    id: text,
    account_id: Type.String({ description: 'The account that was acted for.' }),
    at: Type.String({ description: 'ISO 8601, UTC.' }),
    kind: Type.Enum([...KINDS]),
    operation: Type.String({ description: 'The operation id of this document, or what happened at sign-in.' }),
    method: text,
    path: Type.String({ description: 'Without the query.' }),
    resource: Type.Record(text, text, {
      description: 'What was changed: parts of the path, fields that name it, and ids from the answer.',
    }),
    fields: Type.Array(text, { description: 'The names of the fields that were given. Their values are not kept.' }),
    status: Type.Integer({ description: 'Of the answer. 0: there was none, such as for a command of the operator.' }),
    result: Type.Enum(['success', 'failure']),
    actor: Type.Object({
      type: Type.Enum(['key', 'user', 'operator', 'unknown'], {
        description: '`operator`: a command on the machine of the service.',
      }),
      id: textOrNull,
      name: Type.String({ description: 'The description of the key, or the name of the user, as it was then.' }),
      account_id: Type.Union([text, Type.Null()], { description: 'The account that the key or user belongs to.' }),
      role: textOrNull,
      session_id: Type.Union([text, Type.Null()], { description: 'When the call came from the dashboard.' }),
    }),
    address: Type.String({ description: 'Where the call came from; behind a trusted proxy, what that says.' }),
    user_agent: text,
    requestor: Type.Union([text, Type.Null()], { description: '`X-Service-Requestor`: what the caller says.' }),
    requestor_client: Type.Union([text, Type.Null()], { description: '`X-Service-Requestor-Client`.' }),
    request_id: text,
  },
  { title: 'AuditEntry' },
);

export const listAudit = contract({
  ...common,
  method: 'GET',
  operationId: 'listAuditEntries',
  path: '/v1/audit',
  summary: 'List who changed what',
  description:
    'Newest first: every successful call that changed something, and every sign-in with a known key, but for operations whose ' +
    'description says that they are not in the audit log. An entry is written before its call is answered; if the ' +
    'process ends between the change and its entry, there is a change without an entry, whose caller got no answer. ' +
    'Entries are kept for the days of `GALLEY_AUDIT_DAYS`. Nobody can change or delete one by the API.',
  query: Type.Object({ ...filter, ...cursorFields({ limit: 50, held: 1000 }) }),
  reply: Type.Object({ items: Type.Array(Entry), total: Type.Integer(), paging: CursorPaging }),
  errors: ['invalid_request'],
});

export const exportAudit = contract({
  ...common,
  method: 'GET',
  operationId: 'exportAuditEntries',
  path: '/v1/audit/export',
  summary: 'Export the audit log',
  description:
    'Oldest first, at most 100,000 entries: `csv` for spreadsheets, in UTF-8 with a byte order mark, or `jsonl`, an ' +
    'object a line as the list has them. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
  query: Type.Object({
    ...filter,
    format: Type.Enum(['csv', 'jsonl'], { default: 'csv' }),
    separator: Type.Enum([...CSV_SEPARATORS], {
      default: 'comma',
      description: 'Of CSV. Spreadsheets in most European languages open `semicolon` in columns.',
    }),
  }),
  reply: Type.Unknown(),
  errors: ['invalid_request'],
  isFile: true,
});
