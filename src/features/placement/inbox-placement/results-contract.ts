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
  operationId: 'listPlacementResults',
  path: RESULTS,
  summary: 'List placement results',
  description: 'Pages by `limit` and `offset`, or by the `cursor` of the answer before.',
  query: Type.Object({ ...pageFields, ...resultQuery }),
  reply: paged(Result),
  errors: ['invalid_request'],
});
export const listResultAttributes = contract({
  ...common,
  method: 'GET',
  operationId: 'listPlacementResultAttributes',
  path: `${RESULTS}/a`,
  summary: 'List the attributes of results',
  description: 'Their values are at `/v4/inbox/results/a/{attribute}`.',
  reply: Attribute,
});
export const listResultAttribute = contract({
  ...common,
  method: 'GET',
  operationId: 'listPlacementResultAttributeValues',
  path: `${RESULTS}/a/{attribute}`,
  summary: 'List the known values of an attribute',
  description: '404 for an unknown attribute.',
  params: Type.Object({ attribute: Type.String() }),
  reply: Attribute,
  errors: ['not_found'],
});
export const listResultFilters = contract({
  ...common,
  method: 'GET',
  operationId: 'listPlacementResultFilters',
  path: `${RESULTS}/_filters`,
  summary: 'List the filters of results',
  description: 'The query parameters with which `GET /v4/inbox/results` filters its list.',
  reply: Filters,
});
export const getResult = contract({
  ...common,
  method: 'GET',
  operationId: 'getPlacementResult',
  path: `${RESULTS}/{result}`,
  summary: 'Get a placement result',
  description: '`provider` limits the answer to one provider; `compare` names a result to compare it with.',
  params: ByResult,
  query: Type.Object({
    provider: Type.Optional(Type.String()),
    compare: Type.Optional(
      Type.String({ description: 'Id of the result to compare with. Default: the previous result of the same list.' }),
    ),
  }),
  reply: Type.Object({ result: Result }),
  errors: ['not_found'],
});
export const deleteResult = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deletePlacementResult',
  path: `${RESULTS}/{result}`,
  summary: 'Delete a result, or its part at one provider',
  description: 'With `provider`, deletes only the part at that provider; 409 while the test runs.',
  params: ByResult,
  query: Type.Object({
    provider: Type.Optional(
      Type.String({ minLength: 1, description: 'Domain of the provider whose part is deleted.' }),
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
const Sharing = Type.Object({ ...sharingFields, sharing: Type.Object(sharingFields) }, { title: 'PlacementSharing' });

export const getSharing = contract({
  ...common,
  method: 'GET',
  operationId: 'getPlacementSharing',
  path: '/v4/inbox/sharing/{result}',
  summary: 'Get whether a result is shared',
  description: 'Answers with the address of the link and its expiry.',
  params: ByResult,
  reply: Sharing,
  errors: ['not_found'],
});
export const updateSharing = contract({
  ...common,
  method: 'PUT',
  operationId: 'updatePlacementSharing',
  path: '/v4/inbox/sharing/{result}',
  summary: 'Share a result by a link, or stop sharing it',
  description: 'Sharing again after a link ended creates a new link.',
  params: ByResult,
  query: Type.Object({ enabled: Type.Boolean() }),
  reply: Sharing,
  errors: ['invalid_request', 'not_found'],
});
export const getPublicResult = contract({
  ...common,
  method: 'GET',
  operationId: 'getSharedPlacementResult',
  path: '/v4/inbox/sharing/public/{shareid}',
  summary: 'Get a shared result by the id of its link, without a key',
  description: '410 once the link has expired or was disabled.',
  params: Type.Object({ shareid: Type.String({ maxLength: 100 }) }),
  reply: Type.Object({ result: Result }),
  errors: ['not_found', 'expired'],
  access: 'none',
});

export const listProviders = contract({
  ...common,
  method: 'GET',
  operationId: 'listPlacementProviders',
  path: '/v4/inbox/providers',
  summary: 'List the providers that have seeds',
  description: 'Their domains are what `provider_filter` of a seed list takes.',
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
