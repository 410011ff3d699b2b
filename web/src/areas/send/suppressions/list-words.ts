import type { ListName } from './suppressions-search.ts';

interface Words {
  label: string;
  /** What an entry does. */
  about: string;
  /** When there is none. */
  empty: string;
  column: string;
  addTitle: string;
  addressLabel: string;
  removal: string;
  columns: string;
}

/** The lists in words. */
export const WORDS: Readonly<Record<ListName, Words>> = {
  bounces: {
    label: 'Bounces',
    about: 'Addresses that refused mail for good. Galley does not write to them again.',
    empty: 'An address is listed here as soon as its receiver refuses mail for good.',
    column: 'Reply',
    addTitle: 'Add a bounced address',
    addressLabel: 'Address',
    removal: 'Galley writes to it again.',
    columns: 'address, code, error, created_at',
  },
  unsubscribes: {
    label: 'Unsubscribes',
    about: 'Addresses that unsubscribed, from every message or from those with certain tags.',
    empty: 'An address is listed here as soon as its owner unsubscribes.',
    column: 'From',
    addTitle: 'Add an unsubscribed address',
    addressLabel: 'Address',
    removal: 'Galley writes to it again, though its owner unsubscribed.',
    columns: 'address, tags, created_at',
  },
  complaints: {
    label: 'Complaints',
    about: 'Addresses whose owners reported a message as spam. Galley does not write to them again.',
    empty: 'An address is listed here as soon as its provider reports a complaint.',
    column: '',
    addTitle: 'Add an address that complained',
    addressLabel: 'Address',
    removal: 'Galley writes to it again, though its owner complained.',
    columns: 'address, created_at',
  },
  whitelists: {
    label: 'Allowlist',
    about: 'Addresses and domains that Galley writes to although they are on the list of bounces.',
    empty: 'Add an address or a domain that must not be put on the list of bounces.',
    column: 'Reason',
    addTitle: 'Add to the allowlist',
    addressLabel: 'Address or domain',
    removal: 'The list of bounces applies to it again.',
    columns: 'address or domain, reason',
  },
};
