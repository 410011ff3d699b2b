// The fields of the query that lists of events are filtered by, each a filter of its own.
import { parseFilter, type FilterTree } from '../../../engines/event-filter/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { EVENT_KINDS } from '../../../platform/event-log/index.ts';
import type { Selection } from './selection.ts';

/** Kinds that the interface knows; no event has one of the last three, so nothing is found for them. */
const KINDS: readonly string[] = [...EVENT_KINDS, 'list_member_uploaded', 'list_member_upload_error', 'list_uploaded'];

function among(field: string, valid: readonly string[], term: string): string {
  const value = term.toLowerCase();
  if (!valid.includes(value))
    throw invalid(field, `must be made of ${valid.join(', ')}; "${term.slice(0, 100)}" is none.`);
  return value;
}

/** A recipient in full, or a part of one. */
const recipientOf = (term: string): Selection => ({
  event: { field: 'recipient', is: /.@./.test(term) ? 'in' : 'contains', values: [term.toLowerCase()] },
});

const inMessages =
  (field: 'subject' | 'from' | 'to' | 'recipients' | 'attachment') =>
  (term: string): Selection => ({
    message: { field, is: 'contains', values: [term] },
  });

/** What a term means in each field. */
const TERMS: Record<string, (term: string) => Selection> = {
  event: (term) => ({ event: { field: 'event', is: 'in', values: [among('event', KINDS, term)] } }),
  severity: (term) => ({
    event: { field: 'severity', is: 'in', values: [among('severity', ['temporary', 'permanent'], term)] },
  }),
  recipient: recipientOf,
  recipients: inMessages('recipients'),
  subject: inMessages('subject'),
  from: inMessages('from'),
  to: inMessages('to'),
  attachment: inMessages('attachment'),
  tags: (term) => ({ message: { field: 'tag', is: 'in', values: [term] } }),
  'message-id': (term) => ({ message: { field: 'message-id', is: 'in', values: [term.replaceAll(/^<|>$/g, '')] } }),
  list: (term) => ({ message: { field: 'list', is: 'in', values: [term] } }),
  size: (term) => {
    const bytes = Number(term);
    if (!/^\d{1,12}$/.test(term)) throw invalid('size', `must be a number of bytes, such as >1000 <50000.`);
    return {
      all: [
        { message: { field: 'size', is: 'above', value: bytes - 1 } },
        { message: { field: 'size', is: 'below', value: bytes + 1 } },
      ],
    };
  },
};

export const FILTER_FIELDS = Object.keys(TERMS);

function selectionOf(field: string, tree: FilterTree): Selection {
  if ('all' in tree) return { all: tree.all.map((part) => selectionOf(field, part)) };
  if ('any' in tree) return { any: tree.any.map((part) => selectionOf(field, part)) };
  if ('not' in tree) return { not: selectionOf(field, tree.not) };
  if ('term' in tree) return (TERMS[field] as (term: string) => Selection)(tree.term);
  if (field !== 'size') throw invalid(field, 'is text: > and < are for size.');
  return 'above' in tree
    ? { message: { field: 'size', is: 'above', value: tree.above } }
    : { message: { field: 'size', is: 'below', value: tree.below } };
}

/** All filters of a query together. Throws `invalid_request` naming the field. */
export function selectionIn(filters: Readonly<Record<string, string>>): Selection {
  return {
    all: Object.entries(filters).map(([field, text]) => {
      const parsed = parseFilter(text);
      if ('fault' in parsed) throw invalid(field, parsed.fault);
      return selectionOf(field, parsed.tree);
    }),
  };
}
