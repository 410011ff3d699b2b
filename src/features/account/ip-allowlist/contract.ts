import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';

const common = {
  tag: 'IP allowlist',
  errorShape: 'message',
  rights: 'ipAllowlist',
  path: '/v2/ip_whitelist',
} as const;
const address = Type.Optional(
  readByItself(Type.String({ description: 'An IPv4 or IPv6 address, or a network such as `203.0.113.0/24`.' })),
);
const DESCRIPTION_LENGTH_MAX = 300;
const List = Type.Object({
  addresses: Type.Array(Type.Object({ ip_address: Type.String(), description: Type.String() })),
});

export const listAllowlist = contract({
  ...common,
  method: 'GET',
  operationId: 'listIpAllowlist',
  summary: 'List the addresses from which the account is used',
  description:
    'While the list has entries, calls with a key of the account, its dashboard sessions and SMTP logins are refused ' +
    'from every other address, and so are those of its subaccounts; a list of a subaccount binds its own keys, ' +
    'sessions and logins in addition. Behind a proxy, `GALLEY_TRUSTED_PROXIES` has to name it. A command of the ' +
    'operator, `galley allowlist`, helps whoever is locked out.',
  reply: List,
});

export const addToAllowlist = contract({
  ...common,
  method: 'POST',
  operationId: 'addIpAllowlistEntry',
  summary: 'Add an address or a network',
  description:
    '400 where the list would not contain the address of the caller: add that first. An entry that is there already ' +
    'gets the description. At most 500 entries.',
  sample: { address: '127.0.0.0/8', description: 'This machine' },
  body: Type.Object({ address, description: Type.String({ maxLength: DESCRIPTION_LENGTH_MAX, default: '' }) }),
  reply: List,
  errors: ['invalid_request'],
});

export const updateAllowlist = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateIpAllowlistEntry',
  summary: 'Change the description of an entry',
  description:
    'The entry is named by its address, as it is listed. Without `description`, it keeps the one that it has.',
  sample: { address: '127.0.0.0/8', description: 'The office' },
  body: Type.Object({
    address,
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX })),
  }),
  reply: List,
  errors: ['invalid_request'],
});

export const deleteFromAllowlist = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteIpAllowlistEntry',
  summary: 'Delete an entry',
  description:
    'Without entries, the account is used from anywhere. 400 for an entry that contains the address of the caller ' +
    'while others remain that do not.',
  query: Type.Object({ address }),
  reply: List,
  errors: ['invalid_request'],
});
