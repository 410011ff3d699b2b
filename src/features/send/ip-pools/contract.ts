import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

export const common = { tag: 'IP pools', errorShape: 'message' } as const;
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
  access: 'admin',
});
