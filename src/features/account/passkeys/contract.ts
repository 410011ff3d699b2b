import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

/** Of one user. */
export const PASSKEYS_MAX = 20;
const NAME_LENGTH_MAX = 100;

const shape = { tag: 'Passkeys', errorShape: 'message', rights: 'ownSession' } as const;
const path = '/v5/users/me/passkeys';
const Bytes = (lengthMax: number, description: string) =>
  Type.String({ maxLength: lengthMax, pattern: '^[A-Za-z0-9_-]+={0,2}$', description: `${description} Base64url.` });
const ClientData = Bytes(4000, 'What the browser says about where and what for.');
const DeviceData = Bytes(8000, 'What the device says.');
const CredentialId = Bytes(1400, 'The id of the passkey in the device.');
const Named = Type.Literal('public-key');
const Extra = { additionalProperties: true } as const;

const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    domain: Type.String({ description: 'The domain of the dashboard that it works at.' }),
    is_backed_up: Type.Boolean({ description: 'Whether the device says that a copy is kept elsewhere.' }),
    created_at: Type.String({ description: 'ISO 8601.' }),
    last_used_at: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601.' }),
  },
  { title: 'Passkey' },
);
const PasskeyName = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  description: 'Such as the name of the device.',
});
const Described = Type.Object({ type: Named, id: Type.String() });

/** What a device made. */
export const NewPasskey = Type.Object({
  name: PasskeyName,
  credential: Type.Object(
    {
      id: CredentialId,
      type: Named,
      response: Type.Object(
        {
          clientDataJSON: ClientData,
          authenticatorData: DeviceData,
          publicKey: Bytes(2000, 'As SubjectPublicKeyInfo.'),
          publicKeyAlgorithm: Type.Integer({ description: 'Of COSE: -7, -8 or -257.' }),
        },
        Extra,
      ),
    },
    Extra,
  ),
});

/** What a device signed. */
export const SignedPasskey = Type.Object({
  credential: Type.Object(
    {
      id: CredentialId,
      type: Named,
      response: Type.Object(
        {
          clientDataJSON: ClientData,
          authenticatorData: DeviceData,
          signature: Bytes(2000, 'Of both.'),
          userHandle: Type.Optional(Type.Union([Bytes(100, 'Whose it is.'), Type.Null()])),
        },
        Extra,
      ),
    },
    Extra,
  ),
});

export const listPasskeys = contract({
  ...shape,
  method: 'GET',
  operationId: 'listPasskeys',
  path,
  summary: 'List your passkeys',
  description: 'Of the user who is signed in, the oldest first; at most twenty.',
  reply: Type.Object({
    items: Type.Array(Passkey),
    total: Type.Integer(),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the user signs in without passkeys, where `GALLEY_OIDC_PASSWORDS` is off; null otherwise.',
    }),
  }),
});

export const beginPasskey = contract({
  ...shape,
  method: 'POST',
  operationId: 'createPasskeyChallenge',
  unaudited: 'nothing is changed before the device has answered.',
  path: `${path}/challenge`,
  summary: 'Begin a new passkey: get what your browser asks your device for',
  description:
    'Takes your password, where you have one, and a code, where your second factor is on. `options` are those of ' +
    '`PublicKeyCredential.parseCreationOptionsFromJSON`; they hold for five minutes. 409 where the dashboard is not at ' +
    'an `https` address with a name: browsers have no passkeys there.',
  body: Type.Object({
    current_password: Type.String({ maxLength: 500, default: '', description: 'Empty for users without a password.' }),
    code: Type.String({ maxLength: 40, default: '', description: 'Of your second factor, or a recovery code.' }),
  }),
  reply: Type.Object({
    options: Type.Object({
      challenge: Type.String(),
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      pubKeyCredParams: Type.Array(Type.Object({ type: Named, alg: Type.Integer() })),
      timeout: Type.Integer({ description: 'Milliseconds.' }),
      attestation: Type.Literal('none'),
      excludeCredentials: Type.Array(Described),
      authenticatorSelection: Type.Object({
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Boolean(),
        userVerification: Type.Literal('required'),
      }),
    }),
  }),
  errors: ['invalid_request', 'forbidden', 'conflict', 'too_many_requests'],
});

export const createPasskey = contract({
  ...shape,
  method: 'POST',
  operationId: 'createPasskey',
  path,
  summary: 'Keep a new passkey',
  description:
    'Takes what the device answered, as `PublicKeyCredential.toJSON` gives it. Each user has twenty at most.',
  body: NewPasskey,
  sample: {
    name: 'Phone',
    credential: {
      id: 'VGhlIGlkIG9mIGEgcGFzc2tleQ',
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        authenticatorData: 'VGhlIGRhdGEgb2YgdGhlIGRldmljZQ',
        publicKey: 'VGhlIHB1YmxpYyBrZXk',
        publicKeyAlgorithm: -7,
      },
    },
  },
  reply: Type.Object({ message: Type.String(), passkey: Passkey }),
  errors: ['invalid_request', 'forbidden', 'conflict'],
});

export const renamePasskey = contract({
  ...shape,
  method: 'PATCH',
  operationId: 'updatePasskey',
  path: `${path}/{passkey_id}`,
  summary: 'Rename one of your passkeys',
  description: 'Your list shows the new name. Your device keeps the name that it has for the passkey.',
  params: Type.Object({ passkey_id: Type.String({ maxLength: 64 }) }),
  sample: { name: 'Work laptop' },
  body: Type.Object({ name: PasskeyName }),
  reply: Type.Object({ message: Type.String(), passkey: Passkey }),
  errors: ['invalid_request', 'not_found'],
});

export const deletePasskey = contract({
  ...shape,
  method: 'DELETE',
  operationId: 'deletePasskey',
  path: `${path}/{passkey_id}`,
  summary: 'Delete one of your passkeys',
  description: 'It signs nobody in from now on. Your device may go on offering it until you delete it there, too.',
  params: Type.Object({ passkey_id: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

export const beginPasskeySignIn = contract({
  ...shape,
  tag: 'Sessions',
  method: 'POST',
  operationId: 'createSessionChallenge',
  unaudited: 'nothing is changed before a device has answered.',
  path: '/v1/session/passkey/challenge',
  summary: 'Begin to sign in with a passkey',
  description:
    '`options` are those of `PublicKeyCredential.parseRequestOptionsFromJSON`; they hold for five minutes. The device ' +
    'knows whose passkeys it has, so that nobody is named.',
  body: Type.Object({}),
  reply: Type.Object({
    options: Type.Object({
      challenge: Type.String(),
      rpId: Type.String(),
      timeout: Type.Integer({ description: 'Milliseconds.' }),
      userVerification: Type.Literal('required'),
      allowCredentials: Type.Array(Described),
    }),
  }),
  errors: ['conflict', 'invalid_request', 'unsupported_media_type'],
  access: 'none',
  isJsonOnly: true,
});

export const signInByPasskey = contract({
  ...shape,
  tag: 'Sessions',
  method: 'POST',
  operationId: 'createSessionByPasskey',
  unaudited: 'its own entry is written as a sign-in, also when it fails.',
  path: '/v1/session/passkey',
  summary: 'Sign in to the dashboard with a passkey',
  description:
    'Takes what the device answered, as `PublicKeyCredential.toJSON` gives it. Asks for no password and no code: the ' +
    'device has asked who it is. A passkey whose counter goes back may be a copy and is refused.',
  body: SignedPasskey,
  sample: {
    credential: {
      id: 'VGhlIGlkIG9mIGEgcGFzc2tleQ',
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
        authenticatorData: 'VGhlIGRhdGEgb2YgdGhlIGRldmljZQ',
        signature: 'VGhlIHNpZ25hdHVyZQ',
      },
    },
  },
  reply: Type.Object({ signed_in: Type.Boolean() }),
  errors: ['unauthorized', 'forbidden', 'invalid_request', 'conflict', 'unsupported_media_type', 'too_many_requests'],
  access: 'none',
  isJsonOnly: true,
});
