import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'SMTP credentials', errorShape: 'message', rights: 'credentials' } as const;
const Domain = Type.Object({ domain_name: Type.String({ description: 'A sending domain of the account.' }) });
const One = Type.Object({
  domain_name: Type.String({ description: 'A sending domain of the account.' }),
  spec: Type.String({ maxLength: 320, description: 'The login, with its domain or without.' }),
});
const password = Type.Optional(
  readByItself(
    Type.String({ description: '5 to 32 characters. Left out: one is made, which only this answer contains.' }),
  ),
);
const Saved = Type.Object({
  message: Type.String(),
  note: Type.Optional(Type.String()),
  credentials: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The password that was made, by its login.' }),
  ),
});

export const listCredentials = contract({
  ...common,
  method: 'GET',
  operationId: 'listCredentials',
  path: '/v3/domains/{domain_name}/credentials',
  summary: 'List SMTP credentials of a domain',
  description: 'By login. Passwords are not known: only what recognizes them is kept.',
  params: Domain,
  query: Type.Object({ ...skipFields(), limit: Type.Optional(readByItself(skipFields().limit)) }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        mailbox: Type.String(),
        login: Type.String({ description: 'The whole address; what a mail client logs in with.' }),
        created_at: Type.String({ description: 'RFC 2822, GMT.' }),
        size_bytes: Type.Union([Type.String(), Type.Null()], { description: 'Null: no mail is kept for a login.' }),
      }),
    ),
    total_count: Type.Integer(),
  }),
  errors: ['invalid_request', 'not_found'],
});

export const createCredentials = contract({
  ...common,
  method: 'POST',
  operationId: 'createCredentials',
  path: '/v3/domains/{domain_name}/credentials',
  summary: 'Create SMTP credentials',
  description:
    'Who logs in with them sends as this domain, over the ports of `GALLEY_SUBMISSION_PORT` and ' +
    '`GALLEY_SUBMISSION_TLS_PORT`.',
  params: Domain,
  sample: { login: 'ann', password: 'correct horse' },
  body: Type.Object({
    login: Type.Optional(
      readByItself(Type.String({ description: '`ann`, or `ann@` with the domain. `mailbox` says the same.' })),
    ),
    mailbox: Type.Optional(readByItself(Type.String({ description: 'Another name of `login`.' }))),
    system: Type.Optional(Type.Boolean({ description: 'True: it can only be deleted with its domain.' })),
    password,
  }),
  reply: Saved,
  errors: ['invalid_request', 'not_found', 'too_many_requests'],
});

export const deleteAllCredentials = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteAllCredentials',
  path: '/v3/domains/{domain_name}/credentials',
  summary: 'Delete all SMTP credentials of a domain',
  description: 'All but those that were created as `system`. Nobody logs in with them from now on.',
  params: Domain,
  reply: Type.Object({ message: Type.String(), count: Type.Integer() }),
  errors: ['not_found'],
});

export const updateCredentials = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateCredentials',
  path: '/v3/domains/{domain_name}/credentials/{spec}',
  summary: 'Change the password of SMTP credentials',
  description: 'The old password is refused from now on; whoever is logged in stays so until the connection ends.',
  params: One,
  sample: { password: 'another horse' },
  body: Type.Object({ password }),
  reply: Saved,
  errors: ['invalid_request', 'not_found'],
});

export const deleteCredentials = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteCredentials',
  path: '/v3/domains/{domain_name}/credentials/{spec}',
  summary: 'Delete SMTP credentials',
  description: 'Nobody logs in with them from now on. 400 for those that were created as `system`.',
  params: One,
  reply: Type.Object({ message: Type.String(), spec: Type.String({ description: 'The login, with its domain.' }) }),
  errors: ['invalid_request', 'not_found'],
});
