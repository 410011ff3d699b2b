import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';

const common = { tag: 'Domain keys', errorShape: 'analytics', rights: 'domains' } as const;
const params = Type.Object({ name: Type.String({ description: 'The domain, such as `mail.example.com`.' }) });

const Rotation = Type.Object(
  {
    id: Type.String(),
    account_id: Type.String(),
    sid: Type.String({ description: 'The same as `id`.' }),
    name: Type.String(),
    state: Type.Enum(['disabled', 'wait_verify', 'enabled'], {
      description: '`wait_verify`: the domain, or the record of the next key, has to be seen in DNS first.',
    }),
    active_selector: Type.Optional(Type.String()),
    rotation_enabled: Type.Enum(['true', 'false']),
    rotation_interval: Type.String({ description: 'Days, such as `120d`.' }),
    records: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.Enum(['TXT', 'CNAME', 'MX'], {
          description: '`CNAME`: into the zone of the operator, who publishes the key there.',
        }),
        identifier: Type.String({ description: 'The selector.' }),
        value: Type.String(),
        comment: Type.String({ description: 'What the record is for, and until when it is needed.' }),
      }),
      { description: 'What has to be in DNS.' },
    ),
  },
  { title: 'DkimRotation' },
);

export const putRotation = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDkimRotation',
  path: '/v1/dkim_management/domains/{name}/rotation',
  summary: 'Rotate the keys of a domain by themselves, or no longer',
  description:
    'When the key that signs is older than the interval, the next one is made. You publish its record; it takes over ' +
    'once DNS has shown it for three hours. The key before it stays published for five days more, for what it signed; ' +
    'then it is deleted. As long as the record is not there, the key before it goes on signing, and no message fails.',
  sample: { rotation_enabled: 'true', rotation_interval: '120d' },
  params,
  body: Type.Object({
    rotation_enabled: Type.Boolean(),
    rotation_interval: Type.Optional(
      readByItself(Type.String({ description: 'From `5d` to `365d`; `120d` unless said. Only where it is enabled.' })),
    ),
  }),
  reply: Type.Object({ domain: Rotation }),
  errors: ['invalid_request', 'not_found'],
});

export const postRotate = contract({
  ...common,
  method: 'POST',
  operationId: 'rotateDkimKey',
  path: '/v1/dkim_management/domains/{name}/rotate',
  summary: 'Make the next key of a domain now',
  description:
    'For a domain whose rotation is enabled and not under way. `GET /v4/domains/{authority_name}/keys` shows the key ' +
    'and the record to publish; it takes over once DNS has shown it for three hours.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: ['invalid_request', 'not_found'],
});
