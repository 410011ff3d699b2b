// What the address of the list of messages remembers.
import { KINDS, type Kind } from '../../../shared/send/event-words.ts';

export const SEARCHED = ['recipient', 'subject', 'tag', 'from', 'message_id'] as const;
export type Searched = (typeof SEARCHED)[number];

export interface MessagesSearch {
  q?: string;
  /** Which field `q` is looked for in; the recipient when left out. */
  by?: Searched;
  event?: Kind;
  domain?: string;
  /** `2026-11-21`, in the reader's time zone; both ends included. */
  from?: string;
  to?: string;
  /** Events appear as they happen. */
  live?: true;
}

/** Shown where no dates are chosen. */
export const DAYS = 7;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

export function readMessagesSearch({ q, by, event, domain, from, to, live }: Record<string, unknown>): MessagesSearch {
  const found = {
    q: textIn(q),
    by: SEARCHED.find((one) => one === by && one !== 'recipient'),
    event: KIND_NAMES.find((one) => one === event),
    domain: textIn(domain),
    from: typeof from === 'string' && DAY.test(from) ? from : undefined,
    to: typeof to === 'string' && DAY.test(to) ? to : undefined,
    live: live === true ? live : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as MessagesSearch;
}

export function isSearched(search: MessagesSearch): boolean {
  return Object.keys(search).some((name) => name !== 'by' && name !== 'live');
}
