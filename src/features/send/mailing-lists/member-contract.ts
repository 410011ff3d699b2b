import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields, skipFields } from '../../../platform/paging/index.ts';
import { common, field, ListPath, MailingList } from './contract.ts';

const text = Type.String();
const FIELDS = {
  address: text,
  name: text,
  vars: Type.Record(Type.String(), Type.Unknown(), { description: 'Fills `%recipient.age%` and its like.' }),
  subscribed: Type.Boolean(),
};
const Member = Type.Object(FIELDS, { title: 'MailingListMember' });

const flag = (description: string) => field(description, Type.Enum(['yes', 'no', 'true', 'false']));
const subscribed = Type.Optional(
  Type.Enum(['yes', 'no', 'true', 'false'], { description: 'Only those who are, or are not.' }),
);
const all = { ...common, path: '/v3/lists/{list_address}/members', params: ListPath } as const;
const one = {
  ...common,
  path: '/v3/lists/{list_address}/members/{member_address}',
  params: Type.Object({ ...ListPath.properties, member_address: Type.String({ maxLength: 1000 }) }),
} as const;

export const listMembers = contract({
  ...all,
  method: 'GET',
  operationId: 'listMailingListMembers',
  summary: 'List the members of a mailing list',
  description: 'By address.',
  query: Type.Object({
    ...skipFields(),
    address: Type.Optional(Type.String({ description: 'This member alone.' })),
    subscribed,
  }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Member) }),
  errors: ['invalid_request', 'not_found'],
});

export const pageMembers = contract({
  ...all,
  method: 'GET',
  operationId: 'listMailingListMemberPages',
  path: '/v3/lists/{list_address}/members/pages',
  summary: 'List the members of a mailing list, page by page',
  description: 'By address; a page without items is the end.',
  query: Type.Object({ ...pivotFields(), address: pivotField, subscribed }),
  reply: Type.Object({ paging: EndlessPaging, items: Type.Array(Member) }),
  errors: ['invalid_request', 'not_found'],
});

const SAID = {
  name: field('At most 256 characters; `%recipient_name%` in messages.'),
  vars: field(
    'An object, or its JSON of at most 16,384 characters.',
    Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  ),
  subscribed: flag('`no`: the list does not write to them.'),
};

export const addMember = contract({
  ...all,
  method: 'POST',
  operationId: 'addMailingListMember',
  summary: 'Add a member to a mailing list',
  description: 'With `upsert`, a member who is there already is changed: what is not given stays.',
  sample: { address: 'ann@example.com' },
  body: Type.Object({
    address: field('`ann@example.com`, or `Ann <ann@example.com>`.'),
    ...SAID,
    upsert: flag('Default: `no`.'),
  }),
  reply: Type.Object({ member: Member, message: text }),
  errors: ['invalid_request', 'not_found', 'too_many_requests'],
});

const Upload = Type.Object({
  list: MailingList,
  'task-id': Type.String({ description: 'For `GET /v1/galley/lists/{list_address}/uploads/{task_id}`.' }),
  message: text,
});
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

export const uploadRecords = contract({
  ...all,
  method: 'POST',
  operationId: 'addMailingListMembers',
  path: '/v3/lists/{list_address}/members.json',
  summary: 'Add up to 1,000 members to a mailing list',
  description:
    'All are taken, or none: they are read before the answer, and written after it. Members who are there already ' +
    'stay as they are, or with `upsert` are changed: what is not given stays. The fields may stand in the query, too.',
  bodyBytesMax: BATCH_BYTES_MAX,
  sample: { members: [{ address: 'ann@example.com', name: 'Ann', vars: { age: 26 } }] },
  query: Type.Object({ members: Type.Optional(text), upsert: Type.Optional(text) }),
  body: Type.Object({
    members: field(
      'A JSON list of addresses, or of objects with `address`, `name`, `vars` and `subscribed`.',
      Type.Array(Type.Union([text, Type.Partial(Member)])),
    ),
    upsert: flag('Default: `no`.'),
  }),
  isBodyOptional: true,
  reply: Upload,
  errors: ['invalid_request', 'not_found', 'too_many_requests'],
});

export const uploadSheet = contract({
  ...all,
  method: 'POST',
  operationId: 'uploadMailingListMembers',
  path: '/v3/lists/{list_address}/members.csv',
  summary: 'Add members to a mailing list from a spreadsheet',
  description:
    'A CSV file of at most 5 MB (or a workbook), in UTF-8, UTF-16 or windows-1252, with commas, semicolons or tabs. ' +
    'Its first row names the columns: `address`, and if you like `name`, `subscribed` and `vars` (JSON); every other ' +
    'column becomes a variable. It is read before the answer, and written after it. Rows that are no member are left ' +
    'out; the upload counts them and names the first 20.',
  bodyBytesMax: BATCH_BYTES_MAX,
  fileField: 'members',
  isFormOnly: true,
  body: Type.Object({
    members: readByItself(Type.String({ contentMediaType: '*/*' })),
    subscribed: flag('Of those who are new, where the file does not say. Default: `yes`.'),
    upsert: flag('Default: `no`.'),
  }),
  reply: Upload,
  errors: ['invalid_request', 'not_found', 'too_many_requests', 'too_large'],
});

export const getMember = contract({
  ...one,
  method: 'GET',
  operationId: 'getMailingListMember',
  summary: 'Get a member of a mailing list',
  description: 'The fields stand in `member`, too, where existing clients look for them.',
  reply: Type.Object({ ...FIELDS, member: Member }),
  errors: ['not_found'],
});

export const updateMember = contract({
  ...one,
  method: 'PUT',
  operationId: 'updateMailingListMember',
  summary: 'Change a member of a mailing list',
  description: 'What is not given stays.',
  body: Type.Object({ address: field('Another address.'), ...SAID }),
  isBodyOptional: true,
  reply: Type.Object({ member: Member, message: text }),
  errors: ['invalid_request', 'not_found'],
});

export const deleteMember = contract({
  ...one,
  method: 'DELETE',
  operationId: 'deleteMailingListMember',
  summary: 'Remove a member from a mailing list',
  description: 'What was sent before is delivered.',
  reply: Type.Object({ member: Type.Object({ address: text }), message: text }),
  errors: ['not_found'],
});

export const getUpload = contract({
  ...common,
  method: 'GET',
  operationId: 'getMailingListUpload',
  path: '/v1/galley/lists/{list_address}/uploads/{task_id}',
  summary: 'Get what became of members that were uploaded',
  description: 'For seven days.',
  params: Type.Object({ ...ListPath.properties, task_id: Type.String({ maxLength: 100 }) }),
  reply: Type.Object(
    {
      'task-id': text,
      state: Type.Enum(['under way', 'finished']),
      format: Type.Enum(['json', 'csv']),
      upsert: Type.Boolean(),
      members: Type.Integer({ description: 'Entries that were read, each address once.' }),
      written: Type.Integer({ description: 'Of these so far.' }),
      added: Type.Integer(),
      updated: Type.Integer(),
      kept: Type.Integer({ description: 'Members already, who stayed as they are.' }),
      skipped: Type.Integer({ description: 'Rows that are no member.' }),
      problems: Type.Array(Type.Object({ row: Type.Integer(), message: text })),
      created_at: text,
      finished_at: Type.Union([text, Type.Null()]),
    },
    { title: 'MailingListUpload' },
  ),
  errors: ['not_found'],
});
