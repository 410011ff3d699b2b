// What mailbox providers say of the account's mail, as existing clients read it: Google's Postmaster Tools and
// Microsoft's SNDS.
import { Type, type TObject, type TSchema } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const TAG = 'Postmaster data';
const GPT = '/v1/reputationanalytics/gpt';
const common = { tag: TAG, method: 'GET', errorShape: 'analytics' } as const;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const ratio = orNull(Type.Number());
const day = orNull(Type.String({ description: 'RFC 3339: midnight of the day.' }));
const total = Type.Integer();

const Range = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
  timeRangeStart: Type.Optional(Type.Integer({ minimum: 0, description: 'Unix seconds: of this day and later.' })),
  timeRangeEnd: Type.Optional(Type.Integer({ minimum: 0, description: 'Unix seconds: of this day and earlier.' })),
};
const Page = Type.Object(Range);

const reputation = orNull(
  Type.Integer({ description: '1 bad, 2 low, 3 medium, 4 high. Google gives none since 2025.' }),
);
const REPUTATION_SOURCES = ['upload', 'own_events'] as const;

const DomainRecord = Type.Object(
  {
    name: Type.String(),
    user_reported_spam_ratio: ratio,
    spf_success_ratio: ratio,
    dkim_success_ratio: ratio,
    dmarc_success_ratio: ratio,
    inbound_encryption_ratio: ratio,
    delivery_error_ratio: ratio,
    delivery_errors: Type.Array(
      Type.Object({ error_class: Type.String(), error_type: Type.String(), error_ratio: Type.Number() }),
    ),
    reputation,
    reputation_source: orNull(
      Type.Enum([...REPUTATION_SOURCES], { description: '`own_events`: Galley computed it; null: nobody says it.' }),
    ),
    source: Type.Enum(['api', 'upload']),
    date: day,
    ip_counts: Type.Array(Type.Object({ reputation: Type.Integer(), total: Type.Integer() })),
    feedback_loops: Type.Array(Type.Object({ id: Type.String(), spam_ratio: Type.Number() })),
  },
  { title: 'PostmasterDomain' },
);
const AddressRecord = Type.Object(
  {
    domain_name: Type.String(),
    address: Type.String(),
    reputation: Type.Integer(),
    reputation_source: Type.Enum(['upload']),
    date: day,
  },
  { title: 'PostmasterAddress' },
);
const Loop = Type.Object(
  { name: Type.String(), id: Type.String(), ratio: Type.Number(), date: day },
  { title: 'PostmasterFeedbackLoop' },
);

const Domain = Type.Object({ domain: Type.String({ maxLength: 255 }) });
const Address = Type.Object({ address: Type.String({ maxLength: 45, description: 'An IP address.' }) });
const NEWEST = 'The newest day comes first. A day without data has no record.';

/** A list of everything of one kind, or of one domain or address. */
const list = { ...common, query: Page, errors: ['invalid_request'] } as const;
const listOfOne = { ...common, query: Page, errors: ['invalid_request', 'not_found'] } as const;
const records = <Item extends TSchema>(item: Item) => ({ data: Type.Array(item), total });

export const listDomainRecords = contract({
  ...list,
  operationId: 'listPostmasterDomains',
  path: `${GPT}/domains`,
  summary: 'List records of domains',
  description: `One for each domain and day of which Google said something. ${NEWEST} What it did not say is null.`,
  reply: Type.Object(records(DomainRecord)),
});

export const getDomainRecords = contract({
  ...listOfOne,
  operationId: 'listPostmasterDomainDays',
  path: `${GPT}/domains/{domain}`,
  summary: 'List records of one domain',
  description: NEWEST,
  params: Domain,
  reply: Type.Object({ domain: Type.String(), ...records(DomainRecord) }),
});

const FROM_EXPORTS =
  'Google gives no reputation of addresses since 2025: these are of uploaded exports. Galley computes none.';

export const listAddressesOfDomain = contract({
  ...listOfOne,
  operationId: 'listPostmasterAddressesOfDomain',
  path: `${GPT}/domains/{domain}/addresses`,
  summary: 'List addresses that sent for a domain',
  description: FROM_EXPORTS,
  params: Domain,
  reply: Type.Object({ domain: Type.String(), ...records(AddressRecord) }),
});

export const listAddressRecords = contract({
  ...list,
  operationId: 'listPostmasterAddresses',
  path: `${GPT}/addresses`,
  summary: 'List records of addresses',
  description: FROM_EXPORTS,
  reply: Type.Object(records(AddressRecord)),
});

export const getAddressRecords = contract({
  ...listOfOne,
  operationId: 'listPostmasterAddressDays',
  path: `${GPT}/addresses/{address}`,
  summary: 'List records of one address',
  description: FROM_EXPORTS,
  params: Address,
  reply: Type.Object({ address: Type.String(), ...records(AddressRecord) }),
});

export const listLoops = contract({
  ...list,
  operationId: 'listPostmasterFeedbackLoops',
  path: `${GPT}/domainsfbl`,
  summary: 'List feedback loops',
  description: `The share of spam reports by the identifier in the header Feedback-ID. ${NEWEST}`,
  reply: Type.Object(records(Loop)),
});

export const getLoops = contract({
  ...listOfOne,
  operationId: 'listPostmasterFeedbackLoopsOfDomain',
  path: `${GPT}/domainsfbl/{domain}`,
  summary: 'List feedback loops of one domain',
  description: NEWEST,
  params: Domain,
  reply: Type.Object(records(Loop)),
});

export const listDomainNames = contract({
  ...list,
  operationId: 'listPostmasterDomainNames',
  path: `${GPT}/domains_list`,
  summary: 'List domains with data',
  description: 'Each with the last day that has data.',
  reply: Type.Object(records(Type.Object({ name: Type.String(), date: day }))),
});

export const listAddressNames = contract({
  ...list,
  operationId: 'listPostmasterAddressNames',
  path: `${GPT}/addresses_list`,
  summary: 'List addresses with data',
  description: 'Each with the last day that has data.',
  reply: Type.Object(records(Type.Object({ address: Type.String(), date: day }))),
});

/** What summaries of domains may be sorted by, and its column. */
export const SUMMARY_FIELDS = {
  name: 'domain',
  user_reported_spam_ratio: 'spamRatio',
  spf_success_ratio: 'spfRatio',
  dkim_success_ratio: 'dkimRatio',
  dmarc_success_ratio: 'dmarcRatio',
  inbound_encryption_ratio: 'encryptionRatio',
  reputation: 'reputation',
  delivery_error_ratio: 'errorRatio',
} as const;
export type SummaryField = keyof typeof SUMMARY_FIELDS;

const orderBy = Type.Enum(['asc', 'desc'], { default: 'asc' });
const summaryQuery = <Name extends string>(names: readonly Name[]) =>
  Type.Object({
    ...Range,
    sortBy: Type.Enum([...names], { default: names[0] as Name }),
    orderBy,
    searchField: Type.Optional(Type.String({ maxLength: 255, description: 'Text that the name contains.' })),
  });

const DomainSummary = Type.Object(
  {
    name: Type.String(),
    user_reported_spam_ratio: ratio,
    spf_success_ratio: ratio,
    dkim_success_ratio: ratio,
    dmarc_success_ratio: ratio,
    inbound_encryption_ratio: ratio,
    reputation: ratio,
  },
  { title: 'PostmasterDomainSummary' },
);
const ErrorSummary = Type.Object(
  { name: Type.String(), delivery_error_ratio: ratio },
  { title: 'PostmasterErrorSummary' },
);
const MEAN = 'The mean of the days that have the figure; Google does not say how many messages a day had.';
const summary = <Query extends TObject, Reply extends TObject>(
  name: string,
  { title, query, reply }: { title: string; query: Query; reply: Reply },
) =>
  contract({
    ...common,
    operationId: `getPostmaster${name}`,
    path: `${GPT}/summary${name === 'Summary' ? '' : `/${name.replace('Summary', '').toLowerCase()}`}`,
    summary: title,
    description: MEAN,
    query,
    reply,
    errors: ['invalid_request'],
  });

const FIGURES = Object.keys(SUMMARY_FIELDS) as SummaryField[];

export const getSummary = summary('Summary', {
  title: 'Get the summary of domains, with delivery errors',
  query: summaryQuery(FIGURES),
  reply: Type.Object({
    summary: Type.Array(DomainSummary),
    error_summary: Type.Array(ErrorSummary, { description: 'Of the same domains.' }),
    total,
  }),
});
export const getDomainsSummary = summary('DomainsSummary', {
  title: 'Get the summary of domains',
  query: summaryQuery(FIGURES),
  reply: Type.Object({ summary: Type.Array(DomainSummary), total }),
});
export const getErrorsSummary = summary('ErrorsSummary', {
  title: 'Get the summary of delivery errors',
  query: summaryQuery(['name', 'delivery_error_ratio']),
  reply: Type.Object({ summary: Type.Array(ErrorSummary), total }),
});

const AddressSummary = {
  domain_name: Type.String(),
  address: Type.String(),
  reputation: Type.Number(),
};
const IpCounts = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many of them have which reputation, or result.',
});
export const getAddressesSummary = summary('AddressesSummary', {
  title: 'Get the summary of addresses',
  query: summaryQuery(['address', 'domain_name', 'reputation']),
  reply: Type.Object({
    summary: Type.Array(Type.Object(AddressSummary, { title: 'PostmasterAddressSummary' })),
    ip_counts: IpCounts,
    total,
  }),
});

const SndsRecord = Type.Object(
  {
    ip_address: Type.String(),
    block_text: Type.String(),
    is_blocked: orNull(Type.Boolean({ description: 'Null: Microsoft was not asked, or did not name the address.' })),
    complaint_rate: orNull(Type.String()),
    date: day,
    filter_result: orNull(Type.Enum(['GREEN', 'YELLOW', 'RED'])),
    recipients: orNull(Type.Integer()),
    trap_hits: orNull(Type.Integer()),
    trap_message_period: orNull(Type.String()),
    trap_percentage: orNull(Type.Number({ description: 'Of the recipients.' })),
    source: Type.Enum(['api', 'links', 'upload']),
    ...AddressSummary,
  },
  { title: 'SndsRecord' },
);

/** What records of SNDS may be sorted by, and its column. */
export const SNDS_FIELDS = {
  date: 'day',
  ip_address: 'address',
  filter_result: 'filterResult',
  recipients: 'recipients',
  trap_hits: 'trapHits',
} as const;
const SNDS_NAMES = Object.keys(SNDS_FIELDS) as (keyof typeof SNDS_FIELDS)[];

const sortBy = Type.Enum(SNDS_NAMES);
const sndsQuery = {
  limit: Range.limit,
  sortBy: Type.Optional(sortBy),
  orderBy: Type.Optional(Type.Enum(['asc', 'desc'])),
};
const Snds = Type.Object({ summary: Type.Array(SndsRecord), ip_counts: IpCounts, total });
const SNDS_REPUTATION =
  '`reputation` repeats `filter_result`: 4 GREEN, 2 YELLOW, 1 RED, 0 where Microsoft says nothing. `domain_name` is ' +
  'empty: SNDS knows addresses only.';

export const listSnds = contract({
  ...common,
  operationId: 'listSndsAddresses',
  path: '/v1/reputationanalytics/snds',
  summary: 'List sending addresses by SNDS',
  description: `Each with the last day that has data. ${SNDS_REPUTATION}`,
  query: Type.Object({
    ...sndsQuery,
    offset: Range.offset,
    search: Type.Optional(Type.String({ maxLength: 45, description: 'Text that the address contains.' })),
  }),
  reply: Snds,
  errors: ['invalid_request'],
});

export const getSnds = contract({
  ...common,
  operationId: 'listSndsDays',
  path: '/v1/reputationanalytics/snds/{ip}',
  summary: 'List records of one address by SNDS',
  description: `${NEWEST} ${SNDS_REPUTATION}`,
  params: Type.Object({ ip: Type.String({ maxLength: 45 }) }),
  query: Type.Object({
    ...sndsQuery,
    skip: Range.offset,
    search: Type.Optional(Type.String({ maxLength: 45, description: 'Text that the date contains.' })),
    // The spelling of older documents.
    Skip: Type.Optional(Type.Integer({ minimum: 0 })),
    Search: Type.Optional(Type.String({ maxLength: 45 })),
    SortBy: Type.Optional(sortBy),
    OrderBy: Type.Optional(Type.Enum(['asc', 'desc'])),
  }),
  reply: Snds,
  errors: listOfOne.errors,
});
