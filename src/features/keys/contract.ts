import { Type } from 'typebox';
import { contract } from '../../platform/http/index.ts';

const Key = Type.Object({
  id: Type.String(),
  description: Type.String(),
  kind: Type.Literal('user'),
  role: Type.Enum(['admin', 'developer', 'support']),
  created_at: Type.String({ description: '`2026-11-21T09:00:00`, UTC.' }),
  updated_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
  is_disabled: Type.Boolean(),
  disabled_reason: Type.Union([Type.String(), Type.Null()]),
  domain_name: Type.Null(),
  requestor: Type.Null(),
  user_name: Type.Null(),
});

const common = { tag: 'Keys', errorShape: 'message', access: 'admin' } as const;

export const listKeys = contract({
  ...common,
  method: 'GET',
  path: '/v1/keys',
  summary: 'List API keys',
  query: Type.Object({ kind: Type.Optional(Type.Enum(['domain', 'user', 'web'])) }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Key) }),
  errors: ['invalid_request'],
});

export const createKey = contract({
  ...common,
  method: 'POST',
  path: '/v1/keys',
  summary: 'Create an API key',
  description: 'The secret is in this answer and nowhere else.',
  body: Type.Object({
    role: Type.Enum(['admin', 'developer', 'support'], { description: '`admin` may do everything, `developer` all but keys and subaccounts, `support` may read.' }),
    description: Type.String({ default: '', maxLength: 500 }),
    expiration: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000, description: 'Seconds until the key expires; 0 or absent: never.' })),
    kind: Type.Optional(Type.Literal('user')),
  }),
  reply: Type.Object({ message: Type.String(), key: Type.Evaluate(Type.Intersect([Key, Type.Object({ secret: Type.String() })])) }),
  errors: ['invalid_request'],
});

export const deleteKey = contract({
  ...common,
  method: 'DELETE',
  path: '/v1/keys/{key_id}',
  summary: 'Revoke an API key',
  params: Type.Object({ key_id: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found', 'conflict'],
});
