import { Type, type TSchema } from 'typebox';
import { contract, ROLES, ROLES_ABOUT } from '../../../platform/http/index.ts';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const Kind = Type.Enum(['domain', 'user', 'web']);
const Text = Type.Optional(Type.String());

/** What is not known of a key is left out: existing clients have strings there, never null. */
const Key = Type.Object(
  {
    id: Type.String(),
    description: Type.String(),
    kind: Kind,
    role: Type.Enum([...ROLES]),
    created_at: Type.String({ description: '`2026-11-21T09:00:00`, UTC.' }),
    updated_at: Type.String(),
    expires_at: Text,
    last_used_at: Text,
    is_disabled: Type.Boolean(),
    disabled_reason: Text,
    domain_name: Text,
    requestor: Text,
    user_id: Text,
    user_name: Text,
  },
  { title: 'Key' },
);

const common = { tag: 'Keys', errorShape: 'message', rights: 'keys' } as const;

export const listKeys = contract({
  ...common,
  method: 'GET',
  operationId: 'listKeys',
  path: '/v1/keys',
  summary: 'List API keys',
  description: 'The answer never contains secrets. `kind` and `domain_name` filter the list.',
  query: Type.Object({ kind: Type.Optional(Kind), domain_name: Type.Optional(Type.String({ maxLength: 253 })) }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Key) }),
  errors: ['invalid_request'],
});

export const createKey = contract({
  ...common,
  method: 'POST',
  operationId: 'createKey',
  path: '/v1/keys',
  summary: 'Create an API key',
  description: 'Only this answer contains the secret.',
  body: Type.Object({
    role: Type.Enum([...ROLES], { description: ROLES_ABOUT }),
    description: Type.String({ default: '', maxLength: 500 }),
    expiration: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 315_360_000,
          description: 'Seconds until the key expires; 0 or absent: never.',
        }),
      ),
    ),
    kind: Type.Optional(Kind),
    domain_name: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 253,
          description:
            'The domain that the key is limited to; required if kind is `domain`. The role is `sending` then.',
        }),
      ),
    ),
    user_id: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    user_name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    email: Type.Optional(
      Nullable(
        Type.String({ maxLength: 320, description: 'The person whom the key is for; answered as `requestor`.' }),
      ),
    ),
  }),
  reply: Type.Object({
    message: Type.String(),
    key: Type.Evaluate(Type.Intersect([Key, Type.Object({ secret: Type.String() })])),
  }),
  errors: ['invalid_request'],
});

export const deleteKey = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteKey',
  path: '/v1/keys/{key_id}',
  summary: 'Revoke an API key',
  description: 'The key is refused from now on. 409 for the last key that can create others.',
  params: Type.Object({ key_id: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found', 'conflict'],
});

export const renewPublicKey = contract({
  ...common,
  method: 'POST',
  operationId: 'rotatePublicKey',
  path: '/v1/keys/public',
  summary: 'Make the public key of the account anew',
  description:
    'A key that may stand in pages for everybody to read. Only this answer contains it; the one before is void. It may ' +
    'do nothing yet: it is for validating addresses from pages, and no endpoint takes it so far.',
  body: Type.Object({}),
  isBodyOptional: true,
  reply: Type.Object({ message: Type.String(), key: Type.String() }),
});
