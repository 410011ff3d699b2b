import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const shape = { tag: 'Second factor', errorShape: 'message', rights: 'ownSession' } as const;
const path = '/v5/users/me/second-factor';
const Message = Type.Object({ message: Type.String() });
const CurrentPassword = Type.String({ maxLength: 500, description: 'The password that you sign in with.' });
const Code = Type.String({ minLength: 1, maxLength: 40 });
const Proofs = Type.Object({
  current_password: CurrentPassword,
  code: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Six digits that your app shows, or a recovery code. Each is good once.',
  }),
});
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each signs in once in place of a code. Only this answer has them.',
});

export const getSecondFactor = contract({
  ...shape,
  method: 'GET',
  operationId: 'getSecondFactor',
  path,
  summary: 'Get whether signing in asks you for a code',
  description: 'Of the user who is signed in: since when, and how many recovery codes are left.',
  reply: Type.Object({
    is_on: Type.Boolean(),
    created_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601.' }),
    recovery_codes_left: Type.Integer(),
  }),
});

export const beginSecondFactor = contract({
  ...shape,
  method: 'POST',
  operationId: 'createSecondFactor',
  path,
  summary: 'Begin a second factor: get a secret for your authenticator app',
  description:
    'Codes as RFC 6238 makes them: SHA-1, 30 seconds, six digits. Nothing changes until a code has confirmed, within ' +
    'an hour, that your app has the secret. 409 while a second factor is on, and for users without a password.',
  body: Type.Object({ current_password: CurrentPassword }),
  reply: Type.Object({
    secret: Type.String({ description: 'Base32. Only this answer has it.' }),
    url: Type.String({ description: 'The same as an `otpauth:` address; apps read it from a QR code.' }),
  }),
  errors: ['invalid_request', 'conflict', 'too_many_requests'],
});

export const confirmSecondFactor = contract({
  ...shape,
  method: 'POST',
  operationId: 'enableSecondFactor',
  path: `${path}/confirmation`,
  summary: 'Turn the second factor on with a first code',
  description:
    'From now on signing in by password asks for a code. Ends every other session of yours. A passkey or single ' +
    'sign-on asks for none.',
  body: Type.Object({ code: Code }),
  reply: Type.Object({ message: Type.String(), recovery_codes: RecoveryCodes }),
  errors: ['invalid_request', 'conflict', 'too_many_requests'],
});

export const renewRecoveryCodes = contract({
  ...shape,
  method: 'POST',
  operationId: 'rotateRecoveryCodes',
  path: `${path}/recovery-codes`,
  summary: 'Make ten new recovery codes',
  description: 'Those before stop working. Takes your password and a code.',
  body: Proofs,
  reply: Type.Object({ message: Type.String(), recovery_codes: RecoveryCodes }),
  errors: ['invalid_request', 'conflict', 'too_many_requests'],
});

export const deleteSecondFactor = contract({
  ...shape,
  method: 'DELETE',
  operationId: 'deleteSecondFactor',
  path,
  summary: 'Turn the second factor off',
  description: 'Takes your password and a code, as JSON. The recovery codes stop working.',
  body: Proofs,
  reply: Message,
  errors: ['invalid_request', 'conflict', 'too_many_requests'],
});

export const resetSecondFactor = contract({
  ...shape,
  rights: 'users',
  method: 'DELETE',
  operationId: 'removeSecondFactor',
  path: '/v5/users/{user_id}/second-factor',
  summary: 'Turn the second factor of another user off',
  description:
    'For somebody who lost the app and the recovery codes: the password alone signs them in until they set up a new ' +
    'one. 409 for yourself, and for a user who has none.',
  params: Type.Object({ user_id: Type.String() }),
  reply: Message,
  errors: ['not_found', 'conflict'],
});
