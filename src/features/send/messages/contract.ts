import { Type, type TSchema } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';

const BODY_BYTES_MAX = 25 * 1024 * 1024;
/** A thousand recipients as fields of their own, with what else a call says; as many files as 25 MB may be cut into. */
export const MESSAGE_FORM = { fields: 3000, files: 200 };

const common = { tag: 'Messages', errorShape: 'sending', rights: 'messages' } as const;
const Domain = Type.Object({ domain_name: Type.String({ description: 'A sending domain of the account.' }) });
const Stored = Type.Object({
  domain_name: Type.String({ description: 'A sending domain of the account.' }),
  storage_key: Type.String({ maxLength: 100, description: 'From `storage.key` of an event.' }),
});
const Queued = Type.Object({
  id: Type.String({ description: 'The Message-Id, in brackets.' }),
  message: Type.String(),
});

const field = (description: string, schema: TSchema = Type.String()) =>
  Type.Optional(readByItself({ ...schema, description }));
const list = (description: string) => field(description, Type.Union([Type.String(), Type.Array(Type.String())]));
const files = (description: string) => field(description, Type.Array(Type.String({ contentMediaType: '*/*' })));
const flag = (description: string, ...more: string[]) =>
  field(description, Type.Enum(['yes', 'no', 'true', 'false', ...more]));

const OPTIONS = {
  'o:tag': list('At most 10, of 128 printable ASCII characters each.'),
  'o:campaign': list('Names of campaigns, which events carry on.'),
  'o:dkim': flag('Whether copies are signed.'),
  'o:secondary-dkim': field('`domain/selector` of a second key of the account that signs, too.'),
  'o:secondary-dkim-public': field('`domain/selector` that the second signature names.'),
  'o:deliverytime': field('RFC 2822 date, or Unix seconds, at most seven days ahead.'),
  'o:deliver-within': field('How long it is tried: `1h30m`, from `5m` to `24h`. Default: three days.'),
  'o:deliverytime-optimize-period': field(
    '`24h` to `72h`: each recipient is sent to in the hour of the day in which they opened or clicked most within the last ' +
      '30 days, by the events of this account, at the first such hour from now or `o:deliverytime` on. Of whom nothing is ' +
      'known is sent to then. The event `accepted` says which, as `i-delivery-optimizer`. Not with `o:time-zone-localize`.',
  ),
  'o:time-zone-localize': field(
    'A time of day, `14:30` or `02:30PM`: each recipient is sent to when it is that time for them, from now or ' +
      '`o:deliverytime` on. Where somebody is says their variable `time_zone` (`Europe/Berlin`), in the call or as a member ' +
      'of a mailing list, or `country` (`DE`), where all clocks of the country show the same; else UTC.',
  ),
  'o:testmode': flag('`yes`: events are made, nothing is delivered.'),
  'o:transactional': flag(
    "`yes`: somebody waits for it, such as the answer to a forgotten password. It is in no batch of the domain's breaker, and leaves at any hour.",
  ),
  'o:tracking': flag(
    'Whether clicks and opens are tracked, whatever the domain says; `no` also leaves out its unsubscribe footer.',
    'htmlonly',
  ),
  'o:tracking-clicks': flag('The same of clicks; goes before `o:tracking`. `htmlonly`: not in plain text.', 'htmlonly'),
  'o:tracking-opens': flag('The same of opens; goes before `o:tracking`.'),
  'o:tracking-pixel-location-top': flag('Whether the image of opens stands before the text.', 'htmlonly'),
  'o:require-tls': flag('Whether it is delivered over TLS only.'),
  'o:skip-verification': flag('Whether certificates are left unverified.'),
  'o:sending-ip': field('An address of `GET /v3/ips` that the message leaves from; not together with a pool.'),
  'o:sending-ip-pool': field('The `pool_id` of the IP pool that the message leaves from.'),
  'o:archive-to': field(
    'The URL that a copy is posted to, in place of `archive_to` of the domain. Messages of `o:testmode` are not copied.',
  ),
  'o:suppress-headers': field('Names of header fields that copies go without, joined by commas, or `all`.'),
  template: field(
    'The name of a template of the domain, or else of the account, in place of `html`; of a message in parts. Its ' +
      'From, Subject and Reply-To are used where the call has none.',
  ),
  't:version': field('The tag of its version. Default: the active one.'),
  't:text': flag('`yes`: the message gets a text, made of the HTML.'),
  't:variables': field(
    'JSON of an object: fills `{{name}}` of the template, before the `v:` fields, which fill it as well. The template ' +
      'is filled once for all recipients; a value such as `%recipient.name%` becomes what each has.',
  ),
  'recipient-variables': field(
    'JSON, `{"ann@example.com": {"name": "Ann"}}`: fills `%recipient.name%`, and each recipient gets a copy of their ' +
      'own that names nobody else. At most 4 MiB, and 50,000 names in all.',
  ),
};

const ABOUT =
  'Durable when it is answered; all recipients of a call are taken, or none, and then the answer names the address that ' +
  'is wrong. The header `Idempotency-Key` makes a call safe to send again for 24 hours: the same call gets the same ' +
  'answer, another one with the key, or one that is under way, 409. Options (`o:`, `h:`, `v:`, `t:`) are at most 16 KB, ' +
  'the whole call 25 MB. `h:Name` adds a header field, `v:name` a variable that comes back in events. ' +
  '`%unsubscribe_url%` and `%tag_unsubscribe_url%` (of the tags alone) become links of each recipient, and bring the ' +
  'header fields for one click (RFC 8058) unless the message has its own. Where messages go is `GALLEY_DELIVERY`: by ' +
  'default they are captured, and nothing leaves the machine.';

export const sendMessage = contract({
  ...common,
  method: 'POST',
  operationId: 'sendMessage',
  unaudited: 'each message is in the events, with the key that sent it.',
  path: '/v3/{domain_name}/messages',
  summary: 'Send a message, in parts',
  description: ABOUT,
  access: 'sending',
  product: 'sending',
  params: Domain,
  bodyBytesMax: BODY_BYTES_MAX,
  form: MESSAGE_FORM,
  sample: { from: 'Ann <ann@example.com>', to: 'bob@example.com', subject: 'Hello', text: 'Hello Bob' },
  body: Type.Object({
    from: field('`Ann <ann@example.com>`.'),
    to: list('At most 1,000 recipients together with `cc` and `bcc`: fields of their own, or joined by commas.'),
    cc: list('Further recipients, whom all see.'),
    bcc: list('Further recipients, whom nobody sees.'),
    subject: field('One line.'),
    text: field('One of text, html and amp-html is needed.'),
    html: field('One of text, html and amp-html is needed.'),
    'amp-html': field('A third alternative, for clients that run AMP.'),
    attachment: files('Files of a multipart form.'),
    inline: files('Files that the HTML shows as `cid:` and their name.'),
    ...OPTIONS,
  }),
  reply: Queued,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const sendMime = contract({
  ...common,
  method: 'POST',
  operationId: 'sendMimeMessage',
  unaudited: 'each message is in the events, with the key that sent it.',
  path: '/v3/{domain_name}/messages.mime',
  summary: 'Send a whole message',
  description:
    'The message goes to the recipients of `to`, whatever its header says. `h:Name` takes the place of its fields of ' +
    `that name. ${ABOUT}`,
  access: 'sending',
  product: 'sending',
  params: Domain,
  bodyBytesMax: BODY_BYTES_MAX,
  form: MESSAGE_FORM,
  sample: {
    to: 'bob@example.com',
    message: 'From: ann@example.com\r\nTo: bob@example.com\r\nSubject: Hello\r\n\r\nHello Bob\r\n',
  },
  body: Type.Object({
    to: list('At most 1,000 recipients: fields of their own, or joined by commas.'),
    message: field('The message (RFC 5322, MIME), as a file or as text.'),
    ...OPTIONS,
  }),
  reply: Queued,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

/** What a call says, in parts or whole. */
export const MessageFields = Type.Object({
  ...sendMessage.body!.properties,
  message: sendMime.body!.properties.message,
});

const Attachment = Type.Object({
  name: Type.String(),
  'content-type': Type.String(),
  size: Type.Integer(),
  url: Type.Optional(Type.String({ description: 'Where its bytes are; of a message that was given in parts.' })),
});

export const getStoredMessage = (path: string, operationId: string) =>
  contract({
    ...common,
    method: 'GET',
    operationId,
    path,
    summary: 'Get a stored message',
    description:
      'As it was accepted: variables of recipients are not filled, links to unsubscribe only where it has one ' +
      'recipient. With `Accept: message/rfc2822` the answer holds the message as a whole, in `body-mime`. `stripped-…` ' +
      'is the same as the body: nothing is stripped of messages that are sent. Contents are kept for three days; then the answer ' +
      'is 410, while events are still there.',
    params: Stored,
    reply: Type.Object(
      {
        recipients: Type.String({ description: 'Joined by commas.' }),
        sender: Type.String(),
        from: Type.String(),
        subject: Type.String(),
        'body-plain': Type.Optional(Type.String()),
        'body-html': Type.Optional(Type.String()),
        'stripped-text': Type.Optional(Type.String()),
        'stripped-html': Type.Optional(Type.String()),
        'stripped-signature': Type.Optional(Type.String()),
        'message-headers': Type.Optional(Type.Array(Type.Array(Type.String()))),
        attachments: Type.Optional(Type.Array(Attachment)),
        'content-id-map': Type.Optional(
          Type.Record(Type.String(), Type.String(), { description: 'URLs of inline files by their Content-ID.' }),
        ),
        'message-url': Type.Optional(Type.String()),
        'body-mime': Type.Optional(Type.String()),
      },
      {
        additionalProperties: Type.Unknown(),
        description: 'Beside these, the fields From, To, Subject, Message-Id, Mime-Version, Content-Type and so on.',
      },
    ),
    errors: ['not_found', 'expired'],
  });

export const getAttachment = contract({
  ...common,
  errorShape: 'message',
  method: 'GET',
  operationId: 'getStoredAttachment',
  path: '/v3/domains/{domain_name}/messages/{storage_key}/attachments/{number}',
  summary: 'Get a file of a stored message',
  description: 'Attachments first, then inline files, counted from 0. A file that a browser cannot run.',
  params: Type.Object({ ...Stored.properties, number: Type.Integer({ minimum: 0, maximum: 1000 }) }),
  reply: Type.Unknown(),
  isFile: true,
  errors: ['not_found', 'expired'],
});

export const resendMessage = contract({
  ...common,
  method: 'POST',
  operationId: 'resendMessage',
  unaudited: 'each message is in the events, with the key that sent it.',
  path: '/v3/domains/{domain_name}/messages/{storage_key}',
  summary: 'Send a stored message once more',
  description: 'To the recipients of `to` alone, with the tags, variables and options of the first, at once.',
  product: 'sending',
  params: Stored,
  sample: { to: 'bob@example.com' },
  body: Type.Object({ to: list('At most 1,000 recipients.') }),
  form: MESSAGE_FORM,
  reply: Queued,
  errors: ['invalid_request', 'not_found', 'expired'],
});

const Queue = Type.Object({
  is_disabled: Type.Boolean(),
  disabled: Type.Object({ until: Type.String(), reason: Type.String() }),
  waiting: Type.Integer({ description: 'Deliveries: one for each recipient.' }),
});

export const getQueues = contract({
  ...common,
  errorShape: 'message',
  method: 'GET',
  operationId: 'getSendingQueues',
  path: '/v3/domains/{domain_name}/sending_queues',
  summary: 'Get what waits for delivery',
  description: '`regular`: what is due. `scheduled`: what waits for its time. Neither can be disabled yet.',
  params: Domain,
  reply: Type.Object({ regular: Queue, scheduled: Queue }),
  errors: ['not_found'],
});

export const clearQueues = contract({
  ...common,
  errorShape: 'message',
  method: 'DELETE',
  operationId: 'deleteQueuedMessages',
  path: '/v3/{domain_name}/envelopes',
  summary: 'Delete what waits for delivery',
  description: 'Scheduled messages too. What is being delivered at that moment goes on; no events are made.',
  params: Domain,
  reply: Type.Object({ message: Type.String() }),
  errors: ['not_found'],
});
