import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const common = { tag: 'Seed mailboxes', errorShape: 'message' } as const;
const PATH = '/v1/seeds/mailboxes';
const Named = Type.Object({ mailbox_id: Type.String() });
const Secret = Type.String({ minLength: 1, maxLength: 8000 });
const Host = Type.String({ minLength: 1, maxLength: 253 });

const settings = {
  display_name: Type.String({ minLength: 1, maxLength: 200 }),
  category: Type.Enum(['b2c', 'b2b']),
  region: Type.String({ minLength: 1, maxLength: 60 }),
  provider: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'Domain that results are grouped by, such as `gmail.com`. Default: that of the address.',
  }),
  host: Host,
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Default 993, or 143 without `tls`.' }),
  security: Type.Enum(['tls', 'starttls', 'none'], {
    description: '`none` is for a server on this machine only. Default `tls`.',
  }),
  user: Type.String({ minLength: 1, maxLength: 320, description: 'Default: the address.' }),
  password: {
    ...Secret,
    description: 'An app password. Galley stores it encrypted and never shows it.',
  } as typeof Secret,
  access_token: {
    ...Secret,
    description:
      'An OAuth 2.0 access token for IMAP, instead of a password. Galley stores it encrypted and never shows it.',
  } as typeof Secret,
  verify_certificate: Type.Boolean(),
  enabled: Type.Boolean({ description: 'Tests do not use a disabled mailbox.' }),
};

const Mailbox = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    provider: Type.String(),
    display_name: Type.String(),
    category: Type.String(),
    region: Type.String(),
    host: Type.String(),
    port: Type.Integer(),
    security: Type.String(),
    user: Type.String(),
    credentials: Type.Enum(['password', 'access_token'], { description: 'The kind of credential that is stored.' }),
    verify_certificate: Type.Boolean(),
    enabled: Type.Boolean(),
    status: Type.Enum(['untested', 'working', 'failing']),
    status_message: Nullable(Type.String()),
    checked_at: Nullable(Type.String()),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'SeedMailbox' },
);

export const listMailboxes = contract({
  ...common,
  method: 'GET',
  operationId: 'listSeedMailboxes',
  path: PATH,
  summary: 'List seed mailboxes',
  description: 'The answer never contains credentials.',
  reply: Type.Object({ items: Type.Array(Mailbox), total: Type.Integer() }),
});

export const createMailbox = contract({
  ...common,
  method: 'POST',
  operationId: 'createSeedMailbox',
  path: PATH,
  summary: 'Add a mailbox of your own as a seed',
  description:
    'Any provider with IMAP, at the ports 143 and 993 unless the operator opens others. Credentials are stored ' +
    'encrypted and never shown again. Galley sends nothing to the mailbox before a login has worked, and at ' +
    'most ten messages a day until it has ' +
    'found one there.',
  sample: { email: 'seed@example.com', host: 'imap.example.com', password: 'an app password' },
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: 254 }),
    ...Type.Partial(Type.Object(settings)).properties,
    host: Host,
  }),
  reply: Mailbox,
  status: 201,
  errors: ['invalid_request', 'conflict'],
});

export const getMailbox = contract({
  ...common,
  method: 'GET',
  operationId: 'getSeedMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Get a mailbox',
  description: 'The answer never contains credentials.',
  params: Named,
  reply: Mailbox,
  errors: ['not_found'],
});

export const updateMailbox = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSeedMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Change a mailbox; omitted fields keep their value',
  description: 'Galley stores passwords and tokens encrypted and never shows them.',
  params: Named,
  body: Type.Object({
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
    ...Type.Partial(Type.Object(settings)).properties,
  }),
  reply: Mailbox,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteMailbox = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSeedMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Remove a mailbox with its credentials',
  description: 'Tests no longer use the mailbox.',
  params: Named,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

export const testMailbox = contract({
  ...common,
  method: 'POST',
  operationId: 'testSeedMailbox',
  path: `${PATH}/{mailbox_id}/test`,
  summary: 'Log in to a mailbox and list its folders with their placement',
  description: '`working` says whether the login worked; if not, `reason` and `message` say why.',
  params: Named,
  reply: Type.Object({
    working: Type.Boolean(),
    reason: Nullable(Type.String({ description: '`login`, `refused`, `dns`, `tls`, `timeout`, `lost`, `protocol`.' })),
    message: Type.String(),
    temporary: Type.Boolean({ description: 'The failure may be temporary.' }),
    has_tabs: Type.Boolean(),
    folders: Type.Array(
      Type.Object({ path: Type.String(), placement: Type.String(), category: Nullable(Type.String()) }),
    ),
  }),
  errors: ['not_found'],
});
