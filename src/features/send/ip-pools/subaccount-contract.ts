import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'IPs', errorShape: 'message', rights: 'ips' } as const;
const Ips = Type.Union([Type.String(), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 256 })]);

export const listSubaccountIps = contract({
  ...common,
  method: 'GET',
  operationId: 'listSubaccountIps',
  path: '/v3/ips/subaccounts',
  summary: 'List the addresses that subaccounts were given',
  description: 'Each address of the account with each subaccount that sends from it, too. Pools are not among them.',
  query: Type.Object({
    ip: Type.Optional(Type.String({ maxLength: 64, description: 'Only this address.' })),
    subaccount_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only this subaccount.' })),
    ...skipFields({ limit: 100 }),
  }),
  reply: Type.Object({
    items: Type.Array(Type.Object({ ip: Type.String(), subaccount_id: Type.String() })),
    total_count: Type.Integer(),
  }),
  errors: ['invalid_request'],
});

export const patchSubaccountIps = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateSubaccountIps',
  path: '/v3/ips/subaccounts',
  summary: 'Give addresses to subaccounts, or take them back',
  description:
    'All of it or nothing. Either `subaccount_id`, up to a thousand times, or `all_subaccounts`. An address that is ' +
    'given is the account’s own and in no pool; the account and the other subaccounts that have it keep sending from ' +
    'it. A subaccount can let its domains send from it and name it in `o:sending-ip`; its domains that have nothing of ' +
    'their own send from what it was given. An address can be taken back once no domain of the subaccount has it by ' +
    'itself; messages that wait for it leave from what the subaccount has then.',
  sample: { subaccount_id: '64b0c0f1a2b3c4d5e6f70819', link_ip: '192.0.2.2' },
  body: Type.Object({
    subaccount_id: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 })]),
    ),
    all_subaccounts: Type.Boolean({ default: false, description: 'All that are there now; not those of later.' }),
    link_ip: Type.Optional(Ips),
    unlink_ip: Type.Optional(Ips),
  }),
  reply: Type.Object({
    message: Type.String({
      description:
        '`success`; for all subaccounts, or more than 100, `queued`, as the published interface answers: it is done ' +
        'already when this is answered.',
    }),
  }),
  errors: ['invalid_request', 'not_found'],
  access: 'admin',
});
