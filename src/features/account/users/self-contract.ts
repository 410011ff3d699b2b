import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Message, Password, shape, User } from './contract.ts';

const Token = Type.String({ minLength: 1, maxLength: 200, description: 'What stands behind the # of the link.' });

export const updateOwnUser = contract({
  ...shape,
  method: 'PUT',
  operationId: 'updateOwnUser',
  path: '/v5/users/me/name',
  summary: 'Change your own name',
  description:
    'It stands in the list of users and in the audit log. Only somebody who is signed in has one; a key has none.',
  body: Type.Object({ name: Type.String({ maxLength: 200 }) }),
  reply: Type.Object({ message: Type.String(), user: User }),
  errors: ['invalid_request'],
});

export const changeOwnPassword = contract({
  ...shape,
  method: 'PUT',
  operationId: 'updateOwnPassword',
  path: '/v5/users/me/password',
  summary: 'Change your own password',
  description: 'Ends every other session of yours. `current_password` is empty for users who have no password yet.',
  body: Type.Object({ current_password: Type.String({ maxLength: 500 }), password: Password }),
  reply: Message,
  errors: ['invalid_request'],
});

export const requestPasswordReset = contract({
  ...shape,
  method: 'POST',
  operationId: 'requestPasswordReset',
  unaudited: 'nothing is changed before the link is used.',
  path: '/v5/users/password-reset',
  summary: 'Ask for a link to choose a new password',
  description:
    'Sends an email if the address is that of an active user; the answer is the same if it is not. The link works ' +
    'once, for an hour. 409 while `GALLEY_PUBLIC_URL` is not set.',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) }),
  sample: { email: 'ann@example.com' },
  reply: Message,
  status: 202,
  errors: ['invalid_request', 'conflict', 'too_many_requests', 'unsupported_media_type'],
  access: 'none',
  isJsonOnly: true,
});

export const readUserLink = contract({
  ...shape,
  method: 'POST',
  operationId: 'getUserLink',
  unaudited: 'it changes nothing.',
  path: '/v5/users/links/read',
  summary: 'Whom a link from an email is for',
  description: 'Links of invitations and for new passwords. 410 for a link that does not work any more.',
  body: Type.Object({ token: Token }),
  reply: Type.Object({
    kind: Type.Enum(['invitation', 'reset']),
    email: Type.String(),
    name: Type.String(),
    account_name: Type.String(),
    expires_at: Type.String({ description: 'ISO 8601.' }),
  }),
  errors: ['invalid_request', 'expired', 'unsupported_media_type'],
  access: 'none',
  isJsonOnly: true,
});

export const useUserLink = contract({
  ...shape,
  method: 'POST',
  operationId: 'createPasswordByLink',
  unaudited: 'its own entry is written for the user.',
  path: '/v5/users/links/use',
  summary: 'Choose a password with a link from an email',
  description: 'Uses the link up. Ends every session of the user, who then signs in with the new password.',
  body: Type.Object({ token: Token, password: Password, name: Type.Optional(Type.String({ maxLength: 200 })) }),
  reply: Type.Object({ message: Type.String(), email: Type.String() }),
  errors: ['invalid_request', 'expired', 'unsupported_media_type'],
  access: 'none',
  isJsonOnly: true,
});
