// The four lists of a domain, and the words that existing clients know from each.

export const LISTS = ['bounces', 'unsubscribes', 'complaints', 'whitelists'] as const;
export type ListName = (typeof LISTS)[number];

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
