// Mailboxes that receive reports, read by IMAP.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = { tag: 'DMARC', errorShape: 'message' } as const;
const PATH = '/v1/dmarc/mailboxes';
const text = Type.String();
const count = Type.Integer();
const orNull = Type.Union([text, Type.Null()]);

export const MAILBOXES_MAX = 20;
export const POLL_MINUTES = 15;
export const REFUSALS_MAX = 5;

const settings = {
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Default 993, or 143 without `tls`.' }),
  security: Type.Enum(['tls', 'starttls', 'none'], {
    description: '`none` is for a server on this machine only. Default `tls`.',
  }),
  verify_certificate: Type.Boolean({ description: 'Default true.' }),
  folder: Type.String({ minLength: 1, maxLength: 500, description: 'Default `INBOX`.' }),
  trust: Type.Enum(['signed', 'all'], {
    description:
      '`signed` (default): a report counts when the mail is signed by the domain that the report names as its sender. ' +
      '`all`: every report in the folder counts; for a folder into which you sort yourself.',
  }),
  enabled: Type.Boolean({ description: 'A mailbox that is not enabled is not read.' }),
};
const login = {
  host: Type.String({ minLength: 1, maxLength: 253 }),
  user: Type.String({ minLength: 1, maxLength: 320 }),
  password: Type.String({
    minLength: 1,
    maxLength: 8000,
    description: 'An app password. Galley stores it encrypted and never shows it.',
  }),
};
const choices = Type.Partial(Type.Object(settings)).properties;

const Mailbox = Type.Object(
  {
    id: text,
    host: text,
    port: count,
    security: text,
    user: text,
    verify_certificate: Type.Boolean(),
    folder: text,
    trust: Type.Enum(['signed', 'all']),
    enabled: Type.Boolean(),
    state: Type.Enum(['waiting', 'working', 'failing', 'stopped'], {
      description:
        '`waiting`: for its first visit. `failing`: the last visit failed, and the next one is at `next_at`. ' +
        `\`stopped\`: ${REFUSALS_MAX} visits in a row were refused for good; a change or a reading begins anew.`,
    }),
    problem: orNull,
    checked_at: orNull,
    succeeded_at: orNull,
    next_at: Type.Union([text, Type.Null()], { description: 'Null: it is stopped or not enabled.' }),
    messages_read: count,
    messages_left: Type.Union([count, Type.Null()], {
      description: 'How many messages the last visit left for the next; null: not known.',
    }),
    reports_found: Type.Integer({ description: 'Reports that counted, each once.' }),
    last_report_at: orNull,
    created_at: text,
    updated_at: text,
  },
  { title: 'DmarcMailbox' },
);
const Named = Type.Object({ mailbox_id: Type.String({ maxLength: 100 }) });

export const listMailboxes = contract({
  ...common,
  method: 'GET',
  operationId: 'listDmarcMailboxes',
  path: PATH,
  summary: 'List mailboxes that are read for reports',
  description: `At most ${MAILBOXES_MAX}, in the order in which they were added, and how the last visit ended.`,
  reply: Type.Object({ items: Type.Array(Mailbox) }),
});

export const createMailbox = contract({
  ...common,
  method: 'POST',
  operationId: 'createDmarcMailbox',
  path: PATH,
  summary: 'Add a mailbox that is read for reports by IMAP',
  description:
    'For domains whose records name an address of yours already. One folder is read at once and then every ' +
    `${POLL_MINUTES} minutes, 100 messages at a time, oldest first, each of at most 25 MB; messages stay as they are, ` +
    'unread. Reports of DMARC and TLS count as if they came by mail; other mail is passed over. Ports 143 and 993 ' +
    'are open unless the operator opens others. Galley logs in with a password: providers that ask for OAuth 2.0 ' +
    'cannot be read; forward the mail to the address of the account there.',
  sample: { host: 'imap.example.com', user: 'dmarc@example.com', password: 'an app password' },
  body: Type.Object({ ...login, ...choices }),
  reply: Mailbox,
  status: 201,
  errors: ['invalid_request', 'conflict'],
});

export const getMailbox = contract({
  ...common,
  method: 'GET',
  operationId: 'getDmarcMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Get a mailbox that is read for reports',
  description: 'How its last visit ended, and what was found in it. The password is never shown.',
  params: Named,
  reply: Mailbox,
  errors: ['not_found'],
});

export const updateMailbox = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateDmarcMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Change a mailbox that is read for reports',
  description:
    'Omitted fields keep their value. It is read again soon; with another server, user or folder, from the first ' +
    'message. A report that counted before counts no second time.',
  sample: { password: 'another app password' },
  params: Named,
  body: Type.Object({ ...Type.Partial(Type.Object(login)).properties, ...choices }),
  reply: Mailbox,
  errors: ['invalid_request', 'not_found'],
});

export const deleteMailbox = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDmarcMailbox',
  path: `${PATH}/{mailbox_id}`,
  summary: 'Remove a mailbox that is read for reports',
  description: 'Its password is deleted; reports that were found in it stay.',
  params: Named,
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});

export const testMailbox = contract({
  ...common,
  method: 'POST',
  operationId: 'testDmarcMailbox',
  path: `${PATH}/{mailbox_id}/test`,
  summary: 'Log in to a mailbox of reports and look into its folder',
  description: 'Nothing is read. `working` says whether it could be; if not, `reason` and `message` say why.',
  params: Named,
  reply: Type.Object({
    working: Type.Boolean(),
    reason: Type.Union([text, Type.Null()], {
      description: '`login`, `refused`, `dns`, `tls`, `timeout`, `lost`, `folder`, `protocol`.',
    }),
    message: text,
    temporary: Type.Boolean({ description: 'The failure may be temporary.' }),
    messages_new: Type.Union([count, Type.Null()], { description: 'Messages in the folder that were not taken yet.' }),
    folders: Type.Array(text, { description: 'At most 40, where the login worked.' }),
  }),
  errors: ['not_found'],
});

export const readMailboxNow = contract({
  ...common,
  method: 'POST',
  operationId: 'runDmarcMailbox',
  path: `${PATH}/{mailbox_id}/read`,
  summary: 'Read a mailbox of reports now',
  description: 'It is read soon, also when it was stopped; `checked_at` says when it was.',
  params: Named,
  reply: Mailbox,
  status: 202,
  errors: ['not_found', 'conflict'],
});
