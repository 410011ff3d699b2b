import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { ArchiveCopyView } from '../archive-copies/index.ts';

const Moment = (description: string) => Type.String({ format: 'date-time', description });
const optional = (description: string) => Type.Optional(Type.String({ description }));
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Each recipient has a page of events and conversations of its own. */
const LIMIT_MAX = 50;
/** Of a recipient that are shown: the first half and the last. */
export const STEPS_MAX = 100;

const Exchange = Type.Object(
  {
    said: Type.String({
      description: 'The command; empty for the greeting, `.` for the end of the message. Of a login, the mechanism.',
    }),
    reply: orNull(Type.String(), 'As the server wrote it, lines joined by line breaks; null: no answer came.'),
    after_ms: Type.Integer({ description: 'When it was said, from the beginning of the attempt; may be negative.' }),
    took_ms: orNull(Type.Integer(), 'Until the answer.'),
  },
  { title: 'SmtpExchange' },
);

const Connection = Type.Object(
  {
    host: Type.String({ description: 'The server, such as the host of an MX record.' }),
    address: orNull(Type.String(), 'Its address; null where it has none.'),
    local_address: orNull(Type.String(), 'Of ours; null: no connection, or to the relay.'),
    connect_ms: orNull(Type.Integer(), 'Until the connection stood.'),
    tls: orNull(
      Type.Object({
        protocol: Type.String(),
        cipher: Type.String(),
        certificate_verified: Type.Boolean({ description: 'The certificate is trusted and names the host.' }),
      }),
      'Null: not encrypted.',
    ),
    is_reused: Type.Boolean({
      description: 'The connection was opened for an earlier message; `opening` is what was said then.',
    }),
    opening: Type.Array(Exchange, { description: 'Greeting, EHLO, STARTTLS and AUTH.' }),
    exchanges: Type.Array(Exchange, { description: 'Of this message.' }),
    result: Type.String({ description: 'How it ended, in words.' }),
  },
  { title: 'SmtpConnection' },
);

const Conversation = Type.Object(
  {
    took_ms: Type.Integer({ description: 'The whole attempt.' }),
    connections: Type.Array(Connection, { description: 'Each server that was tried, in order.' }),
    connections_left_off: Type.Integer({ description: 'At most eight are kept, the last ones.' }),
    exchanges_left_off: Type.Integer({
      description: 'At most 60 exchanges with 8,000 characters are kept of an attempt, the last ones.',
    }),
  },
  { title: 'SmtpConversation' },
);

const Post = Type.Object({
  host: Type.String({ description: 'Of the URL.' }),
  state: Type.Enum(['waiting', 'delivered', 'rejected', 'failed', 'canceled']),
  attempts: Type.Integer(),
  last_at: Type.Optional(Type.String({ description: 'Of the last attempt.' })),
  last_code: Type.Optional(orNull(Type.Integer(), 'The status that the host answered; null: it did not answer.')),
});

const Step = Type.Object(
  {
    at: Moment('When it happened.'),
    event: Type.String({ description: 'As in the logs: `accepted`, `delivered`, `failed`, `opened` and so on.' }),
    text: Type.String({ description: 'What happened, in words.' }),
    severity: Type.Optional(Type.Enum(['temporary', 'permanent'], { description: 'Of `failed`.' })),
    reason: optional('Of `failed` and `rejected`.'),
    attempt: Type.Optional(Type.Integer({ description: 'Which attempt it was, from 1.' })),
    code: Type.Optional(Type.Integer({ description: 'Of the reply.' })),
    reply: optional('What the receiver said.'),
    host: optional('The server that said it.'),
    sending_ip: optional('The address of ours that it left from.'),
    url: optional('The link that was followed.'),
    ip: optional('Of who opened or clicked.'),
    client: optional('The program of who opened or clicked.'),
    bot: optional('What fetched it in place of a person; such reads are in no unique count.'),
    webhooks: Type.Array(Post, { description: 'Where it was posted. Replays are left out.' }),
    conversation: Type.Optional(orNull(Conversation, 'Of an attempt: what was said. Null: see `no_conversation`.')),
    no_conversation: optional('Why there is none.'),
  },
  { title: 'TimelineStep' },
);

const Wait = Type.Object(
  {
    state: Type.Enum(['due', 'scheduled', 'deferred', 'held', 'in_delivery']),
    reason: Type.String({ description: 'Why it waits, in one sentence; the one that the queue has.' }),
    until: orNull(Type.String(), 'When that ends; null where no time is known.'),
    attempts: Type.Integer({ description: 'Made so far.' }),
    next_attempt_at: Moment('When it is tried.'),
    give_up_at: Moment('No attempt is made after this.'),
    held_back_at: optional('When it was to be tried and was held back instead, as by a limit or a warm-up.'),
  },
  { title: 'TimelineWait' },
);

const Recipient = Type.Object(
  {
    recipient: Type.String(),
    state: Type.Enum(['waiting', 'delivered', 'failed', 'rejected', 'unknown'], {
      description:
        '`unknown`: nothing tells how it ended. Events show two seconds after they happen, and are deleted in time.',
    }),
    delivery: Type.Enum(['live', 'captured', 'simulated'], {
      description:
        '`captured`: it does not leave the machine. `simulated`: a test, or a recipient of the sandbox domain.',
    }),
    waiting: orNull(Wait, 'Null: it does not wait.'),
    steps: Type.Array(Step, { description: `Oldest first; at most ${STEPS_MAX}, the first half and the last.` }),
    steps_left_off: Type.Integer({ description: 'Between those that are shown.' }),
  },
  { title: 'RecipientTimeline' },
);

export const getTimeline = contract({
  tag: 'Queue',
  errorShape: 'message',
  rights: 'messages',
  method: 'GET',
  operationId: 'getMessageTimeline',
  path: '/v1/galley/messages/{message}/timeline',
  summary: 'Get the timeline of a message',
  description:
    'What happened for each recipient: accepted, each attempt with what was said to the servers (never the message ' +
    'itself, never a password), delivered or failed, opened, clicked, unsubscribed, complained; and, for who still ' +
    'waits, why and until when. Recipients come in the order of the message. Of a recipient, the conversations of the ' +
    'first attempt and of the last nine are kept, as long as the events of the message.',
  params: Type.Object({
    message: Type.String({
      maxLength: 1000,
      description:
        'The storage key, or the id that sending answered; where a sender used an id again, its newest message.',
    }),
  }),
  query: Type.Object({
    ...skipFields({ limit: 20, max: LIMIT_MAX }),
    recipient: Type.Optional(Type.String({ maxLength: 320, description: 'A part of the address.' })),
  }),
  reply: Type.Object({
    ...countedFields,
    message: Type.Object({
      id: Type.String({ description: 'The Message-Id, in brackets.' }),
      storage_key: Type.String(),
      domain: Type.String(),
      subject: Type.String({ description: 'At most 300 characters of it.' }),
      from: Type.String({ description: 'At most 300 characters of it.' }),
      accepted_at: Moment('When it was taken.'),
      method: Type.Enum(['HTTP', 'SMTP']),
      recipients: Type.Integer(),
      'delivery-mode': Type.Enum(['capture', 'live']),
    }),
    gate: orNull(
      Type.Object({
        state: Type.String({ description: 'As in the list of messages that the gate checks.' }),
        reason: Type.String({ description: 'In words.' }),
        since: Moment('When it came to the gate.'),
        held_until: orNull(Type.String(), 'It is dropped then, if nobody releases it.'),
        decided_at: orNull(Type.String(), 'When it was let go or dropped.'),
        decided_by: orNull(Type.String(), 'Who did that.'),
      }),
      'What the gate of the domain did; null: it was not asked.',
    ),
    archive: orNull(ArchiveCopyView, 'The copy for the archive of the sender; null: there is none.'),
    meta: Type.Object({
      count: Type.Integer({ description: 'Recipients that fit.' }),
      is_bound: Type.Boolean({ description: 'More happened to the recipients of this page than was read.' }),
    }),
    items: Type.Array(Recipient),
  }),
  errors: ['invalid_request', 'not_found'],
});
