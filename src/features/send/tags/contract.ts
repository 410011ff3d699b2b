import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'Tags', errorShape: 'message', rights: 'metrics' } as const;
const Tag = Type.String({ minLength: 1, maxLength: 128, description: 'In any case: `Spring` is `spring`.' });
const Description = Type.String({ maxLength: 500 });
const Said = Type.Object({ message: Type.String() });
const Limits = Type.Object({ limit: Type.Integer(), count: Type.Integer(), limit_reached: Type.Boolean() });

export const SORTS = ['tag', 'first_seen', 'last_seen', 'firstseen', 'lastseen'] as const;

export const queryTags = contract({
  ...common,
  isQuery: true,
  method: 'POST',
  operationId: 'listAccountTags',
  path: '/v1/analytics/tags',
  summary: 'Query tags',
  description:
    'The tags that messages of the account have had, of all its domains, with their metrics where they are asked for: ' +
    'over all the time that is kept (400 days).',
  isBodyOptional: true,
  sample: { include_metrics: true, pagination: { sort: 'last_seen:desc', limit: 10 } },
  body: Type.Object({
    tag: Type.Optional(Type.String({ maxLength: 128, description: 'A part of the tag.' })),
    include_subaccounts: Type.Boolean({ default: false }),
    include_metrics: Type.Boolean({ default: false }),
    pagination: Type.Optional(
      Type.Object({
        sort: Type.Optional(
          Type.String({ maxLength: 100, description: '`tag`, `first_seen` or `last_seen`, then `:asc` or `:desc`.' }),
        ),
        ...skipFields(),
        include_total: Type.Boolean({ default: true }),
      }),
    ),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        account_id: Type.String(),
        parent_account_id: Type.String({ description: 'Empty for an account without a parent.' }),
        account_name: Type.String(),
        tag: Type.String(),
        description: Type.String(),
        first_seen: Type.String({ description: 'ISO 8601.' }),
        last_seen: Type.String({ description: 'ISO 8601.' }),
        metrics: Type.Optional(
          Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String()]), {
            description: 'By the names of metrics.',
          }),
        ),
      }),
    ),
    pagination: Type.Object({
      sort: Type.String(),
      ...skipFields(),
      total: Type.Optional(Type.Integer()),
      include_total: Type.Boolean(),
    }),
  }),
  errors: ['invalid_request'],
});

export const updateTag = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateTag',
  path: '/v1/analytics/tags',
  summary: 'Describe a tag',
  description: 'Sets the description of a tag, in every domain that it is of.',
  sample: { tag: 'spring', description: 'The spring campaign' },
  body: Type.Object({ tag: Tag, description: Type.Optional(Description) }),
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});

export const deleteTag = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteTag',
  path: '/v1/analytics/tags',
  summary: 'Delete a tag',
  description:
    'Deletes a tag of every domain and its figures. Events stay, and messages that have it later make it again.',
  sample: { tag: 'spring' },
  isBodyOptional: true,
  // A client sends JSON as a form: the whole text is the name of a field then.
  body: Type.Object({ tag: Type.Optional(Tag) }, { additionalProperties: Type.Unknown() }),
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});

export const getTagLimits = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagLimits',
  path: '/v1/analytics/tags/limits',
  summary: 'Get the limit of tags',
  description: 'How many tags an account may have figures of: a tag counts once for each domain that it is of.',
  reply: Limits,
});
