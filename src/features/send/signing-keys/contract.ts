import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = {
  tag: 'Webhooks',
  errorShape: 'message',
  rights: 'signingKeys',
  path: '/v5/accounts/http_signing_key',
} as const;
const reply = Type.Object(
  { message: Type.String(), http_signing_key: Type.String({ description: '32 hexadecimal digits.' }) },
  { title: 'SigningKey' },
);

export const getSigningKey = contract({
  ...common,
  method: 'GET',
  operationId: 'getSigningKey',
  summary: 'Get the key that signs webhooks',
  description:
    'Each webhook carries a `timestamp`, a `token` and their HMAC-SHA256 with this key as hexadecimal digits. It is ' +
    'made when it is first asked for. Keys with the role `support` or `basic` may not read it.',
  reply,
  errors: ['invalid_request'],
});

export const rotateSigningKey = contract({
  ...common,
  method: 'POST',
  operationId: 'rotateSigningKey',
  access: 'admin',
  summary: 'Replace the key that signs webhooks',
  description: 'Every attempt from now on is signed with the new key; the old one signs nothing more.',
  reply,
});
