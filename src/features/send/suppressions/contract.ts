import { Type, type TSchema } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';

/** The four lists of a domain. */
export const LISTS = ['bounces', 'unsubscribes', 'complaints', 'whitelists'] as const;
export type ListName = (typeof LISTS)[number];

/** The words that existing clients know from each. */
interface Kind {
  name: ListName;
  /** What an entry is called in a path. */
  key: 'address' | 'value';
  /** In names of operations and in the documents. */
  operation: { one: string; many: string };
  title: string;
  /** What the table of the list is called in messages. */
  table: string;
  added(count: number): string;
  removed: string;
  cleared: string;
  missing: string;
}

const address = 'address' as const;
const manyAdded = (table: string) => (count: number) => `${count} addresses have been added to the ${table} table`;

export const KINDS: Readonly<Record<ListName, Kind>> = {
  bounces: {
    name: 'bounces',
    key: address,
    operation: { one: 'Bounce', many: 'Bounces' },
    title: 'bounces',
    table: 'bounces',
    added: manyAdded('bounces'),
    removed: 'Bounced address has been removed',
    cleared: 'Bounced addresses for this domain have been removed',
    missing: 'Address not found in bounces table',
  },
  unsubscribes: {
    name: 'unsubscribes',
    key: address,
    operation: { one: 'Unsubscribe', many: 'Unsubscribes' },
    title: 'unsubscribes',
    table: 'unsubscribes',
    added: manyAdded('unsubscribes'),
    removed: 'Unsubscribe event has been removed',
    cleared: 'Unsubscribe addresses for this domain have been removed',
    missing: 'Address not found in unsubscribers table',
  },
  complaints: {
    name: 'complaints',
    key: address,
    operation: { one: 'Complaint', many: 'Complaints' },
    title: 'complaints',
    table: 'complaints',
    added: (count) => `${count} complaint addresses have been added to the complaints table`,
    removed: 'Spam complaint has been removed',
    cleared: 'Complaint addresses for this domain have been removed',
    missing: 'No spam complaints found for this address',
  },
  whitelists: {
    name: 'whitelists',
    key: 'value',
    operation: { one: 'AllowlistEntry', many: 'AllowlistEntries' },
    title: 'the allowlist',
    table: 'allowlists',
    added: manyAdded('allowlists'),
    removed: 'Allowlist address/domain has been removed',
    cleared: 'Allowlist addresses/domains for this domain have been removed',
    missing: 'Address/Domain not found in allowlist table',
  },
};

const BATCH_BYTES_MAX = 8 * 1024 * 1024;
const FILE_BYTES_MAX = 25 * 1024 * 1024;

const Domain = Type.Object({ domain_name: Type.String({ description: 'A sending domain of the account.' }) });
const created = { description: 'RFC 2822, UTC.' };
const text = Type.String();
const Said = Type.Object({ message: text });

const ENTRIES: Readonly<Record<ListName, TSchema>> = {
  bounces: Type.Object(
    { address: text, code: text, error: text, created_at: Type.String(created) },
    { title: 'Bounce' },
  ),
  unsubscribes: Type.Object(
    { address: text, tags: Type.Array(text, { description: '`*`: every message.' }), created_at: Type.String(created) },
    { title: 'Unsubscribe' },
  ),
  complaints: Type.Object({ address: text, created_at: Type.String(created) }, { title: 'Complaint' }),
  whitelists: Type.Object(
    { type: Type.Enum(['address', 'domain']), value: text, reason: text, createdAt: Type.String(created) },
    { title: 'AllowlistEntry' },
  ),
};

const at = Type.Optional(Type.String({ description: 'RFC 2822 or ISO 8601. Default: now.' }));
const tags = Type.Union([text, Type.Array(text)], { description: '`*`, the default: every message.' });
const GIVEN: Readonly<Record<ListName, TSchema>> = {
  bounces: Type.Object({
    address: text,
    code: Type.Optional(Type.String({ description: 'Default: 550.' })),
    error: Type.Optional(text),
    created_at: at,
  }),
  unsubscribes: Type.Object({ address: text, tag: Type.Optional(tags), tags: Type.Optional(tags), created_at: at }),
  complaints: Type.Object({ address: text, created_at: at }),
  whitelists: Type.Object({
    address: Type.Optional(text),
    domain: Type.Optional(Type.String({ description: 'In place of an address: all of its addresses.' })),
    reason: Type.Optional(text),
    created_at: at,
  }),
};

const MEANINGS: Readonly<Record<ListName, string>> = {
  bounces: 'Addresses that refused mail for good are not written to again (605 `suppress-bounce`).',
  unsubscribes: 'Addresses that unsubscribed get no message, or none with these tags (606 `suppress-unsubscribe`).',
  complaints: 'Addresses that called a message spam are not written to again (607 `suppress-complaint`).',
  whitelists: 'Addresses and domains that are written to although they are on the list of bounces.',
};

/** What the contracts of a list share: of the whole list, and of one of its entries. */
function basisOf(list: ListName) {
  const { key, operation, title } = KINDS[list];
  const all = `/v3/{domain_name}/${list}`;
  const tag = list === 'whitelists' ? 'Allowlist' : operation.many;
  const rights = list === 'whitelists' ? 'allowlist' : 'suppressions';
  const common = { tag, errorShape: 'message', rights, path: all, params: Domain } as const;
  const params = Type.Object({ ...Domain.properties, [key]: Type.String({ maxLength: 1000 }) });
  return { key, operation, title, common, one: { ...common, path: `${all}/{${key}}`, params } };
}

/** The contracts that read a list. */
export function readingOf(list: ListName) {
  const { operation, title, common, one } = basisOf(list);
  const entry = ENTRIES[list];
  return {
    listed: contract({
      ...common,
      method: 'GET',
      operationId: `list${operation.many}`,
      summary: `List ${title}`,
      description: `${MEANINGS[list]} By address; a page without items is the end.`,
      query: Type.Object({
        ...pivotFields(),
        address: pivotField,
        term: Type.Optional(Type.String({ maxLength: 320, description: 'How the addresses begin.' })),
      }),
      reply: Type.Object({ items: Type.Array(entry), paging: EndlessPaging }),
      errors: ['invalid_request', 'not_found'],
    }),
    read: contract({
      ...one,
      method: 'GET',
      operationId: `get${operation.one}`,
      summary: `Get one of ${title}`,
      description: 'Upper and lower case are the same.',
      reply: entry,
      errors: ['not_found'],
    }),
  };
}

/** Those that add to it. */
export function addingOf(list: ListName) {
  const { operation, title, common } = basisOf(list);
  const batch = list !== 'whitelists';
  return {
    added: contract({
      ...common,
      method: 'POST',
      operationId: `add${operation.many}`,
      summary: `Add to ${title}`,
      description:
        'What is there already is replaced' +
        `${list === 'unsubscribes' ? '; tags are added to those that it has' : ''}. ` +
        `${batch ? 'One record, or as JSON a list of at most 1,000: all are taken, or none.' : 'One record.'}`,
      bodyBytesMax: BATCH_BYTES_MAX,
      sample: { address: 'ann@example.com' },
      body: readByItself(batch ? Type.Union([GIVEN[list], Type.Array(GIVEN[list], { maxItems: 1000 })]) : GIVEN[list]),
      reply: batch ? Said : Type.Object({ message: text, type: Type.Enum(['address', 'domain']), value: text }),
      errors: ['invalid_request', 'not_found', 'too_many_requests'],
    }),
    uploaded: contract({
      ...common,
      method: 'POST',
      operationId: `upload${operation.many}`,
      path: `${common.path}/import`,
      summary: `Add to ${title} from a spreadsheet`,
      description:
        'A CSV file or a workbook of at most 25 MB and 600,000 rows, whose first row names the columns. It is read ' +
        'before the answer, and written after it. Rows that are no entry are left out; the answer counts them and ' +
        'names the first 20.',
      bodyBytesMax: FILE_BYTES_MAX + 64 * 1024,
      fileField: 'file',
      isFormOnly: true,
      body: Type.Object({ file: readByItself(Type.String({ contentMediaType: '*/*' })) }),
      status: 202,
      reply: Type.Object({
        message: text,
        entries: Type.Integer(),
        skipped: Type.Integer(),
        problems: Type.Array(Type.Object({ row: Type.Integer(), message: text })),
      }),
      errors: ['invalid_request', 'not_found', 'too_large'],
    }),
  };
}

/** Those that take from it. */
export function removingOf(list: ListName) {
  const { key, operation, title, common, one } = basisOf(list);
  return {
    removed: contract({
      ...one,
      method: 'DELETE',
      operationId: `delete${operation.one}`,
      summary: `Remove from ${title}`,
      description: 'The address is written to again.',
      query: Type.Object(
        list === 'unsubscribes' ? { tag: Type.Optional(Type.String({ description: 'Only this tag of it.' })) } : {},
      ),
      reply: Type.Object({ message: text, [key]: text }),
      errors: ['not_found', 'invalid_request'],
    }),
    cleared: contract({
      ...common,
      method: 'DELETE',
      operationId: `deleteAll${operation.many}`,
      summary: `Empty ${title}`,
      description: 'Of this domain; the other lists stay.',
      reply: Said,
      errors: ['not_found'],
    }),
  };
}
