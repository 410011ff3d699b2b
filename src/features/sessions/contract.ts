import { Type } from 'typebox';
import { contract } from '../../platform/http/index.ts';

const Session = Type.Object({
  account: Type.Object({ id: Type.String(), name: Type.String(), region: Type.Enum(['us', 'eu']) }),
  role: Type.Enum(['admin', 'developer', 'support']),
  key_id: Type.String(),
});
const common = { tag: 'Sessions', path: '/v1/session', errorShape: 'message' } as const;

export const createSession = contract({
  ...common,
  method: 'POST',
  summary: 'Sign in to the dashboard with an API key',
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: Session,
  errors: ['unauthorized', 'invalid_request'],
  access: 'none',
});

export const getSession = contract({ ...common, method: 'GET', summary: 'Who is asking', reply: Session });

export const deleteSession = contract({ ...common, method: 'DELETE', summary: 'Sign out', reply: Type.Object({ message: Type.String() }), access: 'none' });
