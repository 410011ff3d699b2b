// Placement results, their links for others, and the providers that have seeds.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Attribute, ByResult, common, Filters, paged, pageFields, Result, RESULTS, times } from './contract.ts';

const resultQuery = {
  sender: Type.Optional(Type.String()),
  senderaddr: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  target_email: Type.Optional(Type.String()),
  ...times,
};

export const listResults = contract({
  ...common,
  isMetric: true,
  method: 'GET',
  path: RESULTS,
  summary: 'List placement results',
  query: Type.Object({ ...pageFields, ...resultQuery }),
  reply: paged(Result),
  errors: ['invalid_request'],
});
export const listResultAttributes = contract({
  ...common,
  method: 'GET',
  path: `${RESULTS}/a`,
  summary: 'List the attributes of results',
  reply: Attribute,
});
export const listResultAttribute = contract({
  ...common,
  method: 'GET',
  path: `${RESULTS}/a/{attribute}`,
  summary: 'List the known values of an attribute',
  params: Type.Object({ attribute: Type.String() }),
  reply: Attribute,
  errors: ['not_found'],
});
export const listResultFilters = contract({
  ...common,
  method: 'GET',
  path: `${RESULTS}/_filters`,
  summary: 'List the filters of results',
  reply: Filters,
});
export const getResult = contract({
  ...common,
  method: 'GET',
  path: `${RESULTS}/{result}`,
  summary: 'Get a placement result',
  params: ByResult,
  query: Type.Object({
    provider: Type.Optional(Type.String()),
    compare: Type.Optional(
      Type.String({ description: 'Id of the result to compare with. Default: the one before of the same list.' }),
    ),
  }),
  reply: Type.Object({ result: Result }),
  errors: ['not_found'],
});
export const deleteResult = contract({
  ...common,
  method: 'DELETE',
  path: `${RESULTS}/{result}`,
  summary: 'Delete a result and everything of it, or its part at one provider',
  params: ByResult,
  query: Type.Object({
    provider: Type.Optional(
      Type.String({ minLength: 1, description: 'Domain: only what is of this provider is deleted.' }),
    ),
  }),
  reply: Type.Object({ message: Type.String(), Message: Type.String() }),
  errors: ['not_found', 'invalid_request', 'conflict'],
});

const sharingFields = {
  result_id: Type.String(),
  enabled: Type.Boolean(),
  expires_at: Type.Optional(Type.String({ description: 'RFC 3339; left out while it is not shared.' })),
  url_id: Type.String(),
  url: Type.String(),
  api_url: Type.String(),
};
const Sharing = Type.Object({ ...sharingFields, sharing: Type.Object(sharingFields) });

export const getSharing = contract({
  ...common,
  method: 'GET',
  path: '/v4/inbox/sharing/{result}',
  summary: 'Get whether a result is shared',
  params: ByResult,
  reply: Sharing,
  errors: ['not_found'],
});
export const updateSharing = contract({
  ...common,
  method: 'PUT',
  path: '/v4/inbox/sharing/{result}',
  summary: 'Share a result by a link, or stop sharing it',
  description: 'Sharing again after the end of a link makes a new one.',
  params: ByResult,
  query: Type.Object({ enabled: Type.Boolean() }),
  reply: Sharing,
  errors: ['invalid_request', 'not_found'],
});
export const getPublicResult = contract({
  ...common,
  method: 'GET',
  path: '/v4/inbox/sharing/public/{shareid}',
  summary: 'Get a shared result by the id of its link, without a key',
  params: Type.Object({ shareid: Type.String({ maxLength: 100 }) }),
  reply: Type.Object({ result: Result }),
  errors: ['not_found', 'expired'],
  access: 'none',
});

export const listProviders = contract({
  ...common,
  method: 'GET',
  path: '/v4/inbox/providers',
  summary: 'List the providers that have seeds',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        domain: Type.String(),
        display_name: Type.String(),
        region: Type.String(),
        created_at: Type.String(),
        updated_at: Type.String(),
        max_email_count: Type.Integer(),
        unsupported_authentications: Type.Array(Type.String()),
        category: Type.String(),
        kind: Type.String(),
        simulated: Type.Boolean(),
        about: Type.String(),
      }),
    ),
  }),
});
