import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Paging, skipFields } from '../../../platform/paging/index.ts';
import { MESSAGE_FORM, MessageFields } from '../messages/index.ts';
import {
  ADDRESSES_MAX,
  CheckName,
  common,
  inboxField,
  MESSAGE_BYTES_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from './contract.ts';

const WAIT_SECONDS_MAX = 60;
export const TAGS_SHOWN_MAX = 100;
export const IDS_OF_QUERY_MAX = 100;
const Inbox = Type.Object({ inbox: inboxField });
const One = Type.Object({ inbox: inboxField, message_id: Type.String({ maxLength: 100 }) });
const PATH = '/v1/sandbox/{inbox}/messages';

const condition = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }));
const conditions = {
  to: condition('A whole address: one that the message went to, or that its To or Cc names.'),
  from: condition('A part of its From, or of the sender of its envelope.'),
  subject: condition('A part of its subject.'),
  text: condition('A part of its text: the first 20,000 characters of its text part and of its HTML are searched.'),
  header: condition('A part of its header, such as `X-Order: 17`; the first 20,000 characters are searched.'),
  tag: condition('A whole tag; `tag:` in `search` asks for several.'),
  since: condition('A time (RFC 3339, RFC 2822 or Unix seconds): messages that came then, or later.'),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The `number` of a message, or the `revision` of the inbox: messages that came later.',
    }),
  ),
};
const SEARCHED =
  'Words, each a part of the text, the header or an address; in double quotes they stand together. Instead of a word: ' +
  '`from:`, `to:`, `cc:`, `bcc:`, `reply-to:`, `addressed:` (any of them), `subject:`, `message-id:` with a part of it, ' +
  '`tag:` with a whole tag, `is:unread`, `is:read`, `is:tagged`, `has:attachment`, `has:inline`, `after:` and `before:` ' +
  'with a time, `larger:` and `smaller:` with a size such as `2M`. What follows `-` or `!` is not sought.';
const NO_CASE = 'All conditions that are given must hold; none of them looks at upper and lower case.';

const summary = {
  id: Type.String(),
  number: Type.Integer({ description: 'Later messages of the inbox have higher ones.' }),
  from: Type.String({ description: 'As the header has it.' }),
  to: Type.String({ description: 'As the header has it.' }),
  subject: Type.String(),
  excerpt: Type.String({ description: 'How its text begins.' }),
  mail_from: Type.String({ description: 'Of the envelope.' }),
  recipients: Type.Array(Type.String(), { description: 'Of the envelope: all that it went to, hidden ones too.' }),
  size_bytes: Type.Integer(),
  attachment_count: Type.Integer(),
  inline_count: Type.Integer({ description: 'Of the attachments, those that stand within the message.' }),
  is_read: Type.Boolean({ description: 'Somebody has marked it so; the dashboard does when it shows a message.' }),
  method: Type.Enum(['SMTP', 'HTTP']),
  remote_address: Type.String({ description: 'Of the program that sent it.' }),
  checks: Type.Array(
    Type.Object({
      name: CheckName,
      status: Type.Enum(['queued', 'started', 'refused']),
      id: Type.Union([Type.String(), Type.Null()], { description: 'Of the preview test, the spam test or the gate.' }),
      url: Type.Union([Type.String(), Type.Null()]),
      message: Type.Union([Type.String(), Type.Null()], { description: 'Why it was not started.' }),
    }),
    { description: 'What the inbox started by itself.' },
  ),
  webhook: Type.Union(
    [
      Type.Object({
        url: Type.String(),
        state: Type.Enum(['waiting', 'delivered', 'rejected', 'failed', 'dropped']),
        attempts: Type.Array(
          Type.Object({
            at: Type.String(),
            code: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the answer; null: there was none.' }),
            message: Type.String(),
            took_ms: Type.Integer(),
          }),
        ),
      }),
      Type.Null(),
    ],
    {
      description:
        'Telling the `webhook_url` that the inbox had when the message came; null: it had none. `dropped`: the inbox ' +
        'has another one by now.',
    },
  ),
  forward: Type.Union(
    [
      Type.Object({
        domain: Type.String(),
        to: Type.Array(Type.String()),
        state: Type.Enum(['waiting', 'queued', 'refused']),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'The Message-Id of what was queued, in brackets.',
        }),
        message: Type.Union([Type.String(), Type.Null()], { description: 'Why it was not sent.' }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Sending it on to the addresses of `forward` that the inbox had when the message came; null: it had none.',
    },
  ),
  tags: Type.Array(Type.String(), {
    description: 'What it brought itself, or what it was given since.',
  }),
  received_at: Type.String({ description: 'RFC 3339, UTC.' }),
  expires_at: Type.String({ description: 'When it is deleted.' }),
};
const Summary = Type.Object(summary, { title: 'SandboxMessageSummary' });
const Message = Type.Object(
  {
    ...summary,
    html: Type.Union([Type.String(), Type.Null()]),
    text: Type.Union([Type.String(), Type.Null()]),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    attachments: Type.Array(
      Type.Object({
        number: Type.Integer(),
        name: Type.String(),
        content_type: Type.String(),
        content_id: Type.String({ description: 'As it follows `cid:` in the HTML; else empty.' }),
        size_bytes: Type.Integer(),
        url: Type.String(),
        thumbnail_url: Type.Union([Type.String(), Type.Null()], {
          description: 'Of what says that it is a picture; null for other files, and in messages over 25 MiB.',
        }),
      }),
    ),
    problems: Type.Array(Type.String(), { description: 'What could not be read, a sentence each.' }),
    html_url: Type.Union([Type.String(), Type.Null()], { description: 'The HTML with the pictures it carries.' }),
    source_url: Type.String(),
  },
  { title: 'SandboxMessage' },
);

export const createMessage = contract({
  ...common,
  method: 'POST',
  operationId: 'createSandboxMessage',
  unaudited: 'each message is in its inbox, and is delivered to nobody.',
  path: PATH,
  summary: 'Put a message into an inbox of the sandbox',
  description:
    'The fields are those of `POST /v3/{domain_name}/messages`, or, with `message`, those of ' +
    '`POST /v3/{domain_name}/messages.mime`. Other options are read as they are there, and nothing is done with them; ' +
    'variables of recipients stay as they are. `o:tag` gives it tags.',
  params: Inbox,
  bodyBytesMax: MESSAGE_BYTES_MAX,
  form: MESSAGE_FORM,
  sample: { from: 'Ann <ann@example.com>', to: 'bob@example.com', subject: 'Hello', text: 'Hello Bob' },
  body: MessageFields,
  reply: Type.Object({
    id: Type.String({ description: 'The Message-Id, in brackets.' }),
    message: Type.String(),
    sandbox_message_id: Type.String(),
  }),
  errors: ['invalid_request', 'not_found'],
});

export const listMessages = contract({
  ...common,
  method: 'GET',
  operationId: 'listSandboxMessages',
  path: PATH,
  summary: 'List messages of an inbox',
  description: `Newest first. ${NO_CASE}`,
  params: Inbox,
  query: Type.Object({
    ...skipFields(),
    search: condition(SEARCHED),
    ...conditions,
  }),
  reply: Type.Object({ items: Type.Array(Summary), paging: Paging, total: Type.Integer() }),
  errors: ['invalid_request', 'not_found'],
});

export const getLatest = contract({
  ...common,
  method: 'GET',
  operationId: 'getLatestSandboxMessage',
  path: `${PATH}/latest`,
  summary: 'Get the newest message of an inbox, or wait for it',
  description:
    `${NO_CASE} Where there is none, the call waits up to \`wait\` seconds for one, whichever process it comes to; then ` +
    'the answer is 404. In tests, ask for a recipient that no other test writes to, or give as `after` the `revision` ' +
    'that the inbox had before. Of an account, 250 calls may wait in each process.',
  params: Inbox,
  query: Type.Object({
    search: condition(SEARCHED),
    ...conditions,
    wait: Type.Integer({ minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0, description: 'Seconds.' }),
  }),
  reply: Message,
  errors: ['invalid_request', 'not_found', 'too_many_requests'],
});

export const getMessage = contract({
  ...common,
  method: 'GET',
  operationId: 'getSandboxMessage',
  path: `${PATH}/{message_id}`,
  summary: 'Get a message of an inbox',
  description: 'Its HTML, its text, its header and its files. It is not marked as read by that.',
  params: One,
  reply: Message,
  errors: ['not_found', 'damaged'],
});

const file = { ...common, method: 'GET', isFile: true, errors: ['not_found', 'damaged'] } as const;

export const getSource = contract({
  ...file,
  errors: ['not_found', 'damaged'],
  operationId: 'getSandboxMessageSource',
  path: `${PATH}/{message_id}/source`,
  summary: 'Get the source of a message of an inbox',
  description: 'Byte for byte as it came.',
  params: One,
  reply: Type.Unknown(),
});

export const getHtml = contract({
  ...file,
  errors: ['not_found', 'damaged'],
  operationId: 'getSandboxMessageHtml',
  path: `${PATH}/{message_id}/html`,
  summary: 'Get the HTML of a message of an inbox, to look at',
  description:
    'Pictures that the message carries stand in it. A browser runs nothing of it, and sends nothing from it.',
  params: One,
  reply: Type.String(),
});

export const getFile = contract({
  ...file,
  errors: ['not_found', 'damaged'],
  operationId: 'getSandboxAttachment',
  path: `${PATH}/{message_id}/attachments/{number}`,
  summary: 'Get a file of a message of an inbox',
  description: 'Pictures that the HTML shows are files, too. A file that a browser cannot run.',
  params: Type.Object({ ...One.properties, number: Type.Integer({ minimum: 0, maximum: 1000 }) }),
  reply: Type.Unknown(),
});

export const getThumbnail = contract({
  ...file,
  errors: ['not_found', 'damaged', 'too_large'],
  operationId: 'getSandboxAttachmentThumbnail',
  path: `${PATH}/{message_id}/attachments/{number}/thumbnail`,
  summary: 'Get a small picture of a picture of a message of an inbox',
  description:
    'A JPEG of at most 180 by 120 pixels, of a PNG, JPEG, GIF, WebP or AVIF: its first frame, on white. 404 for any ' +
    'other file, and for a picture that is damaged or has more than 25 megapixels.',
  params: getFile.params,
  reply: Type.Unknown(),
});

export const deleteMessage = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSandboxMessage',
  path: `${PATH}/{message_id}`,
  summary: 'Delete a message of an inbox',
  description: 'For good.',
  params: One,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});

export const deleteMessages = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSandboxMessages',
  path: PATH,
  summary: 'Delete messages of an inbox',
  description:
    'For good. Those that `ids` names, or those that `search` finds; without either, all. What comes meanwhile stays.',
  params: Inbox,
  query: Type.Object({
    ids: Type.Optional(
      Type.String({ maxLength: 5000, description: `Ids of messages, joined by commas, ${IDS_OF_QUERY_MAX} at most.` }),
    ),
    search: condition(SEARCHED),
  }),
  reply: Type.Object({ message: Type.String(), count: Type.Integer() }),
  errors: ['invalid_request', 'not_found'],
});

export const updateMessages = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSandboxMessages',
  unaudited: 'it notes that somebody has looked at messages, and changes nothing else.',
  path: PATH,
  summary: 'Mark messages of an inbox as read or unread',
  description: 'Those that `ids` names, or those that `search` finds; without either, all.',
  params: Inbox,
  sample: { is_read: true, search: 'from:shop' },
  body: Type.Object({
    is_read: Type.Boolean(),
    ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000, description: 'Ids of messages, 1,000 at most.' }),
    ),
    search: condition(SEARCHED),
  }),
  reply: Type.Object({ count: Type.Integer({ description: 'Messages that were not marked so before.' }) }),
  errors: ['invalid_request', 'not_found'],
});

export const releaseMessage = contract({
  ...common,
  method: 'POST',
  operationId: 'sendSandboxMessage',
  path: `${PATH}/{message_id}/release`,
  summary: 'Release a message of an inbox to real addresses',
  description:
    'Sends it once, as it is, as a message of one of the sending domains of the account, to the addresses that are ' +
    'given alone: nobody whom the message itself names gets it. What sending refuses is refused here, for all of them. ' +
    'Where it goes is `GALLEY_DELIVERY`, as for every message.',
  product: 'sending',
  params: One,
  sample: { domain: 'mail.example.com', to: 'you@example.com' },
  body: Type.Object({
    domain: Type.String({ maxLength: 253, description: 'A sending domain of the account.' }),
    to: Type.Union([Type.String({ maxLength: 320 }), Type.Array(Type.String({ maxLength: 320 }), { maxItems: 1000 })], {
      description: `One address, or a list of 1 to ${ADDRESSES_MAX}; where one is wrong, nobody gets it.`,
    }),
  }),
  reply: Type.Object({ id: Type.String({ description: 'The Message-Id, in brackets.' }), message: Type.String() }),
  errors: ['invalid_request', 'not_found', 'conflict', 'damaged'],
});

export const watchInbox = contract({
  ...common,
  method: 'GET',
  operationId: 'getSandboxEvents',
  path: '/v1/sandbox/{inbox}/events',
  summary: 'Watch an inbox of the sandbox',
  description:
    'Server-sent events: `changed`, at first and whenever messages came or went, with the `revision`, the ' +
    '`message_count` and the `unread_count` of the inbox; `deleted` when the inbox is gone. A stream ends after 30 minutes: ask again. Streams ' +
    'count among the 250 calls of an account that may wait.',
  params: Inbox,
  reply: Type.Unknown(),
  isStream: true,
  errors: ['not_found', 'too_many_requests'],
});

export const listTags = contract({
  ...common,
  method: 'GET',
  operationId: 'listSandboxTags',
  path: '/v1/sandbox/{inbox}/tags',
  summary: 'List the tags of an inbox',
  description: `Those of the most messages first, ${TAGS_SHOWN_MAX} at most. None of them looks at upper and lower case.`,
  params: Inbox,
  reply: Type.Object({
    tags: Type.Array(Type.Object({ tag: Type.String(), message_count: Type.Integer() })),
  }),
  errors: ['not_found'],
});

export const updateTags = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateSandboxTags',
  path: `${PATH}/{message_id}/tags`,
  summary: 'Set the tags of a message of an inbox',
  description:
    'In place of those that it has. A message brings tags itself: in its fields `X-Tags` and `X-Mailgun-Tag`, with ' +
    'commas between them, in what follows a plus in the addresses it goes to (`ann+spring@example.com`), and over HTTP ' +
    'in `o:tag`.',
  params: One,
  sample: { tags: ['spring', 'checked by Ann'] },
  body: Type.Object({
    tags: Type.Array(Type.String({ maxLength: 1000 }), {
      maxItems: 1000,
      description:
        `At most ${TAGS_MAX}, each of 1 to ${TAG_LENGTH_MAX} letters, digits, spaces, points, hyphens and underscores. ` +
        'Two that differ in case alone are one.',
    }),
  }),
  reply: Type.Object({ tags: Type.Array(Type.String()) }),
  errors: ['invalid_request', 'not_found'],
});
