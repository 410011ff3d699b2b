// Which groups a query asks for, and in which order.
import type { ComponentName } from '../../../engines/sending-health/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Group, ScoredGroup } from './groups.ts';

const RATES: Readonly<Record<string, ComponentName>> = {
  bounce_rate: 'bounce',
  complaint_rate: 'complaint',
  trap_rate: 'trap',
  full_mailbox_rate: 'full_mailbox',
  bad_failure_rate: 'bad_failure',
};
const KEYS = ['domain', 'ip', 'subaccount', 'timestamp'];
const FIELDS = [...KEYS, 'score', ...Object.keys(RATES), 'delivered'];

/** `domain:example.com` of a group by domain. Throws `invalid_request`. */
function textIn(field: string, given: string, group: Group): string {
  const [name = '', ...rest] = given.split(':');
  const names = group === 'subaccount' ? [group, 'account_id'] : [group];
  if (rest.length === 0 || !names.includes(name))
    throw invalid(field, `must be ${names.map((one) => `${one}:…`).join(' or ')}, as group is ${group}.`);
  return rest.join(':').toLowerCase();
}

/** Those that one of the terms names, and that hold the text of the query. Throws `invalid_request`. */
export function chosen(
  groups: readonly ScoredGroup[],
  { group, terms, query }: { group: Group; terms: readonly string[]; query?: string | undefined },
): ScoredGroup[] {
  const exact = terms.map((term) => textIn('term', term, group));
  const part = query === undefined ? '' : textIn('query', query, group);
  return groups.filter(({ key }) => {
    const text = key.toLowerCase();
    return (exact.length === 0 || exact.includes(text)) && text.includes(part);
  });
}

function valueOf(found: ScoredGroup, field: string): number | string {
  if (field === 'score') return found.score;
  if (field === 'delivered') return found.delivered;
  const name = RATES[field];
  return name === undefined ? found.key : (found.components.find((one) => one.name === name)?.rate ?? 0);
}

/** In the order that is asked for, else by key. Throws `invalid_request`. */
export function ordered(groups: readonly ScoredGroup[], sort: string | undefined): ScoredGroup[] {
  const [field = '', direction = 'asc', ...rest] = (sort ?? 'domain').split(':');
  if (!FIELDS.includes(field) || !['asc', 'desc'].includes(direction) || rest.length > 0)
    throw invalid('sort', `must be one of ${FIELDS.join(', ')}, with :asc or :desc.`);
  const turn = direction === 'desc' ? -1 : 1;
  return groups.toSorted((one, other) => {
    const [first, second] = [valueOf(one, field), valueOf(other, field)];
    return (first < second ? -turn : first > second ? turn : 0) || (one.key < other.key ? -1 : 1);
  });
}
