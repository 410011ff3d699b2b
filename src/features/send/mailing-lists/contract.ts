import { Type, type TSchema } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields, skipFields } from '../../../platform/paging/index.ts';

export const ACCESS_LEVELS = ['readonly', 'members', 'everyone'] as const;
export const REPLY_PREFERENCES = ['sender', 'list'] as const;

const text = Type.String();

export const MailingList = Type.Object(
  {
    address: text,
    name: text,
    description: text,
    access_level: Type.Enum([...ACCESS_LEVELS]),
    reply_preference: Type.Enum([...REPLY_PREFERENCES]),
    created_at: Type.String({ description: 'RFC 2822.' }),
    members_count: Type.Integer({ description: 'Those who unsubscribed among them.' }),
  },
  { title: 'MailingList' },
);

export const common = { tag: 'Mailing lists', errorShape: 'message', rights: 'lists' } as const;
export const ListPath = Type.Object({ list_address: Type.String({ maxLength: 1000 }) });

export const field = (description: string, schema: TSchema = Type.String()) =>
  Type.Optional(readByItself({ ...schema, description }));

const SETTINGS = {
  name: field('Of the list, in its List-Id.'),
  description: field('At most 2,000 characters.'),
  access_level: field(
    'Who may write to the list: `readonly` the account alone, with a key or a login; `members` its members, too; ' +
      '`everyone` whoever knows its address. Default: `readonly`.',
    Type.Enum([...ACCESS_LEVELS]),
  ),
  reply_preference: field(
    'Where answers go: `list` to the list, `sender` to who wrote. Default: `list`.',
    Type.Enum([...REPLY_PREFERENCES]),
  ),
};

export const createList = contract({
  ...common,
  method: 'POST',
  operationId: 'createMailingList',
  path: '/v3/lists',
  summary: 'Create a mailing list',
  description:
    'Its address is one of a domain of the account. An urlencoded form is answered with 200, as clients want that send it.',
  sample: { address: 'news@example.com' },
  body: Type.Object({ address: field('Of the list.'), ...SETTINGS }),
  status: 201,
  reply: Type.Object({ list: MailingList, message: text }),
  errors: ['invalid_request', 'too_many_requests'],
});

export const listLists = contract({
  ...common,
  method: 'GET',
  operationId: 'listMailingLists',
  path: '/v3/lists',
  summary: 'List mailing lists',
  description: 'By address.',
  query: Type.Object({ ...skipFields(), address: Type.Optional(Type.String({ description: 'This list alone.' })) }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(MailingList) }),
  errors: ['invalid_request'],
});

export const pageLists = contract({
  ...common,
  method: 'GET',
  operationId: 'listMailingListPages',
  path: '/v3/lists/pages',
  summary: 'List mailing lists, page by page',
  description: 'By address; a page without items is the end.',
  query: Type.Object({ ...pivotFields(), address: pivotField }),
  reply: Type.Object({ paging: EndlessPaging, items: Type.Array(MailingList) }),
  errors: ['invalid_request'],
});

export const getList = contract({
  ...common,
  method: 'GET',
  operationId: 'getMailingList',
  path: '/v3/lists/{list_address}',
  summary: 'Get a mailing list',
  description: 'Upper and lower case of the address are the same.',
  params: ListPath,
  reply: Type.Object({ list: MailingList }),
  errors: ['not_found'],
});

export const updateList = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateMailingList',
  path: '/v3/lists/{list_address}',
  summary: 'Change a mailing list',
  description: 'What is not given stays.',
  params: ListPath,
  body: Type.Object({
    address: field('Another address; the members stay.'),
    ...SETTINGS,
    reply_reference: field('The same as `reply_preference`, as some documents spell it.'),
    'list-id': field(
      'Of the header field List-Id (RFC 2919), such as `news.example.com`; empty: it is made of the address.',
    ),
  }),
  isBodyOptional: true,
  reply: Type.Object({ message: text, list: MailingList }),
  errors: ['invalid_request', 'not_found'],
});

export const deleteList = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteMailingList',
  path: '/v3/lists/{list_address}',
  summary: 'Delete a mailing list',
  description: 'Its members go with it. What was sent to them before is delivered.',
  params: ListPath,
  reply: Type.Object({ address: text, message: text }),
  errors: ['not_found'],
});
