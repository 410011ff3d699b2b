import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'IPs', errorShape: 'message', rights: 'ips' } as const;
const Named = Type.Object({ ip: Type.String({ maxLength: 64, description: 'An address of the account.' }) });

const State = Type.Enum(['valid', 'invalid', 'unknown'], {
  description:
    '`valid`: reverse DNS gives the host name, and the host name has the address. `unknown`: DNS was not asked yet, or did not answer.',
});

export const listIps = contract({
  ...common,
  method: 'GET',
  operationId: 'listIps',
  path: '/v3/ips',
  summary: 'List the addresses that an account sends from',
  description:
    'Its own, those that its parent gave to it, and the shared ones, as `GALLEY_SENDING_IPS` names them. Without that ' +
    'setting there are none: the system chooses the address, and nothing is known of it.',
  query: Type.Object({
    dedicated: Type.Optional(Type.Boolean({ description: 'Only its own, or only the shared ones.' })),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Only those that a running process can send from, or only the others.' }),
    ),
    ...skipFields({ limit: 100 }),
  }),
  reply: Type.Object({
    items: Type.Array(Type.String()),
    total_count: Type.Integer(),
    assignable_to_pools: Type.Array(Type.String(), { description: 'Those of the account that are in no pool.' }),
    details: Type.Array(
      Type.Object(
        {
          ip: Type.String(),
          is_on_warmup: Type.Boolean(),
          dedicated: Type.Boolean(),
          enabled: Type.Boolean({ description: 'A running process can send from it.' }),
          host_name: Type.String({ description: 'What it greets with.' }),
          pool_id: Type.Union([Type.String(), Type.Null()]),
          is_inherited: Type.Boolean({ description: 'It belongs to the parent account, which gave it to this one.' }),
          rdns: Type.String({ description: 'Empty: none.' }),
          rdns_state: State,
          rdns_fault: Type.String(),
        },
        { title: 'SendingIp' },
      ),
    ),
  }),
  errors: ['invalid_request'],
});

export const getIp = contract({
  ...common,
  method: 'GET',
  operationId: 'getIp',
  path: '/v3/ips/{ip}',
  summary: 'Get an address that an account sends from',
  description: 'With what reverse DNS said of it last, both ways.',
  params: Named,
  reply: Type.Object({
    ip: Type.String(),
    dedicated: Type.Boolean(),
    rdns: Type.String({ description: 'Empty: none.' }),
    rdns_state: State,
    rdns_fault: Type.String(),
    host_name: Type.String(),
    enabled: Type.Boolean(),
  }),
  errors: ['not_found'],
});

export const getRequest = contract({
  ...common,
  method: 'GET',
  operationId: 'getIpRequest',
  path: '/v3/ips/request/new',
  summary: 'How many addresses an account may ask for',
  description: 'None: addresses belong to the machine, and its operator adds them with `GALLEY_SENDING_IPS`.',
  reply: Type.Object({ allowed: Type.Object({ dedicated: Type.Integer(), shared: Type.Integer() }) }),
});

export const postRequest = contract({
  ...common,
  method: 'POST',
  operationId: 'requestIp',
  path: '/v3/ips/request/new',
  summary: 'Ask for an address',
  description:
    'The operator of this service is told in its log, and adds addresses with `GALLEY_SENDING_IPS`; no address is ' +
    'added by this call.',
  reply: Type.Object({ message: Type.String() }),
});
