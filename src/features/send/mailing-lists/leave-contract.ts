import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = {
  tag: 'Mailing lists',
  errorShape: 'message',
  path: '/u/list/{token}',
  access: 'none',
  isFile: true,
  params: Type.Object({ token: Type.String({ description: 'Names the copy of a message; from its header or text.' }) }),
  reply: Type.String(),
} as const;

export const showLeave = contract({
  ...common,
  method: 'GET',
  operationId: 'getMailingListUnsubscribePage',
  summary: 'Show the page that asks whether to leave a mailing list',
  description: 'Changes nothing: programs that follow every link of a message unsubscribe nobody.',
  errors: ['not_found'],
});

export const leave = contract({
  ...common,
  method: 'POST',
  operationId: 'updateMailingListMemberByLink',
  unaudited: 'a recipient calls it, without a key; it is in the events.',
  summary: 'Unsubscribe the reader of a message from its mailing list',
  description:
    'One click of a mail client (RFC 8058), or the button of the page. The member stays on the list, unsubscribed; what ' +
    'else the domain sends to them does not change.',
  body: Type.Object({}),
  isBodyOptional: true,
  errors: ['not_found'],
});
