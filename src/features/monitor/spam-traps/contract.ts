import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, Paging, skipFields } from '../../../platform/paging/index.ts';

const TYPES = ['pristine', 'recycled', 'typo', 'harvested'] as const;
const FILE_BYTES_MAX = 25 * 1024 * 1024;

const common = { tag: 'Spam traps', errorShape: 'message' } as const;
const text = Type.String();
const count = Type.Integer();
const several = Type.Optional(
  Type.Union([Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }), Type.String({ maxLength: 1000 })]),
);
const TypeName = Type.Enum([...TYPES]);

const Day = Type.Object(
  { date: text, pristine: count, recycled: count, typo: count, harvested: count, total: count },
  { title: 'SpamTrapDay' },
);
const day = (about: string) =>
  Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, description: `YYYY-MM-DD, UTC. ${about}` }));

export const countTraps = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTrapDays',
  path: '/v1/spamtraps',
  summary: 'Count spam trap hits by day',
  description:
    'Of what this account sent, from `start` to the end of `end`, at most 366 days. Only what these sources tell: ' +
    "Galley's own traps, imported reports and feeds; it is no view of other networks of traps. Days without a hit before the " +
    'first and behind the last are left out. With `groupby`, each item is a group with its days.',
  query: Type.Object({
    start: day('Default: six days before end.'),
    end: day('Default: today.'),
    sortby: Type.Enum(['date', 'totals', 'domain', 'subject', 'ip', 'from'], { default: 'date' }),
    groupby: Type.Optional(Type.Enum(['domain', 'subject', 'ip', 'from'])),
    ip: several,
    domain: several,
    subject: several,
    from: several,
    ...skipFields(),
  }),
  reply: Type.Object({ items: Type.Array(Type.Union([Day, Type.Record(text, Type.Array(Day))])), paging: Paging }),
  errors: ['invalid_request'],
});

const DIMENSIONS = ['timestamp', 'domain_name', 'ip', 'sender', 'from', 'tags', 'subaccount'] as const;

export const countTrapsV2 = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTrapHits',
  path: '/v2/spamtraps',
  summary: 'Count spam trap hits by a dimension',
  description:
    'As /v1/spamtraps, by one dimension; `timestamp` is by day. A message with several tags counts for each of them.',
  query: Type.Object({
    start: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: seven days before end.' })),
    end: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: now.' })),
    dimension: Type.Enum([...DIMENSIONS], { default: 'timestamp' }),
    sort: Type.Optional(
      Type.String({ maxLength: 50, description: '`field:asc` or `field:desc`; a dimension, a type, or total.' }),
    ),
    ip: several,
    domain: several,
    sender: several,
    from: several,
    include_subaccounts: Type.Boolean({ default: false }),
    ...skipFields(),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        dimension: text,
        value: text,
        pristine: count,
        recycled: count,
        typo: count,
        harvested: count,
        total: count,
      }),
    ),
    paging: Paging,
  }),
  errors: ['invalid_request'],
});

const Trap = Type.Object(
  {
    id: text,
    value: text,
    type: TypeName,
    note: text,
    created_at: text,
    foreign_hits: Type.Integer({ description: 'Mail of senders that no account here is known to be; it is not kept.' }),
    last_foreign_at: Type.Union([text, Type.Null()]),
  },
  { title: 'SpamTrap' },
);
const One = Type.Object({ trap_id: Type.String({ maxLength: 100 }) });

export const addTrap = contract({
  ...common,
  method: 'POST',
  operationId: 'createSpamTrap',
  path: '/v1/spamtraps/traps',
  summary: 'Set up a spam trap',
  description:
    "An address, or a domain with all of its addresses, whose MX leads to Galley's SMTP port. What arrives is a hit of " +
    'the account that sent it: by the return path of its delivery, or by DMARC for a verified domain. Only the first ' +
    'account of the service may: a trap takes all mail of its name.',
  sample: { value: 'nobody@trap.example.com', type: 'pristine' },
  body: Type.Object({
    value: Type.String({ maxLength: 320, description: 'An address or a domain.' }),
    type: TypeName,
    note: Type.String({ maxLength: 1000, default: '' }),
  }),
  reply: Trap,
  status: 201,
  errors: ['invalid_request', 'forbidden', 'conflict'],
});

export const listTraps = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTraps',
  path: '/v1/spamtraps/traps',
  summary: 'List spam traps',
  description: 'Newest first; those that this account set up.',
  query: Type.Object(skipFields()),
  reply: Type.Object({ ...countedFields, items: Type.Array(Trap) }),
});

export const removeTrap = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSpamTrap',
  path: '/v1/spamtraps/traps/{trap_id}',
  summary: 'Remove a spam trap',
  description: 'Its hits stay.',
  params: One,
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});

const range = {
  start: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: 30 days before end.' })),
  end: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339. Default: now.' })),
};

export const listHits = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTrapMessages',
  path: '/v1/spamtraps/hits',
  summary: 'List spam trap hits one by one',
  description: 'Newest first, with what told each. Which address was hit, only the owner of the trap sees.',
  query: Type.Object({ ...range, ...skipFields() }),
  reply: Type.Object({
    ...countedFields,
    items: Type.Array(
      Type.Object(
        {
          id: text,
          at: text,
          type: TypeName,
          source: Type.Enum(['own', 'import', 'feed']),
          source_name: text,
          hits: count,
          domain: text,
          subject: text,
          ip: text,
          from: text,
          sender: text,
          tags: Type.Array(text),
          proof: Type.String({ description: 'How it is known to be of this account.' }),
          has_message: Type.Boolean(),
        },
        { title: 'SpamTrapHit' },
      ),
    ),
  }),
  errors: ['invalid_request'],
});

export const listFindings = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTrapFindings',
  path: '/v1/spamtraps/findings',
  summary: 'List misspelled domains and recycled recipients that were written to',
  description:
    '`findings`: domains of recipients of this account that are misspelled names of large providers, as ' +
    'data/typo-domains lists them. Only of events that are still kept, at most 366 days, and of the newest 2,000 of ' +
    'them. `recycled`: addresses that refused for good and, 12 months or more after their first refusal, had mail ' +
    'accepted by their own server; domains that DNS said do not exist (NXDOMAIN), 30 days or more before. At most ' +
    '1,000, by the time of that acceptance. A relay or a capture accepts for everybody and counts for nothing. ' +
    '`watched` says since when this is noted, and of how many; at most 50,000 refused recipients of an account are ' +
    'noted, those not written to for three years no longer. All of these are findings, not hits: whether a trap is ' +
    'there, nobody has told.',
  query: Type.Object(range),
  reply: Type.Object({
    findings: Type.Array(
      Type.Object(
        {
          domain: text,
          meant: Type.String({ description: "The provider's domain." }),
          delivered: count,
          failed: Type.Integer({ description: 'Refused for good.' }),
          addresses: count,
          last_at: text,
        },
        { title: 'SpamTrapFinding' },
      ),
    ),
    recycled: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(['address', 'domain']),
          value: text,
          first_refused_at: text,
          last_refused_at: text,
          refusals: count,
          accepted_at: text,
        },
        { title: 'RecycledRecipient' },
      ),
    ),
    watched: Type.Union([
      Type.Object(
        {
          since: Type.String({ description: 'The first moment of the events that were read for it.' }),
          until: Type.String({ description: 'How far they are read.' }),
          addresses_from: Type.String({ description: 'No address can be found before: 12 months after `since`.' }),
          domains_from: Type.String({ description: 'No domain can be found before: 30 days after `since`.' }),
          addresses: Type.Integer({ description: 'Addresses that refused for good and have accepted nothing since.' }),
          domains: Type.Integer({ description: 'Domains that were missing and have accepted nothing since.' }),
          is_full: Type.Boolean({ description: 'There were more than are noted.' }),
        },
        { title: 'RecycledWatch' },
      ),
      Type.Null({ description: 'Nothing was read yet.' }),
    ]),
    list_date: Type.String({ description: 'The day of the list.' }),
    is_bound: Type.Boolean({ description: 'There was more than was read: the numbers are lower bounds.' }),
  }),
  errors: ['invalid_request'],
});

export const getMessage = contract({
  ...common,
  method: 'GET',
  operationId: 'getSpamTrapMessage',
  path: '/v1/spamtraps/hits/{hit_id}/message',
  summary: 'Get the message that hit a spam trap',
  description:
    'As it arrived, at most its first 256 KB; of an account the newest 500 are kept, for 400 days at most. The address of the ' +
    'trap is replaced wherever it is written out.',
  params: Type.Object({ hit_id: Type.String({ maxLength: 20 }) }),
  reply: Type.Unknown(),
  isFile: true,
  errors: ['not_found', 'damaged'],
});

export const uploadHits = contract({
  ...common,
  method: 'POST',
  operationId: 'uploadSpamTrapReport',
  path: '/v1/spamtraps/imports',
  summary: 'Import a report of spam trap hits',
  description:
    'A CSV file or a workbook of at most 25 MB and 50,000 rows, whose first row names the columns: date and type, and ' +
    'where known hits, domain, subject, ip, from, sender. The same row told again counts once, whatever ' +
    'its file is called; one with a day, a type and a number alone is told apart by the name of its file. Rows that ' +
    'say nothing are left out; the answer counts them and names the first 20.',
  bodyBytesMax: FILE_BYTES_MAX + 64 * 1024,
  fileField: 'file',
  isFormOnly: true,
  body: Type.Object({ file: readByItself(Type.String({ contentMediaType: '*/*' })) }),
  reply: Type.Object({
    message: text,
    rows: count,
    hits: count,
    skipped: count,
    problems: Type.Array(Type.Object({ row: count, message: text })),
  }),
  errors: ['invalid_request', 'too_large'],
});
