import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = {
  tag: 'Unsubscribes',
  errorShape: 'message',
  path: '/u/{token}',
  access: 'none',
  isFile: true,
  params: Type.Object({ token: Type.String({ description: 'Names the copy of a message; from its header or text.' }) }),
  query: Type.Object({
    all: Type.Optional(Type.Enum(['yes'], { description: 'From every message, not from its tags only.' })),
  }),
  reply: Type.String(),
  errors: ['not_found'],
} as const;

export const showUnsubscribe = contract({
  ...common,
  errors: ['not_found'],
  method: 'GET',
  operationId: 'getUnsubscribePage',
  summary: 'Show the page that asks whether to unsubscribe',
  description: 'Changes nothing: programs that follow every link of a message unsubscribe nobody.',
});

export const unsubscribe = contract({
  ...common,
  errors: ['not_found'],
  method: 'POST',
  operationId: 'addUnsubscribeByLink',
  unaudited: 'a recipient calls it, without a key; it is in the events.',
  summary: 'Unsubscribe the reader of a message',
  description:
    'One click of a mail client (RFC 8058), or the button of the page. From the tags of the message, or from every ' +
    'message of its domain where it has none.',
  body: Type.Object({}),
  isBodyOptional: true,
});
