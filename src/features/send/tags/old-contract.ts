// The older operations on the tags of a domain: the tag in the query, or in the path.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';
import { Stats, statsFields } from '../stats/index.ts';

const common = {
  tag: 'Tags',
  errorShape: 'message',
  rights: 'metrics',
  deprecated: { since: '@1735689600', successor: '/v1/analytics/tags' },
} as const;

const Tag = Type.String({ minLength: 1, maxLength: 128, description: 'In any case: `Spring` is `spring`.' });
const Description = Type.Optional(Type.String({ maxLength: 500 }));
const Domain = { domain: Type.String({ description: 'A sending domain of the account.' }) };
const InPath = Type.Object({ ...Domain, tag: Tag });
const OfDomain = Type.Object(Domain);
const Said = Type.Object({ message: Type.String() });
const One = Type.Object({
  tag: Type.String(),
  description: Type.String(),
  'first-seen': Type.String({ description: 'ISO 8601.' }),
  'last-seen': Type.String({ description: 'ISO 8601.' }),
});
const text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));

export const listTags = contract({
  ...common,
  method: 'GET',
  operationId: 'listTags',
  path: '/v3/{domain}/tags',
  summary: 'List the tags of a domain',
  description: 'By name. The pages beside one are in `paging`.',
  params: OfDomain,
  query: Type.Object({ ...pivotFields(), tag: pivotField, prefix: text('Only tags that begin with it.') }),
  reply: Type.Object({ items: Type.Array(One), paging: EndlessPaging }),
  errors: ['invalid_request', 'not_found'],
});

const NOUN = 'of a domain, by the name in the';

export const getTag = contract({
  ...common,
  method: 'GET',
  operationId: 'getTag',
  path: '/v3/{domain}/tag',
  summary: 'Get a tag of a domain',
  description: `A tag ${NOUN} query.`,
  params: OfDomain,
  query: Type.Object({ tag: Tag }),
  reply: One,
  errors: ['invalid_request', 'not_found'],
});

export const putTag = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDomainTag',
  path: '/v3/{domain}/tag',
  summary: 'Describe a tag of a domain',
  description: `Sets the description of a tag ${NOUN} query.`,
  params: OfDomain,
  query: Type.Object({ tag: Tag, description: Description }),
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});

export const removeTag = contract({
  ...common,
  method: 'DELETE',
  operationId: 'removeTag',
  path: '/v3/{domain}/tag',
  summary: 'Delete a tag of a domain',
  description: `Deletes a tag ${NOUN} query, and its figures.`,
  params: OfDomain,
  query: Type.Object({ tag: Tag }),
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});

export const getTagByName = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagByName',
  path: '/v3/{domain}/tags/{tag}',
  summary: 'Get a tag',
  description: `A tag ${NOUN} path.`,
  params: InPath,
  reply: One,
  errors: ['not_found'],
});

export const putTagByName = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDomainTagByName',
  path: '/v3/{domain}/tags/{tag}',
  summary: 'Describe a tag by its name',
  description: `Sets the description of a tag ${NOUN} path.`,
  params: InPath,
  isBodyOptional: true,
  body: Type.Object({ description: Description }),
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});

export const removeTagByName = contract({
  ...common,
  method: 'DELETE',
  operationId: 'removeTagByName',
  path: '/v3/{domain}/tags/{tag}',
  summary: 'Delete a tag by its name',
  description: `Deletes a tag ${NOUN} path, and its figures.`,
  params: InPath,
  reply: Said,
  errors: ['not_found'],
});

const conditions = {
  provider: text('Only of recipients at this provider.'),
  device: text('Only of this kind of device.'),
  country: text('Only of this country.'),
};

export const getTagStats = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagStats',
  path: '/v3/{domain}/tag/stats',
  summary: 'Get the stats of a tag',
  description: 'How many events of some kinds there were of messages with a tag, by the hour, the day or the month.',
  params: OfDomain,
  query: Type.Object({ tag: Tag, ...statsFields, ...conditions }),
  reply: Stats,
  errors: ['invalid_request', 'not_found'],
});

export const getTagStatsByName = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagStatsByName',
  path: '/v3/{domain}/tags/{tag}/stats',
  summary: 'Get the stats of a tag by its name',
  description: 'As `/v3/{domain}/tag/stats`, with the tag in the path.',
  params: InPath,
  query: Type.Object({ ...statsFields, ...conditions }),
  reply: Stats,
  errors: ['invalid_request', 'not_found'],
});

const Sums = Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())));
const Aggregates = Type.Object({ tag: Type.String(), provider: Sums, country: Sums, device: Sums });
const TYPES = ['provider', 'country', 'device', 'providers', 'countries', 'devices'] as const;

export const getTagAggregates = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagAggregates',
  path: '/v3/{domain}/tag/stats/aggregates',
  summary: 'Get the aggregates of a tag',
  description:
    'What was delivered, and what readers did, of messages with a tag: by provider, country or device, over all the ' +
    'time that is kept (400 days). What is not known is left out.',
  params: OfDomain,
  query: Type.Object({ tag: Tag, type: Type.Enum([...TYPES]) }),
  reply: Aggregates,
  errors: ['invalid_request', 'not_found'],
});

export const getTagAggregatesByName = contract({
  ...common,
  method: 'GET',
  operationId: 'getTagAggregatesByName',
  path: '/v3/{domain}/tags/{tag}/stats/aggregates/{type}',
  summary: 'Get the aggregates of a tag by its name',
  description: 'As `/v3/{domain}/tag/stats/aggregates`, with the tag and the type in the path.',
  params: Type.Object({ ...Domain, tag: Tag, type: Type.Enum([...TYPES]) }),
  reply: Aggregates,
  errors: ['invalid_request', 'not_found'],
});

const Names = Type.Object({ items: Type.Array(Type.String()) });
const namesOf = (name: 'devices' | 'providers' | 'countries', operationId: string) =>
  contract({
    ...common,
    method: 'GET',
    operationId,
    path: `/v3/domains/{domain}/tag/${name}`,
    summary: `List the ${name} of tagged messages`,
    description: `The ${name} that stats of tags of a domain can be asked for by, as far as any are known.`,
    params: OfDomain,
    reply: Names,
    errors: ['not_found'],
  });

export const NAMES = {
  devices: namesOf('devices', 'listTagDevices'),
  providers: namesOf('providers', 'listTagProviders'),
  countries: namesOf('countries', 'listTagCountries'),
};

export const getTagLimit = contract({
  ...common,
  deprecated: { since: '@1735689600', successor: '/v1/analytics/tags/limits' },
  method: 'GET',
  operationId: 'getTagLimit',
  path: '/v3/domains/{domain}/limits/tag',
  summary: 'Get the limit of tags of a domain',
  description: 'How many tags the account may have figures of, and how many this domain has.',
  params: OfDomain,
  reply: Type.Object({ id: Type.String(), limit: Type.Integer(), count: Type.Integer() }),
  errors: ['not_found'],
});
