import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

export const getSubmission = contract({
  tag: 'SMTP credentials',
  errorShape: 'message',
  rights: 'domains',
  method: 'GET',
  operationId: 'getSubmission',
  path: '/v1/galley/submission',
  summary: 'Where programs log in and send by SMTP',
  description:
    'The host is the one by which this request came, or that of `GALLEY_PUBLIC_URL`; it may have another name for mail ' +
    'programs.',
  reply: Type.Object({
    host: Type.String(),
    port: Type.Union([Type.Integer(), Type.Null()], {
      description: 'With STARTTLS. Null: none, or one that the log names.',
    }),
    tls_port: Type.Union([Type.Integer(), Type.Null()], { description: 'With TLS from the first byte.' }),
  }),
});
