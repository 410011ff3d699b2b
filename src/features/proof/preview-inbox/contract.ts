import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const Room = Type.Object(
  {
    characters: Type.Optional(Type.Integer({ description: 'As readers count them, the dots included.' })),
    pixels: Type.Optional(Type.Integer({ description: 'CSS pixels of a line, where the layout is published.' })),
    lines: Type.Optional(Type.Integer({ description: 'Of `pixels`.' })),
  },
  { title: 'InboxRoom' },
);

const cutText = {
  shown: Type.String({ description: 'Without control characters and characters that turn the direction of text.' }),
  is_cut: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Of a preview with a preheader: whether that is cut. Null: how much the client shows is not known, and `shown` has the first 255 characters, more than any ' +
      'client is known to show.',
  }),
  room: Type.Union([Room, Type.Null()], { description: 'How much the client shows. Null: not known.' }),
};

const Source = Type.Object(
  {
    what: Type.String(),
    url: Type.String(),
    date: Type.String({ description: 'Of publication or test; for undated pages the day they were read.' }),
    strength: Type.Enum(['measured', 'documented', 'common']),
  },
  { title: 'InboxSource' },
);

const Avatar = Type.Object(
  {
    kind: Type.Enum(['logo', 'letters', 'generic', 'none', 'unknown'], {
      description: '`logo`: the BIMI logo. `letters`: see `text`. `generic`: a picture that says nothing.',
    }),
    text: Type.String(),
    note: Type.Optional(Type.String()),
  },
  { title: 'InboxAvatar' },
);

const Row = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    system: Type.String(),
    client_ids: Type.Array(Type.String(), { description: 'Clients whose list of messages this is.' }),
    in_test: Type.Boolean({ description: 'The test has one of these clients.' }),
    is_simulated: Type.Literal(true, { description: 'No row is a picture of the real client.' }),
    layout: Type.Enum(['line', 'stack', 'subject-first']),
    sender: Type.Union([Type.String(), Type.Null()], {
      description: 'The name, or the address without one. Null: the message names no sender.',
    }),
    avatar: Avatar,
    subject: Type.Object(cutText, { title: 'InboxText' }),
    preview: Type.Union(
      [
        Type.Object(
          {
            ...cutText,
            body_text: Type.String({ description: 'Text of the body that shows after the preheader.' }),
          },
          { title: 'InboxPreview' },
        ),
        Type.Null(),
      ],
      { description: 'Null: the list of this client shows no preview text.' },
    ),
    notes: Type.Array(Type.String()),
    sources: Type.Array(
      Type.Evaluate(
        Type.Intersect([
          Type.Object({ of: Type.Enum(['subject', 'preview', 'avatar', 'logo', 'note']) }),
          Type.Object(Source.properties),
        ]),
      ),
    ),
  },
  { title: 'InboxRowOfClient' },
);

const Notification = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    system: Type.String(),
    client_ids: Type.Array(Type.String()),
    in_test: Type.Boolean(),
    is_simulated: Type.Literal(true),
    app: Type.String(),
    title: Type.String({ description: 'The sender; empty where the message names none.' }),
    subject: Type.String(),
    preview: Type.String({ description: 'Empty where the text shows only when the notification is unfolded.' }),
    unfolded: Type.Optional(Type.Object({ subject: Type.String(), preview: Type.String() })),
    is_cut: Type.Boolean(),
    room: Type.Object({ characters: Type.Integer(), lines: Type.Integer() }),
    locked: Type.Optional(
      Type.Object(
        { text: Type.String(), when: Type.String() },
        { description: 'What shows instead on a locked phone that hides what is private, and when it does.' },
      ),
    ),
    sources: Type.Array(Source),
  },
  { title: 'InboxNotification' },
);

const Logo = Type.Object(
  {
    result: Type.Enum(['published', 'unenforced', 'none', 'declined', 'invalid', 'unknown'], {
      description:
        '`published`: there is a BIMI record, and the DMARC policy is enforced. `unenforced`: the policy is not, so ' +
        'nobody shows the logo. `unknown`: DNS did not say, or the message names no sender.',
    }),
    domain: Type.Union([Type.String(), Type.Null()]),
    logo_url: Type.Union([Type.String(), Type.Null()]),
    certificate_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the mark certificate. That it is valid is not checked.',
    }),
    dmarc_policy: Type.Union([Type.String(), Type.Null()]),
    picture: Type.Union([Type.String(), Type.Null()], {
      description: 'The logo as a PNG of 96 pixels, a `data:` address. Null: there is none, or it can’t be drawn.',
    }),
  },
  { title: 'SenderLogo' },
);

const HiddenCharacter = Type.Object(
  {
    field: Type.Enum(['sender', 'subject', 'preview']),
    code_point: Type.String({ description: '`U+202E`' }),
    name: Type.String(),
    count: Type.Integer(),
    turns_text: Type.Boolean({ description: 'It can make text read as something else.' }),
  },
  { title: 'HiddenCharacter' },
);

const Inbox = Type.Object(
  {
    test_id: Type.String(),
    sender: Type.Union([Type.Object({ name: Type.String(), address: Type.String() }), Type.Null()]),
    subject: Type.String(),
    preheader: Type.Object({
      text: Type.String({ description: 'Hidden text at the start of the body; empty without one.' }),
      is_padded: Type.Boolean({ description: 'Invisible characters after it keep the body’s text out.' }),
      first_visible: Type.String({ description: 'The first 200 characters that readers see.' }),
    }),
    hidden_characters: Type.Array(HiddenCharacter, {
      description: 'Invisible characters in what inboxes show. They are left out of all texts here.',
    }),
    logo: Logo,
    rows: Type.Array(Row),
    notifications: Type.Array(Notification, { description: 'Of phones whose notifications are published.' }),
    data_date: Type.String({ description: 'Of the table of what each client shows.' }),
  },
  { title: 'PreviewInbox' },
);

export const getInbox = contract({
  tag: 'Email preview',
  errorShape: 'preview',
  product: 'email_preview',
  method: 'GET',
  operationId: 'getPreviewInbox',
  path: '/v2/preview/tests/{test_id}/inbox',
  summary: 'Get how the email looks in inboxes before it is opened',
  description:
    'Sender, avatar, subject and preview text as the list of each client cuts them, and the notification on a locked ' +
    'phone. All of it is simulated from published figures; what has no source is null. The logo of the sender’s ' +
    'domain (BIMI) is looked up in DNS.',
  params: Type.Object({ test_id: Type.String() }),
  query: Type.Object({
    from: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'A sender to try, such as `Ann Brown <ann@example.com>`. By default the one of the message.',
      }),
    ),
  }),
  reply: Inbox,
  errors: ['invalid_request', 'not_found'],
});
