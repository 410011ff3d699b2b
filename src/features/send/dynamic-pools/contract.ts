// Dynamic pools, and which domains are in them.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const text = Type.String();
export const Message = Type.Object({ message: Type.String() });
export const common = { tag: 'Dynamic IP pools', errorShape: 'message', rights: 'pools' } as const;
export const Named = Type.Object({ name: Type.String({ maxLength: 253, description: 'A domain.' }) });
const Pool = Type.String({ maxLength: 40, description: '`dynamic_good`, `dynamic_poor` or `dynamic_new`.' });
const Ip = Type.String({ maxLength: 60 });

const several = (description: string) =>
  Type.Union(
    [
      Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 }),
      Type.String({ maxLength: 6000, description: 'Several with commas between them.' }),
    ],
    { description },
  );

const replacement = {
  replacement_ip: Type.Optional(
    several(
      "Addresses that the domain gets of its own, or `shared`: one is chosen of the service's shared addresses. None " +
        'of them may be in a dedicated or dynamic pool.',
    ),
  ),
  replacement_pool_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The dedicated pool that the domain gets.' }),
  ),
};
const rule = 'Give exactly one of `replacement_ip` and `replacement_pool_id`, in the query or in a form.';

const enrollment = '/v3/domains/{name}/dynamic_pools';

export const enrollDomain = contract({
  ...common,
  method: 'POST',
  operationId: 'enrollDomainInDynamicPools',
  path: enrollment,
  summary: 'Enroll a domain in the dynamic pools',
  description:
    `${rule} It is added to the domain, and used where no address of its dynamic pool can send. The domain is checked ` +
    'at once, and sends from the pool of its band from then on. A domain of a subaccount is enrolled in the pools of ' +
    'the parent, with a key of the parent and the header `X-Service-Account-Id`.',
  params: Named,
  query: Type.Object(replacement),
  body: Type.Object(replacement),
  isBodyOptional: true,
  sample: { replacement_ip: 'shared' },
  reply: Message,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const removeDomain = contract({
  ...common,
  method: 'DELETE',
  operationId: 'removeDomainFromDynamicPools',
  path: enrollment,
  summary: 'Take a domain out of the dynamic pools',
  description: `${rule} The domain sends from that instead.`,
  params: Named,
  query: Type.Object(replacement),
  body: Type.Object(replacement),
  isBodyOptional: true,
  sample: { replacement_ip: 'shared' },
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});

export const listAssignable = contract({
  ...common,
  method: 'GET',
  operationId: 'listDomainsAssignableToDynamicPools',
  path: '/v3/domains/dynamic_pools/assignable',
  summary: 'List the domains that are in no dynamic pool',
  description:
    "Those of the account or of one of its subaccounts, by name; all of them. The service's sandbox is none.",
  query: Type.Object({
    subaccount_id: Type.Optional(Type.String({ maxLength: 100 })),
    domain: Type.Optional(
      Type.String({ maxLength: 100, description: 'A regular expression (JavaScript) that the name contains.' }),
    ),
  }),
  reply: Type.Object({ items: Type.Array(Type.Object({ account_id: text, id: text, name: text })) }),
  errors: ['invalid_request', 'not_found'],
});

export const enrollAll = contract({
  ...common,
  method: 'POST',
  operationId: 'enrollAllDomainsInDynamicPools',
  path: '/v3/domains/all/dynamic_pools/enroll',
  summary: 'Enroll all domains in the dynamic pools',
  description: 'In the background: those of the account that are in no dynamic pool, and those of its subaccounts.',
  query: Type.Object({ include_subaccounts: Type.Boolean({ default: false }) }),
  reply: Message,
  errors: ['invalid_request'],
});

export const listPools = contract({
  ...common,
  method: 'GET',
  operationId: 'listDynamicPools',
  path: '/v3/dynamic_pools',
  summary: 'List the dynamic pools with their addresses',
  description: 'Of the account itself; a subaccount has none of its own. No pools: they are not set up.',
  reply: Type.Object({
    good_reputation: Type.Array(text),
    poor_reputation: Type.Array(text),
    new_senders: Type.Array(text),
    pools: Type.Array(
      Type.Object({
        account_id: text,
        id: text,
        name: text,
        enabled: Type.Boolean({ description: 'A running process can send from one of its addresses.' }),
        ips: Type.Array(text),
      }),
    ),
  }),
});

export const setPools = contract({
  ...common,
  method: 'POST',
  operationId: 'updateDynamicPools',
  path: '/v3/dynamic_pools/all',
  summary: 'Set the addresses of all dynamic pools',
  description:
    'In place of those that they have. Each needs an address that is not being warmed up; all have to be dedicated ' +
    'addresses of the account and in no dedicated pool.',
  sample: { good_reputation: '192.0.2.1', poor_reputation: '192.0.2.2', new_senders: '192.0.2.3' },
  body: Type.Object({
    good_reputation: several('Of the pool `dynamic_good`.'),
    poor_reputation: several('Of the pool `dynamic_poor`.'),
    new_senders: several('Of the pool `dynamic_new`.'),
  }),
  reply: Message,
  errors: ['invalid_request'],
});

export const deletePools = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDynamicPools',
  path: '/v3/dynamic_pools/all',
  summary: 'Delete all dynamic pools',
  description: 'When no domain is in them. Dedicated pools stay as they are.',
  reply: Message,
  errors: ['conflict'],
});

export const addPoolIp = contract({
  ...common,
  method: 'POST',
  operationId: 'addDynamicPoolIp',
  path: '/v3/dynamic_pools/{pool_name}/{ip}',
  summary: 'Add an address to a dynamic pool',
  description: 'A dedicated address of the account that is in no pool.',
  params: Type.Object({ pool_name: Pool, ip: Ip }),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});

export const updatePool = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateDynamicPool',
  path: '/v3/dynamic_pools/{pool_name}',
  summary: 'Add addresses to a dynamic pool, or remove some',
  description: 'It keeps an address that is not being warmed up.',
  params: Type.Object({ pool_name: Pool }),
  sample: { add_ip: '192.0.2.4' },
  body: Type.Object({
    add_ip: Type.Optional(several('To add.')),
    remove_ip: Type.Optional(several('To remove.')),
  }),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});
