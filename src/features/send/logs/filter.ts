// The filter of a query of logs: conditions that all hold, each on one attribute.
import { invalid } from '../../../platform/errors/index.ts';
import type { Selection } from '../events/index.ts';
import type { COMPARATORS } from './contract.ts';

interface Condition {
  attribute: string;
  comparator: (typeof COMPARATORS)[number];
  values: readonly { label?: string; value: string }[];
}

type Made = (is: 'in' | 'contains', values: string[]) => Selection;

const event =
  (
    field: 'domain' | 'recipient' | 'recipientDomain' | 'provider' | 'severity' | 'event' | 'reason' | 'code' | 'url',
  ): Made =>
  (is, values) => ({ event: { field, is, values } });
const body =
  (field: 'ip' | 'country' | 'device' | 'bot'): Made =>
  (is, values) => ({ event: { field, is, values } });
const message =
  (field: 'from' | 'to' | 'subject' | 'message-id' | 'tag'): Made =>
  (is, values) => ({ message: { field, is, values } });

const ATTRIBUTES: Readonly<Record<string, Made>> = {
  bot: body('bot'),
  code: event('code'),
  country: body('country'),
  device: body('device'),
  domain: event('domain'),
  event: event('event'),
  from: message('from'),
  ip: body('ip'),
  message_id: (is, values) =>
    message('message-id')(
      is,
      values.map((value) => value.replaceAll(/^<|>$/g, '')),
    ),
  reason: event('reason'),
  recipient: event('recipient'),
  recipient_domain: event('recipientDomain'),
  recipient_provider: event('provider'),
  severity: event('severity'),
  subject: message('subject'),
  tag: message('tag'),
  to: message('to'),
  url: event('url'),
};

/** Whose events they are; the only attribute that is no condition on events. */
const SUBACCOUNT = 'subaccount';
/** Kept as places in a list, so that a part of them is no condition. */
const WHOLE = new Set(['event', 'severity']);

const nameOf = ({ attribute }: Condition): string => attribute.toLowerCase().replaceAll('-', '_');

/** Throws `invalid_request` naming the attribute and what is valid. */
function selectionOf(condition: Condition): Selection {
  const name = nameOf(condition);
  const { comparator } = condition;
  const make = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  if (!make)
    throw invalid(
      'filter.AND.attribute',
      `must be one of ${[...Object.keys(ATTRIBUTES), SUBACCOUNT].join(', ')}; "${name.slice(0, 100)}" is none.`,
    );
  const isPart = comparator.endsWith('contains');
  if (isPart && WHOLE.has(name)) throw invalid('filter.AND.comparator', `must be = or != for ${name}.`);
  const values = condition.values.map(({ value }) => value.toLowerCase());
  const found = make(isPart ? 'contains' : 'in', values);
  return comparator === '!=' || comparator === 'not contains' ? { not: found } : found;
}

/** Conditions on events. Throws `invalid_request`. */
export function selectionIn(conditions: readonly Condition[]): Selection {
  return { all: conditions.filter((condition) => nameOf(condition) !== SUBACCOUNT).map(selectionOf) };
}

/** Those of the accounts that conditions on subaccounts leave. */
export function accountsIn(conditions: readonly Condition[], accountIds: readonly string[]): string[] {
  const asked = conditions.filter((condition) => nameOf(condition) === SUBACCOUNT);
  return accountIds.filter((id) =>
    asked.every(({ comparator, values }) => {
      const isMet = comparator.endsWith('contains')
        ? values.some(({ value }) => id.includes(value))
        : values.some(({ value }) => id === value);
      return comparator === '=' || comparator === 'contains' ? isMet : !isMet;
    }),
  );
}
