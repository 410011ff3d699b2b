import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { settingFields, WithRecords } from './contract.ts';

const common = { tag: 'Domains', errorShape: 'message', rights: 'domains' } as const;
const params = Type.Object({ name: Type.String({ description: 'The domain, such as `mail.example.com`.' }) });
const message = Type.String();

export const updateDomain = (version: 'v3' | 'v4') =>
  contract({
    ...common,
    errorShape: 'analytics',
    method: 'PUT',
    operationId: version === 'v3' ? 'updateDomainV3' : 'updateDomain',
    path: `/${version}/domains/{name}`,
    summary: 'Change the settings of a sending domain',
    description: 'What is not given stays as it is. Holds for what is accepted, and for what leaves, from then on.',
    sample: { require_tls: true },
    params,
    body: Type.Object({
      ...settingFields,
      mailfrom_host: Type.Optional(
        Type.String({
          maxLength: 253,
          description:
            'The host of return paths, below the name of the domain, such as `bounces.mail.example.com`; it needs a CNAME ' +
            'record to `GALLEY_SMTP_DOMAIN`. Until DNS shows that, and when it does no longer, return paths have ' +
            '`GALLEY_SMTP_DOMAIN` itself, so that bounces come back. Empty: that one.',
        }),
      ),
      smtp_password: Type.Optional(
        readByItself(Type.String({ description: '5 to 32 characters: the password of the login `postmaster@`.' })),
      ),
    }),
    reply: Type.Object({ message, ...WithRecords }),
    errors: ['invalid_request', 'not_found', 'too_many_requests'],
  });

const connection = { require_tls: Type.Boolean(), skip_verification: Type.Boolean() };

export const getConnection = contract({
  ...common,
  method: 'GET',
  operationId: 'getDomainConnection',
  path: '/v3/domains/{name}/connection',
  summary: 'Get how mail of a domain is handed over',
  description: 'Whether it leaves over TLS alone, and whether the certificate of the receiving server is looked at.',
  params,
  reply: Type.Object({ connection: Type.Object(connection, { title: 'DomainConnection' }) }),
  errors: ['not_found'],
});

export const putConnection = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDomainConnection',
  path: '/v3/domains/{name}/connection',
  summary: 'Change how mail of a domain is handed over',
  description:
    '`require_tls`: a message waits, and bounces at last, where the receiving server offers no TLS. ' +
    '`skip_verification`: any certificate will do. Processes that send know of it after ten seconds at the latest.',
  sample: { require_tls: true },
  params,
  body: Type.Object({
    require_tls: Type.Optional(Type.Boolean()),
    skip_verification: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ message, ...connection }),
  errors: ['invalid_request', 'not_found'],
});
