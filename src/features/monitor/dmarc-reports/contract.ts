// DMARC: the record, who sends in a domain's name, and the road to p=reject. The paths under `domains` go from a domain
// to a source, a host and an address.
import { Type, type TSchema } from 'typebox';
import { FILE_BYTES_MAX } from '../../../engines/dmarc-reports/index.ts';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'DMARC', errorShape: 'message' } as const;
const text = Type.String();
const count = Type.Integer();
const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const choice = (...values: string[]) => Type.Optional(Type.Enum(values));

const Domain = Type.Object({ domain: Type.String({ maxLength: 255, examples: ['example.com'] }) });
const Source = Type.Object({ ...Domain.properties, source: Type.String({ maxLength: 100 }) });
const Host = Type.Object({
  ...Source.properties,
  host: Type.String({ maxLength: 255, description: '`unknown`: without a name.' }),
});
const Address = Type.Object({ ...Host.properties, ip: Type.String({ maxLength: 60 }) });
const seconds = (about: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 4_102_444_800, description: `Unix seconds. Default: ${about}.` }));
const Window = Type.Object({ from: seconds('30 days before `to`'), to: seconds('now') });

const counts = {
  messages: count,
  pass: Type.Integer({ description: 'DKIM or SPF passed for a domain that aligns.' }),
  fail: count,
  quarantine: Type.Integer({ description: 'What receivers put into the spam folder, whatever the result.' }),
  reject: Type.Integer({ description: 'What receivers refused.' }),
};
const aligned = { dkim_aligned: count, spf_aligned: count };
const judged = {
  yours: Type.Integer({ description: 'Failing messages that something ties to the domain.' }),
  forwarded: Type.Integer({ description: 'Failing messages that somebody passed on, says the receiver.' }),
  unknown: Type.Integer({ description: 'Failing messages that nothing ties to the domain.' }),
};
const Chart = Type.Array(
  Type.Object({ date: text, pass: count, fail: count, quarantine: count, reject: count }, { title: 'DmarcDay' }),
  { description: 'By day (UTC); a day without reports is missing.' },
);
const Policy = Type.Object(
  { p: text, sp: text, np: text, pct: text, testing: text },
  { title: 'ReportedPolicy', description: 'As the latest report says; empty: it does not.' },
);

export const getRecord = contract({
  ...common,
  method: 'GET',
  operationId: 'getDmarcRecord',
  path: '/v1/dmarc/records/{domain}',
  summary: 'Get the DMARC record to publish, and check the one that is there',
  description:
    '`entry` is the record to publish at `name`: what is published, with the address of this account added, what ' +
    'RFC 9989 removed left out, and what the query asks for. The record that applies is found by the tree walk.',
  params: Domain,
  query: Type.Object({
    p: choice('none', 'quarantine', 'reject'),
    sp: choice('none', 'quarantine', 'reject'),
    np: choice('none', 'quarantine', 'reject'),
    adkim: choice('r', 's'),
    aspf: choice('r', 's'),
    t: choice('y', 'n'),
  }),
  reply: Type.Object({
    entry: text,
    policy: Type.Object(
      { p: text, sp: Nullable(text), np: Nullable(text), adkim: text, aspf: text, t: text },
      { description: 'What `entry` says; null: as for the domain.' },
    ),
    current: Type.String({ description: 'The record that applies; empty: there is none.' }),
    configured: Type.Boolean({ description: 'Whether its reports come to this account.' }),
    name: text,
    address: text,
    policy_domain: Nullable(text),
    organizational_domain: Nullable(text),
    dns: Type.Enum(['answered', 'unknown']),
    notes: Type.Array(Type.Object({ level: Type.Enum(['error', 'advice']), tag: text, message: text })),
    authorizations: Type.Array(
      Type.Object({ address: text, name: text, value: text, state: Type.Enum(['published', 'missing', 'unknown']) }),
      { description: 'TXT records that addresses outside of the organization need (RFC 9990 §3).' },
    ),
  }),
  errors: ['invalid_request'],
});

export const getSetup = contract({
  ...common,
  method: 'GET',
  operationId: 'getDmarcSetup',
  path: '/v1/dmarc/setup',
  summary: "Get where the account's reports arrive",
  description: 'The address is made at the first call. `LastAccessed` is when the last report came.',
  reply: Type.Object({
    InstanceID: text,
    LastAccessed: Nullable(text),
    CreatedAt: text,
    UpdatedAt: text,
    address: text,
  }),
});

export const createReferral = contract({
  ...common,
  method: 'POST',
  operationId: 'createDmarcReferral',
  path: '/v1/dmarc/referral',
  summary: 'Get the page with the reports',
  description: 'There is no partner to be referred to: the page is that of this dashboard. The email is not kept.',
  body: Type.Object({ email: Type.String({ maxLength: 320 }) }),
  sample: { email: 'ann@example.com' },
  reply: Type.Object({ referral_uri: text }),
});

export const listDomains = contract({
  ...common,
  method: 'GET',
  operationId: 'listDmarcDomains',
  path: '/v1/dmarc/domains',
  summary: 'List domains with reports',
  description: 'At most 1,000, those with most messages first.',
  query: Window,
  reply: Type.Object({
    domains: Type.Array(
      Type.Object(
        { domain: text, reports: count, organizations: count, last_report_at: text, ...counts },
        { title: 'DmarcDomain' },
      ),
    ),
    pfqr_chart: Chart,
  }),
  errors: ['invalid_request'],
});

const Step = Type.Object(
  { id: text, title: text, state: Type.Enum(['done', 'next', 'later']), evidence: text, advice: text },
  { title: 'DmarcStep' },
);

export const getDomain = contract({
  ...common,
  method: 'GET',
  operationId: 'getDmarcDomain',
  path: '/v1/dmarc/domains/{domain}',
  summary: 'Show who sends in the name of a domain',
  description:
    'Sources with the most failing messages first, what p=reject would refuse, and the road there. Of more than ' +
    '20,000 groups of equal rows those with most messages are judged; `is_bound` says so.',
  params: Domain,
  query: Window,
  reply: Type.Object({
    domain: text,
    measured: Type.Object({
      from: text,
      to: text,
      reports: count,
      organizations: count,
      days: count,
      known_senders_of: text,
    }),
    policy: Nullable(Policy),
    ...counts,
    ...judged,
    is_bound: Type.Boolean(),
    rejection: Type.String({ description: 'What p=reject would refuse.' }),
    road: Type.Array(Step),
    next_policy: Type.Enum(['none', 'quarantine', 'reject']),
    sources: Type.Array(
      Type.Object(
        {
          source: text,
          name: text,
          type: Nullable(text),
          named_by: Type.Enum(['ptr', 'dkim', 'spf', 'none']),
          ...counts,
          ...aligned,
          ...judged,
          evidence: Type.Array(Type.Object({ kind: text, messages: count, means: text, fix: text })),
        },
        { title: 'DmarcSource' },
      ),
    ),
    pfqr_chart: Chart,
  }),
  errors: ['not_found', 'invalid_request'],
});

const one = { ...common, method: 'GET', query: Window, errors: ['not_found', 'invalid_request'] } as const;

export const getSource = contract({
  ...one,
  operationId: 'getDmarcSource',
  path: '/v1/dmarc/domains/{domain}/s/{source}',
  summary: 'Show the hosts of a source',
  description: 'At most 1,000, those with most messages first.',
  params: Source,
  reply: Type.Object({
    source: text,
    hosts: Type.Array(Type.Object({ host: text, ...counts, ...aligned }, { title: 'DmarcHost' })),
    pfqr_chart: Chart,
  }),
});

export const getHost = contract({
  ...one,
  operationId: 'getDmarcHost',
  path: '/v1/dmarc/domains/{domain}/s/{source}/h/{host}',
  summary: 'Show the addresses of a host',
  description: 'At most 1,000, those with most messages first.',
  params: Host,
  reply: Type.Object({
    host: text,
    ips: Type.Array(Type.Object({ ip: text, ...counts, ...aligned }, { title: 'DmarcAddress' })),
    pfqr_chart: Chart,
  }),
});

const Result = Type.Object({ domain: text, result: text, selector: Type.Optional(text), scope: Type.Optional(text) });

export const getAddress = contract({
  ...one,
  operationId: 'getDmarcAddress',
  path: '/v1/dmarc/domains/{domain}/s/{source}/h/{host}/ip/{ip}',
  summary: 'Show what was reported of an address',
  description: 'The latest 1,000 rows of reports.',
  params: Address,
  reply: Type.Object({
    ip: text,
    ...counts,
    rows: Type.Array(
      Type.Object(
        {
          date: text,
          organization: text,
          messages: count,
          disposition: text,
          dkim_aligned: Type.Boolean(),
          spf_aligned: Type.Boolean(),
          header_from: text,
          envelope_from: text,
          dkim: Type.Array(Result),
          spf: Type.Array(Result),
          reasons: Type.Array(Type.Object({ type: text, comment: text })),
        },
        { title: 'DmarcRow' },
      ),
    ),
    pfqr_chart: Chart,
  }),
});

const KINDS = ['aggregate', 'tls', 'failure', 'refused'] as const;

export const listReports = contract({
  ...common,
  method: 'GET',
  operationId: 'listDmarcReports',
  path: '/v1/dmarc/reports',
  summary: 'List reports',
  description:
    'Those of DMARC (`aggregate`, `failure`), of TLS, and what was `refused`, with the reason; newest first. They ' +
    'are kept for 400 days after their end, refusals for 30.',
  query: Type.Object({
    ...skipFields(),
    kind: Type.Optional(Type.Enum(KINDS)),
    domain: Type.Optional(Type.String({ maxLength: 255 })),
  }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object(
        {
          id: text,
          kind: Type.Enum(KINDS),
          domain: text,
          organization: text,
          report_id: text,
          begin: text,
          end: text,
          received_at: text,
          via: Type.Enum(['mail', 'upload', 'imap']),
          vouched_by: Nullable(Type.String({ description: 'The domain that vouches for the mail.' })),
          messages: Type.Integer({ description: 'Of reports of TLS: sessions.' }),
          content: Type.Record(text, Type.Unknown()),
        },
        { title: 'DmarcReport' },
      ),
    ),
    ...countedFields,
  }),
  errors: ['invalid_request'],
});

export const uploadReports = contract({
  ...common,
  method: 'POST',
  operationId: 'uploadDmarcReports',
  path: '/v1/dmarc/reports',
  summary: 'Upload a report',
  description:
    'XML of DMARC (RFC 7489, RFC 9990), JSON of TLS (RFC 8460), either packed by gzip or zip, or a mail that carries ' +
    'them; at most 25 MB, 64 MB unpacked, 50,000 records. A report about a domain that is not of the account is ' +
    'refused, unless the record of that domain asks for reports at the address of the account.',
  bodyBytesMax: FILE_BYTES_MAX + 64 * 1024,
  fileField: 'file',
  isFormOnly: true,
  body: Type.Object({ file: readByItself(Type.String({ contentMediaType: '*/*' })) }),
  reply: Type.Object({
    accepted: Type.Array(
      Type.Object({ kind: text, domain: text, organization: text, report_id: text, messages: count }),
    ),
    duplicates: count,
    refused: Type.Array(Type.Object({ name: text, reason: text })),
  }),
  errors: ['invalid_request', 'too_large'],
});

export const deleteReport = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteDmarcReport',
  path: '/v1/dmarc/reports/{report_id}',
  summary: 'Delete a report',
  description: 'What it counts is counted no longer.',
  params: Type.Object({ report_id: Type.String({ pattern: '^[0-9]{1,18}$', examples: ['1'] }) }),
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});
