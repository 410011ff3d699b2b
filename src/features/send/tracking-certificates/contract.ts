import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = { tag: 'Tracking', errorShape: 'certificates', rights: 'domains' } as const;
const params = Type.Object({
  domain: Type.String({ description: 'The sending domain, such as `mail.example.com`, or its tracking host.' }),
});
const reply = Type.Object({
  message: Type.String(),
  location: Type.String({ description: 'Where to ask how far it is.' }),
});

export const getStatus = contract({
  ...common,
  method: 'GET',
  operationId: 'getTrackingCertificate',
  path: '/v2/x509/{domain}/status',
  summary: 'Get the certificate of a tracking host',
  description:
    'A certificate that ends is renewed by itself when a third of its time is left. `error` is what the authority said ' +
    'last, or why it was not asked; it may stand beside a certificate that is still valid.',
  params,
  reply: Type.Object(
    {
      status: Type.Enum(['processing', 'active', 'expired', 'error'], {
        description: '`active`: the certificate is valid now. `error`: there is none, and `error` says why.',
      }),
      error: Type.Union([Type.String(), Type.Null()]),
      certificate: Type.Optional(Type.String({ description: 'PEM, with the chain.' })),
      host: Type.String(),
      source: Type.Enum(['authority', 'operator']),
      valid_from: Type.Union([Type.String(), Type.Null()]),
      valid_to: Type.Union([Type.String(), Type.Null()]),
      next_try: Type.Union([Type.String(), Type.Null()], {
        description: 'When it is renewed, or asked for again; null: not by itself.',
      }),
      is_served: Type.Boolean({
        description: 'Whether this service answers at the host over https (`GALLEY_TRACKING_TLS_PORT`).',
      }),
    },
    { title: 'TrackingCertificate' },
  ),
  errors: ['not_found'],
});

export const postCertificate = contract({
  ...common,
  method: 'POST',
  operationId: 'addTrackingCertificate',
  path: '/v2/x509/{domain}',
  summary: 'Ask for a certificate of a tracking host',
  description:
    'Asks the authority of `GALLEY_ACME_DIRECTORY`, once the operator has agreed to its terms (`GALLEY_ACME_TERMS`). The ' +
    'domain must be verified, and the CNAME of its tracking host be in DNS. Asked for at most 3 times an hour and 10 ' +
    'times a week for a host, and 20 times an hour for an account; beyond that it waits.',
  status: 202,
  params,
  reply,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const putCertificate = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateTrackingCertificate',
  path: '/v2/x509/{domain}',
  summary: 'Ask again for a certificate of a tracking host',
  description: 'For one that was asked for before and is not valid: it failed, or has ended.',
  status: 202,
  params,
  reply,
  errors: ['invalid_request', 'not_found', 'conflict', 'too_many_requests'],
});

export const getChallenge = contract({
  tag: 'Tracking',
  errorShape: 'message',
  method: 'GET',
  access: 'none',
  isFile: true,
  operationId: 'getCertificateChallenge',
  path: '/.well-known/acme-challenge/{token}',
  summary: 'Show an authority that a tracking host is served here',
  description: 'Asked by an authority (RFC 8555, `http-01`) at port 80 of the host while it issues a certificate.',
  params: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  reply: Type.String(),
  errors: ['not_found'],
});
