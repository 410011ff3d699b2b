import { Type } from 'typebox';
import { contract, ROLES } from '../../../platform/http/index.ts';

const Person = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() });
const Session = Type.Object(
  {
    account: Type.Object({ id: Type.String(), name: Type.String(), region: Type.Enum(['us', 'eu']) }),
    role: Type.Enum([...ROLES], { description: 'What the caller may do.' }),
    is_operator: Type.Boolean({
      description: 'Whether the caller runs this installation: the role `admin` in its first account.',
    }),
    key_id: Type.Optional(Type.String({ description: 'Absent for a user who signed in without a key.' })),
    user: Type.Optional(Person),
  },
  { title: 'Session' },
);
const shape = { tag: 'Sessions', errorShape: 'message', rights: 'ownSession' } as const;
const common = { ...shape, path: '/v1/session' } as const;

export const createSession = contract({
  ...common,
  method: 'POST',
  operationId: 'createSession',
  unaudited: 'its own entry is a sign-in, also when a known key is refused.',
  summary: 'Sign in to the dashboard with an API key',
  description:
    'Answers with a cookie that is valid for twelve hours, or as long as the account says. Takes only JSON, and refuses pages of other sites.',
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: Session,
  errors: ['unauthorized', 'forbidden', 'invalid_request', 'unsupported_media_type', 'too_many_requests'],
  access: 'none',
  isJsonOnly: true,
});

export const signInByPassword = contract({
  ...shape,
  method: 'POST',
  operationId: 'createSessionByPassword',
  path: '/v1/session/password',
  summary: 'Sign in to the dashboard with an email address and a password',
  description:
    'Answers with a cookie that is valid for twelve hours; or, for a user with a second factor, with a `challenge`. ' +
    'The answer is the same for an unknown address and for a ' +
    'wrong password. After ten wrong ones within half an hour one more is taken every three minutes; whoever comes ' +
    'from where the user signed in before does not wait for the wrong ones of others.',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  unaudited: 'its own entry is written as a sign-in, also when it fails.',
  reply: Type.Object({
    signed_in: Type.Boolean({ description: 'False where a code is asked for, too.' }),
    challenge: Type.Optional(
      Type.String({ description: 'To give back with a code, within five minutes. It is good for nothing else.' }),
    ),
  }),
  errors: ['unauthorized', 'forbidden', 'invalid_request', 'unsupported_media_type', 'too_many_requests'],
  access: 'none',
  isJsonOnly: true,
});

export const signInByCode = contract({
  ...shape,
  method: 'POST',
  operationId: 'createSessionByCode',
  path: '/v1/session/code',
  summary: 'Finish signing in to the dashboard with a code',
  description:
    'The second step after the password of a user with a second factor. Wrong codes count as wrong passwords do. 410 ' +
    'when the challenge is over: begin with the password again.',
  body: Type.Object({
    challenge: Type.String({ minLength: 1, maxLength: 200, description: 'What the password was answered with.' }),
    code: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Six digits that the authenticator app shows, or a recovery code. Each is good once.',
    }),
  }),
  unaudited: 'its own entry is written as a sign-in, also when it fails.',
  reply: Type.Object({ signed_in: Type.Boolean() }),
  errors: ['unauthorized', 'forbidden', 'invalid_request', 'expired', 'unsupported_media_type', 'too_many_requests'],
  access: 'none',
  isJsonOnly: true,
});

export const listSignInWays = contract({
  ...shape,
  method: 'GET',
  operationId: 'listSignInWays',
  path: '/v1/session/ways',
  summary: 'List the ways to sign in to the dashboard',
  description: 'Whether links for new passwords are sent, too: they are where `GALLEY_PUBLIC_URL` is set.',
  reply: Type.Object({
    password_reset: Type.Boolean(),
    sso: Type.Union([Type.Object({ name: Type.String() }), Type.Null()], {
      description: 'The provider of single sign-on; null where there is none.',
    }),
    passkeys: Type.Union(
      [
        Type.Object({
          origin: Type.String({ description: 'Such as `https://galley.example.com`: passkeys work there alone.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Where passkeys sign in; null where the dashboard is not at an `https` address with a name, nor at ' +
          '`http://localhost`: browsers have no passkeys there.',
      },
    ),
  }),
  access: 'none',
});

export const getSession = contract({
  ...common,
  method: 'GET',
  operationId: 'getSession',
  summary: 'Get the account and role of the caller',
  description: 'The account that the call acts for, and the role of the key or the user.',
  reply: Session,
});

export const deleteSession = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSession',
  unaudited: 'whoever signs out changes nothing but their own session.',
  summary: 'Sign out: the session of this cookie ends',
  description: 'The cookie is invalid from now on.',
  reply: Type.Object({
    message: Type.String(),
    logout_redirect_url: Type.Optional(Type.String({ description: 'Where the account wants people to go.' })),
  }),
  errors: ['forbidden'],
  access: 'none',
});

const Live = Type.Object(
  {
    id: Type.String(),
    key_id: Type.Optional(Type.String({ description: 'The key that was used to sign in.' })),
    key_description: Type.Optional(Type.String()),
    user: Type.Optional(Person),
    role: Type.Enum([...ROLES]),
    address: Type.String({ description: 'The address from which the session was started.' }),
    user_agent: Type.String({ description: 'The user agent of the browser.' }),
    is_current: Type.Boolean({ description: 'Whether this request belongs to the session.' }),
    created_at: Type.String({ description: 'ISO 8601.' }),
    last_used_at: Type.String({ description: 'ISO 8601; written once a minute at most.' }),
    expires_at: Type.String({ description: 'ISO 8601.' }),
  },
  { title: 'LiveSession' },
);

export const listSessions = contract({
  ...shape,
  method: 'GET',
  operationId: 'listSessions',
  path: '/v1/sessions',
  summary: 'List the dashboard sessions, newest first',
  description:
    'A key or a user with the role admin sees all sessions of the account; any other sees its own. Galley keeps the ' +
    'newest hundred sessions of each key and of each user.',
  query: Type.Object({
    own: Type.Boolean({ default: false, description: 'Only those of the key or the user who asks.' }),
  }),
  reply: Type.Object({ items: Type.Array(Live), total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const revokeSession = contract({
  ...shape,
  method: 'DELETE',
  operationId: 'revokeSession',
  path: '/v1/sessions/{session_id}',
  summary: 'End a session',
  description: 'The browser of the session has to sign in again.',
  params: Type.Object({ session_id: Type.String() }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
