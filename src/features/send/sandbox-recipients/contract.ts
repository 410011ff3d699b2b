import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = { tag: 'Delivery', errorShape: 'message', rights: 'account' } as const;
const PATH = '/v5/sandbox/auth_recipients';

const Recipient = Type.Object(
  {
    email: Type.String(),
    activated: Type.Boolean({ description: 'Its owner has followed the link, and agreed.' }),
    problem: Type.Optional(Type.String({ description: 'Why the mail with the link has not arrived.' })),
  },
  { title: 'SandboxRecipient' },
);

export const listSandboxRecipients = contract({
  ...common,
  method: 'GET',
  operationId: 'listSandboxRecipients',
  path: PATH,
  summary: 'List authorized recipients of the sandbox domain',
  description: 'A sandbox domain that delivers writes to activated addresses only.',
  reply: Type.Object({ recipients: Type.Array(Recipient) }),
});

export const addSandboxRecipient = contract({
  ...common,
  method: 'POST',
  operationId: 'addSandboxRecipient',
  path: PATH,
  summary: 'Ask an address to be a recipient of the sandbox domain',
  description:
    'At most 5. A mail with a link goes there; whoever follows it and presses the button activates the address. While ' +
    'messages are captured, that mail is a message of the sandbox domain, and the activation holds for captured ' +
    'messages only. Adding an address again that is not activated sends a new link; 20 mails a day.',
  sample: { email: 'ann@example.com' },
  query: Type.Object({ email: Type.String({ maxLength: 320 }) }),
  reply: Type.Object({ recipient: Recipient }),
  errors: ['invalid_request', 'conflict', 'too_many_requests'],
});

export const deleteSandboxRecipient = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSandboxRecipient',
  path: `${PATH}/{email}`,
  summary: 'Delete an authorized recipient of the sandbox domain',
  description: 'Its link works no longer.',
  params: Type.Object({ email: Type.String({ maxLength: 320 }) }),
  reply: Type.Object({ message: Type.String() }),
  errors: ['invalid_request', 'not_found'],
});

const page = {
  ...common,
  path: '/u/sandbox/{token}',
  access: 'none',
  isFile: true,
  params: Type.Object({ token: Type.String({ maxLength: 100, description: 'From the mail.' }) }),
  reply: Type.String(),
  errors: ['not_found'],
} as const;

export const showActivation = contract({
  ...page,
  errors: ['not_found'],
  method: 'GET',
  operationId: 'getSandboxActivationPage',
  summary: 'Show the page that asks for test mail to an address',
  description: 'Changes nothing: programs that follow every link of a message activate nothing.',
});

export const activate = contract({
  ...page,
  errors: ['not_found'],
  method: 'POST',
  operationId: 'addSandboxActivation',
  unaudited: 'the recipient calls it, without a key.',
  summary: 'Activate a recipient of a sandbox domain',
  description: 'The button of the page.',
  body: Type.Object({}),
  isBodyOptional: true,
});
