import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';

export const MESSAGES = { min: 1, max: 5000, default: 1000 };
export const RETENTION_DAYS = { min: 1, max: 90, default: 14 };
/** Messages that an inbox has checked by itself. */
export const CHECKS_PER_HOUR = { min: 1, max: 500, default: 60 };
/** Of the messages of one inbox together. */
export const INBOX_BYTES_MAX = 512 * 1024 * 1024;
/** Of one message. */
export const MESSAGE_BYTES_MAX = 25 * 1024 * 1024;
/** Of one message. */
export const TAGS_MAX = 20;
export const TAG_LENGTH_MAX = 100;
/** Of one inbox, and tags of one of them. */
export const TAG_RULES_MAX = 50;
export const TAGS_OF_RULE_MAX = 10;
/** What an inbox may refuse on purpose, by the names of Mailpit. */
export const TRIGGERS = ['sender', 'recipient', 'authentication'] as const;
/** Of replies of SMTP that refuse. */
const ERROR_CODES = { min: 400, max: 599 };
/** Addresses that one message goes on to. */
export const ADDRESSES_MAX = 20;
/** Of what is shown of a message beside its source. */
export const SHOWN_LENGTH_MAX = 5 * 1024 * 1024;

export const common = { tag: 'Sandbox', errorShape: 'message' } as const;
export const inboxField = Type.String({ maxLength: 100, description: 'The id or the name of an inbox.' });
const params = Type.Object({ inbox: inboxField });

export const CheckName = Type.Enum(['previews', 'spam', 'gate']);

const trigger = (of: string) =>
  Type.Optional(
    Type.Object(
      {
        error_code: Type.Integer({
          minimum: ERROR_CODES.min,
          maximum: ERROR_CODES.max,
          description: `What ${of} is answered with: ${ERROR_CODES.min} to ${ERROR_CODES.max}. 421 ends the connection.`,
        }),
        probability: Type.Integer({ minimum: 0, maximum: 100, description: 'How often, in percent.' }),
      },
      { additionalProperties: false },
    ),
  );
const Chaos = Type.Object(
  { sender: trigger('MAIL FROM'), recipient: trigger('RCPT TO'), authentication: trigger('AUTH') },
  { additionalProperties: false },
);

const SandboxInbox = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    smtp_user: Type.String({ description: 'What programs log in with; `GET /v1/galley/submission` says where.' }),
    messages_max: Type.Integer(),
    retention_days: Type.Integer(),
    checks: Type.Array(CheckName, { description: 'What starts by itself for each message that comes.' }),
    checks_per_hour: Type.Integer({ description: 'For so many messages.' }),
    webhook_url: Type.Union([Type.String(), Type.Null()], { description: 'What is told of each message that comes.' }),
    forward: Type.Union(
      [
        Type.Object({
          domain: Type.String({ description: 'The sending domain that sends it.' }),
          to: Type.Array(Type.String()),
        }),
        Type.Null(),
      ],
      { description: 'Where each message that comes is sent on to.' },
    ),
    tag_rules: Type.Array(
      Type.Object({ match: Type.String({ description: 'A search.' }), tags: Type.Array(Type.String()) }),
      { description: 'Which tags it gives to what comes.' },
    ),
    chaos: Type.Union([Chaos, Type.Null()], { description: 'What it refuses on purpose over SMTP; null: nothing.' }),
    message_count: Type.Integer(),
    unread_count: Type.Integer({ description: 'Of them, those that nobody has marked as read.' }),
    size_bytes: Type.Integer(),
    size_bytes_max: Type.Integer(),
    revision: Type.Integer({
      description: 'Grows with every change of what is in it. As `after` it asks for messages that come from now on.',
    }),
    dropped_count: Type.Integer({ description: 'Messages that made room for newer ones.' }),
    dropped_at: Type.Union([Type.String(), Type.Null()], { description: 'When the last of them did.' }),
    created_at: Type.String({ description: 'RFC 3339, UTC.' }),
    updated_at: Type.String({ description: 'RFC 3339, UTC.' }),
  },
  { title: 'SandboxInbox' },
);
const WithPassword = Type.Object({
  ...SandboxInbox.properties,
  smtp_password: Type.String({ description: 'Shown in this answer alone: only what recognizes it is kept.' }),
});

const tagRules = Type.Array(
  Type.Object({
    match: Type.String({ maxLength: 1000, description: 'What `search` of the list of messages takes; never empty.' }),
    tags: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: TAGS_OF_RULE_MAX,
      description: `1 to ${TAGS_OF_RULE_MAX} tags, each of at most ${TAG_LENGTH_MAX} characters.`,
    }),
  }),
  {
    maxItems: TAG_RULES_MAX,
    description:
      `Up to ${TAG_RULES_MAX} rules, in place of those before. Each message that comes from now on gets the tags of ` +
      'every rule whose search finds it, beside those that it brings; rules do not see what other rules give. A message ' +
      `keeps its first ${TAGS_MAX}. Default: none.`,
  },
);
const name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,59}$',
  description:
    'Up to 60 lower-case letters, digits and hyphens, of which the first is no hyphen. No other inbox of the account ' +
    'has it, and it is not of the form of an id (24 hexadecimal digits).',
});
const bounds = {
  messages_max: Type.Optional(
    Type.Integer({
      minimum: MESSAGES.min,
      maximum: MESSAGES.max,
      description: `Where there are more, the oldest are deleted. Default: ${MESSAGES.default}.`,
    }),
  ),
  retention_days: Type.Optional(
    Type.Integer({
      minimum: RETENTION_DAYS.min,
      maximum: RETENTION_DAYS.max,
      description: `How long messages that come from now on are kept. Default: ${RETENTION_DAYS.default}.`,
    }),
  ),
  checks: Type.Optional(
    Type.Array(CheckName, {
      maxItems: 10,
      description:
        'What starts by itself for each message that comes from now on: previews of the default clients with every ' +
        'content check, a spam test, a gate with the default policy. They count as those that are started by hand. ' +
        'Default: none.',
    }),
  ),
  checks_per_hour: Type.Optional(
    Type.Integer({
      minimum: CHECKS_PER_HOUR.min,
      maximum: CHECKS_PER_HOUR.max,
      description:
        'For so many messages of an hour, which begins with the first; further ones are kept, and say that they were ' +
        `not checked. Default: ${CHECKS_PER_HOUR.default}.`,
    }),
  ),
  webhook_url: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'http or https, at most 2,000 bytes. Each message that comes from now on is told to it by a signed POST of JSON, ' +
        'as events of sent messages are: `signature` is made with the same key, and `event-data` has the inbox and what ' +
        'lists show of the message. What is not answered with 2xx is tried again, five times in all within half ' +
        'a minute; 406 asks for no further attempt. An address that is not public is refused. Null: none. Default: null.',
    }),
  ),
  forward: Type.Optional(
    Type.Union(
      [
        Type.Object({
          domain: Type.String({ maxLength: 253, description: 'A sending domain of the account.' }),
          to: Type.Array(Type.String({ maxLength: 320 }), {
            minItems: 1,
            maxItems: ADDRESSES_MAX,
            description: `Up to ${ADDRESSES_MAX} addresses.`,
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Each message that comes from now on is sent on to these addresses alone, once and as it is, as a message of ' +
          'this domain, and counts as one; nobody whom the message itself names gets it. Where it goes is ' +
          '`GALLEY_DELIVERY`, as for every message. Null: nobody. Default: null.',
      },
    ),
  ),
  tag_rules: Type.Optional(tagRules),
  chaos: Type.Optional(
    Type.Union([Chaos, Type.Null()], {
      description:
        'Refuses on purpose, so that a program shows what it does then: programs that log in over SMTP with the login ' +
        'of this inbox get such an answer to MAIL FROM, RCPT TO or AUTH, so often. A login is refused only when its ' +
        'password is right, and does not count as one that failed. In place of what was set before: a trigger that is ' +
        'not named refuses nothing. Nothing else is refused, and messages over HTTP are not. Null: nothing. Default: null.',
    }),
  ),
};

export const listInboxes = contract({
  ...common,
  method: 'GET',
  operationId: 'listSandboxInboxes',
  path: '/v1/sandbox',
  summary: 'List the inboxes of the sandbox',
  description: 'Newest first.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ items: Type.Array(SandboxInbox), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request'],
});

export const createInbox = contract({
  ...common,
  method: 'POST',
  operationId: 'createSandboxInbox',
  path: '/v1/sandbox',
  summary: 'Create an inbox of the sandbox',
  description:
    'Whatever comes into it, by SMTP with its login or by HTTP, is kept there, and delivered to nobody. An inbox holds ' +
    `at most ${INBOX_BYTES_MAX / 2 ** 20} MiB; beyond that, and beyond \`messages_max\`, its oldest messages are deleted, ` +
    'and counted in `dropped_count`.',
  sample: { name: 'shop-tests' },
  body: Type.Object({ name, ...bounds }),
  reply: WithPassword,
  status: 201,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const getInbox = contract({
  ...common,
  method: 'GET',
  operationId: 'getSandboxInbox',
  path: '/v1/sandbox/{inbox}',
  summary: 'Get an inbox of the sandbox',
  description: 'Its bounds, how much is in it, and whether anything made room for newer messages.',
  params,
  reply: SandboxInbox,
  errors: ['not_found'],
});

export const updateInbox = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateSandboxInbox',
  path: '/v1/sandbox/{inbox}',
  summary: 'Change an inbox of the sandbox',
  description:
    'Its name, its bounds, what it checks, tags and refuses, whom it tells and where it sends messages on to. A lower ' +
    '`messages_max` holds from the next message on.',
  params,
  sample: { retention_days: 7 },
  body: Type.Object({ name: Type.Optional(name), ...bounds }),
  reply: SandboxInbox,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const rotatePassword = contract({
  ...common,
  method: 'POST',
  operationId: 'rotateSandboxPassword',
  path: '/v1/sandbox/{inbox}/password',
  summary: 'Replace the SMTP password of an inbox',
  description: 'The one before opens no connection from now on; those that are open go on.',
  params,
  body: Type.Object({}),
  isBodyOptional: true,
  reply: WithPassword,
  errors: ['not_found'],
});

export const deleteInbox = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSandboxInbox',
  path: '/v1/sandbox/{inbox}',
  summary: 'Delete an inbox of the sandbox',
  description: 'With all of its messages, for good. Its login opens no connection any more.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
