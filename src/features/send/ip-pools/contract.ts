import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'IP pools', errorShape: 'message', rights: 'pools' } as const;
const Texts = Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 256 })]);

const Pool = {
  pool_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  ips: Type.Array(Type.String()),
  is_linked: Type.Boolean({ description: 'A domain or a subaccount sends from it.' }),
  is_inherited: Type.Boolean({ description: 'It belongs to the parent account, which delegated it.' }),
};

export const listPools = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpPools',
  path: '/v3/ip_pools',
  summary: 'List IP pools',
  description: 'Those of the account, the oldest first, and the one that its parent delegated to it.',
  reply: Type.Object({
    ip_pools: Type.Array(Type.Object(Pool, { title: 'IpPool' })),
    message: Type.String(),
  }),
});

export const createPool = contract({
  ...common,
  method: 'POST',
  operationId: 'createIpPool',
  path: '/v3/ip_pools',
  summary: 'Create an IP pool',
  description: 'An address of the account can be in one pool at most; shared ones are in none.',
  sample: { name: 'newsletters', description: 'The monthly letter' },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ maxLength: 1000, default: '' }),
    ip: Type.Optional(Texts),
    ips: Type.Optional(Texts),
  }),
  reply: Type.Object({ message: Type.String(), pool_id: Type.String() }),
  errors: ['invalid_request', 'too_many_requests'],
});

const Named = Type.Object({ pool_id: Type.String({ maxLength: 64 }) });
const Message = Type.Object({ message: Type.String() });
const Started = Type.Object({
  message: Type.String({ description: '`started`: it is done already when this is answered.' }),
  reference_id: Type.String({ description: 'Names the change in the log of this service.' }),
});
const started = 'Answers `started` with a `reference_id`, as the published interface does; all of it is done by then.';

export const getPool = contract({
  ...common,
  method: 'GET',
  operationId: 'getIpPool',
  path: '/v3/ip_pools/{pool_id}',
  summary: 'Get an IP pool',
  description: 'With the domains of the account that send from it. Finds the pool that the parent delegated, too.',
  params: Named,
  reply: Type.Object({
    details: Type.Object({
      ...Pool,
      linked_domains: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
        description: 'The first hundred, by name.',
      }),
    }),
    message: Type.String(),
  }),
  errors: ['not_found'],
});

export const patchPool = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateIpPool',
  path: '/v3/ip_pools/{pool_id}',
  summary: 'Change an IP pool',
  description:
    'All of it or nothing. `link_domain` and `unlink_domain` name a domain of the account, by its name or its id. A ' +
    'pool that something sends from keeps one address at least.',
  params: Named,
  sample: { add_ip: '192.0.2.2' },
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    add_ip: Type.Optional(Texts),
    remove_ip: Type.Optional(Texts),
    link_domain: Type.Optional(Texts),
    unlink_domain: Type.Optional(Texts),
  }),
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

const Replacement = {
  ip: Type.Optional(Type.String({ maxLength: 64, description: 'An address of the account, or `shared`.' })),
  pool_id: Type.Optional(Type.String({ maxLength: 64 })),
};

export const deletePool = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteIpPool',
  path: '/v3/ip_pools/{pool_id}',
  summary: 'Delete an IP pool',
  description: `Where domains or subaccounts send from it, say what they send from instead: either an address or a pool. ${started}`,
  params: Named,
  query: Type.Object(Replacement),
  sample: {},
  body: Type.Object(Replacement, { description: 'The same, for clients that send it so.' }),
  isBodyOptional: true,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

export const listDomains = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpPoolDomains',
  path: '/v3/ip_pools/{pool_id}/domains',
  summary: 'List the domains that send from an IP pool',
  description: 'Those of the account and of its subaccounts, by name.',
  params: Named,
  query: Type.Object({
    ...skipFields({ limit: 10 }),
    page: Type.Optional(Type.String({ maxLength: 20, description: 'As `paging` names it: where the page begins.' })),
  }),
  reply: Type.Object({
    domains: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    paging: Type.Object({ first: Type.String(), next: Type.String() }),
  }),
  errors: ['invalid_request', 'not_found'],
});

const Member = Type.Object({ pool_id: Type.String({ maxLength: 64 }), ip: Type.String({ maxLength: 64 }) });

export const addIp = contract({
  ...common,
  method: 'PUT',
  operationId: 'addIpToPool',
  path: '/v3/ip_pools/{pool_id}/ips/{ip}',
  summary: 'Add an address to an IP pool',
  description: started,
  params: Member,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

export const removeIp = contract({
  ...common,
  method: 'DELETE',
  operationId: 'removeIpFromPool',
  path: '/v3/ip_pools/{pool_id}/ips/{ip}',
  summary: 'Take an address out of an IP pool',
  description: `A pool that something sends from keeps one address at least. ${started}`,
  params: Member,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

export const addIps = contract({
  ...common,
  method: 'POST',
  operationId: 'addIpsToPool',
  path: '/v3/ip_pools/{pool_id}/ips.json',
  summary: 'Add addresses to an IP pool',
  description: `All of them, or none. ${started}`,
  params: Named,
  sample: { ips: ['192.0.2.2', '192.0.2.3'] },
  body: Type.Object({ ips: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 256 }) }),
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

const Delegate = Type.Object({ subaccount_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const delegatePool = contract({
  ...common,
  method: 'PUT',
  operationId: 'delegateIpPool',
  path: '/v3/ip_pools/{pool_id}/delegate',
  summary: 'Delegate an IP pool to a subaccount',
  description: `Domains of the subaccount send from it, where they have nothing of their own. It replaces another pool that was delegated before. ${started}`,
  params: Named,
  sample: { subaccount_id: '64b0c0f1a2b3c4d5e6f70819' },
  body: Delegate,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
  access: 'admin',
});

export const revokePool = contract({
  ...common,
  method: 'DELETE',
  operationId: 'revokeIpPool',
  path: '/v3/ip_pools/{pool_id}/delegate',
  summary: 'Take a delegated IP pool back',
  description: `Domains of the subaccount that were linked to it are linked to none. ${started}`,
  params: Named,
  query: Type.Object({ subaccount_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  sample: { subaccount_id: '64b0c0f1a2b3c4d5e6f70819' },
  body: Type.Object({ subaccount_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  isBodyOptional: true,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
  access: 'admin',
});

const Subaccount = Type.Object({ subaccount_id: Type.String({ maxLength: 64 }) });

export const listDelegations = contract({
  ...common,
  method: 'GET',
  operationId: 'listSubaccountIpPools',
  path: '/v5/accounts/subaccounts/ip_pools/all',
  summary: 'List the IP pools of all subaccounts',
  description: 'Each subaccount with the pool that was delegated to it, or null.',
  query: Type.Object(skipFields({ limit: 100 })),
  reply: Type.Object({
    items: Type.Array(Type.Object({ subaccount_id: Type.String(), pool_id: Type.Union([Type.String(), Type.Null()]) })),
    total_count: Type.Integer(),
  }),
  errors: ['invalid_request'],
});

export const putSubaccountPool = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSubaccountIpPool',
  path: '/v5/accounts/subaccounts/{subaccount_id}/ip_pool',
  summary: 'Delegate an IP pool to a subaccount',
  description: `The same as \`PUT /v3/ip_pools/{pool_id}/delegate\`; the pool stands in the query or in the body. ${started}`,
  params: Subaccount,
  query: Type.Object({ pool_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  sample: { pool_id: '64b0c0f1a2b3c4d5e6f70819' },
  body: Type.Object({ pool_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  isBodyOptional: true,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
  access: 'admin',
});

export const deleteSubaccountPool = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSubaccountIpPool',
  path: '/v5/accounts/subaccounts/{subaccount_id}/ip_pool',
  summary: 'Take a delegated IP pool back',
  description: `The same as \`DELETE /v3/ip_pools/{pool_id}/delegate\`. ${started}`,
  params: Subaccount,
  query: Type.Object({ pool_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: Started,
  errors: ['invalid_request', 'not_found'],
  access: 'admin',
});

const ips = { tag: 'IPs', errorShape: 'message', rights: 'ips' } as const;
const Domain = Type.Object({ name: Type.String({ maxLength: 255 }) });
const DomainIp = Type.Object({
  name: Type.String({ maxLength: 255 }),
  ip: Type.String({ maxLength: 64, description: 'An address, `all`, or `ip_pool`.' }),
});

export const listDomainIps = contract({
  ...ips,
  method: 'GET',
  operationId: 'listDomainIps',
  path: '/v3/domains/{name}/ips',
  summary: 'List the addresses that a domain sends from',
  description: 'Its own, or those of the pool that it is linked to. Empty: it sends from what its account has.',
  params: Domain,
  reply: Type.Object({
    items: Type.Array(Type.String()),
    total_count: Type.Integer(),
    pool_id: Type.Union([Type.String(), Type.Null()], { description: 'The pool that it is linked to.' }),
  }),
  errors: ['not_found'],
});

export const postDomainIps = contract({
  ...ips,
  method: 'POST',
  operationId: 'addDomainIp',
  path: '/v3/domains/{name}/ips',
  summary: 'Let a domain send from an address, or from a pool',
  description: 'Either `ip` or `pool_id`. A pool takes the place of addresses; while there is one, none can be added.',
  params: Domain,
  sample: { ip: '192.0.2.1' },
  body: Type.Object(Replacement),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});

const removal = {
  ...ips,
  method: 'DELETE',
  description:
    'An address: the domain no longer sends from it. `all`: from none of its own. `ip_pool`: it is linked to no pool ' +
    'any more. `ip` or `pool_id` says what it sends from instead; without them, from what its account has.',
  params: DomainIp,
  query: Type.Object(Replacement),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
} as const;

export const deleteDomainIp = contract({
  ...removal,
  operationId: 'removeDomainIp',
  path: '/v3/domains/{name}/ips/{ip}',
  summary: 'Take an address or the pool from a domain',
});

export const deleteDomainPoolIp = contract({
  ...removal,
  operationId: 'removeDomainPoolIp',
  path: '/v3/domains/{name}/pool/{ip}',
  summary: 'Take an address or the pool from a domain',
});

const Ip = Type.Object({ ip: Type.String({ maxLength: 64 }) });

export const listIpDomains = contract({
  ...ips,
  method: 'GET',
  operationId: 'listIpDomains',
  path: '/v3/ips/{ip}/domains',
  summary: 'List the domains that send from an address',
  description: 'Those of the account that have it, by themselves or by a pool, each with all of its addresses.',
  params: Ip,
  query: Type.Object({ ...skipFields({ limit: 10 }), search: Type.String({ default: '', maxLength: 255 }) }),
  reply: Type.Object({
    items: Type.Array(Type.Object({ domain: Type.String(), ips: Type.Array(Type.String()) })),
    total_count: Type.Integer(),
  }),
  errors: ['invalid_request', 'not_found'],
});

export const postIpDomains = contract({
  ...ips,
  method: 'POST',
  operationId: 'addIpToDomains',
  path: '/v3/ips/{ip}/domains',
  summary: 'Let all domains of the account send from an address',
  description: `All but those that are linked to a pool. ${started}`,
  params: Ip,
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

export const deleteIpDomains = contract({
  ...ips,
  method: 'DELETE',
  operationId: 'removeIpFromDomains',
  path: '/v3/ips/{ip}/domains',
  summary: 'Take an address from all domains of the account',
  description: `They send from \`alternative\` instead, where it is given. ${started}`,
  params: Ip,
  query: Type.Object({ alternative: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: Started,
  errors: ['invalid_request', 'not_found'],
});

export const postBand = contract({
  ...ips,
  method: 'POST',
  operationId: 'updateIpBand',
  path: '/v3/ips/{addr}/ip_band',
  summary: 'Put an address into the dynamic pool of a band',
  description: 'The pool is made where there is none. It leaves the dynamic pool that it was in.',
  params: Type.Object({ addr: Type.String({ maxLength: 64 }) }),
  sample: { ip_band: 'good' },
  body: Type.Object({
    ip_band: Type.String({ maxLength: 40, description: '`good`, `poor` or `new`; `dynamic_good` and so on, too.' }),
  }),
  reply: Message,
  errors: ['invalid_request', 'not_found'],
});
