import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const FROM_LENGTH_MAX = 1000;
const ANSWER_LENGTH_MAX = 8192;

const common = {
  tag: 'Sessions',
  errorShape: 'message',
  rights: 'ownSession',
  method: 'POST',
  access: 'none',
  isJsonOnly: true,
} as const;

export const startSingleSignOn = contract({
  ...common,
  operationId: 'startSingleSignOn',
  path: '/v1/session/sso',
  summary: 'Begin to sign in by single sign-on',
  description:
    'Answers with the page of the provider, to which the browser goes, and with a cookie that binds the sign-in to the ' +
    'browser for ten minutes. 404 where the service has no `GALLEY_OIDC_ISSUER`, 503 where the provider does not answer.',
  body: Type.Object({
    from: Type.Optional(
      Type.String({
        maxLength: FROM_LENGTH_MAX,
        description: 'The page of the dashboard to return to, such as `/previews`.',
      }),
    ),
  }),
  sample: { from: '/previews' },
  isBodyOptional: true,
  unaudited: 'the sign-in that it begins has an entry.',
  reply: Type.Object({ url: Type.String() }),
  errors: [
    'invalid_request',
    'not_found',
    'unsupported_media_type',
    'too_many_requests',
    'unavailable',
    'unauthorized',
  ],
});

export const createSessionBySingleSignOn = contract({
  ...common,
  operationId: 'createSessionBySingleSignOn',
  path: '/v1/session/sso/answer',
  summary: 'Sign in to the dashboard with the answer of the provider of single sign-on',
  description:
    'The page `/sign-in/sso`, to which the provider sends the browser back, hands over the query it came with. Answers ' +
    'with a cookie like signing in by password does. It works once, in the browser that began. At the first time the ' +
    'user is found by the email address, which the provider has to call verified; later by who they are there.',
  body: Type.Object({
    answer: Type.String({
      minLength: 1,
      maxLength: ANSWER_LENGTH_MAX,
      description: 'The query, such as `code=…&state=…`.',
    }),
  }),
  sample: { answer: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
  unaudited: 'its own entry is written as a sign-in, also when a known user is refused.',
  reply: Type.Object({
    signed_in: Type.Boolean(),
    from: Type.String({ description: 'The page of the dashboard that it began at.' }),
  }),
  errors: [
    'unauthorized',
    'forbidden',
    'invalid_request',
    'not_found',
    'unsupported_media_type',
    'too_many_requests',
    'unavailable',
  ],
});
