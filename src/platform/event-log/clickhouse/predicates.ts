// Conditions on events as ClickHouse has them; they mean the same as those of PostgreSQL beside them.
import { kept } from '../kinds.ts';
import type { EventPredicate } from '../types.ts';
import { ch, joined, plain, real, text, texts, wholes, type Fragment } from './statements.ts';

const inAbout = (...path: readonly string[]): Fragment =>
  ch`lowerUTF8(JSONExtract(ifNull(events.about, ''), ${joined(path.map(text), ', ')}, 'Nullable(String)'))`;

/** How each field stands in a row, as a text in lower case where it is one. */
const COLUMNS = {
  event: plain('events.event'),
  severity: plain('events.severity'),
  domain: plain('events.domain'),
  recipient: plain('events.recipient'),
  recipientDomain: plain('events.recipient_domain'),
  provider: plain('events.provider'),
  messageId: plain('events.message_id'),
  reason: plain('events.reason'),
  code: plain('events.code'),
  attempt: plain('events.attempt'),
  url: inAbout('url'),
  ip: inAbout('ip'),
  country: inAbout('geolocation', 'country'),
  device: inAbout('client-info', 'device-type'),
  bot: inAbout('client-info', 'bot'),
  isUnique: ch`JSONExtractRaw(ifNull(events.about, ''), ${text('is-unique')})`,
} as const;

type Field = keyof typeof COLUMNS;

const NUMBERS = new Set<string>(['messageId', 'code', 'event', 'severity', 'attempt']);

/** Values that a column of numbers can hold. */
const isNumber = (value: string): boolean => /^\d{1,18}$/.test(value);

function among(field: Field, values: readonly string[]): Fragment {
  const known = values.map((value) => kept(field, value.toLowerCase())).filter((value) => value !== undefined);
  return NUMBERS.has(field)
    ? ch`has(${wholes(known.filter(isNumber))}, toInt64(${COLUMNS[field]}))`
    : ch`has(${texts(known)}, ${COLUMNS[field]})`;
}

const containing = (field: Field, values: readonly string[]): Fragment =>
  anyOf(values.map((value) => ch`position(toString(${COLUMNS[field]}), ${text(value.toLowerCase())}) > 0`));

const anyOf = (parts: readonly Fragment[]): Fragment =>
  parts.length === 0 ? plain('false') : ch`(${joined(parts, ' or ')})`;

function compared(where: Extract<EventPredicate, { field: string }>): Fragment {
  if ('value' in where)
    return ch`${COLUMNS[where.field]} ${plain(where.is === 'above' ? '>' : '<')} ${real(where.value)}`;
  return where.is === 'in' ? among(where.field, where.values) : containing(where.field, where.values);
}

/** The condition: true for the rows that meet it, false for the others, and for those of which it is not known. */
export function conditionOf(where: EventPredicate): Fragment {
  if ('all' in where)
    return where.all.length === 0 ? plain('true') : ch`(${joined(where.all.map(conditionOf), ' and ')})`;
  if ('any' in where) return anyOf(where.any.map(conditionOf));
  if ('not' in where) return ch`not ${conditionOf(where.not)}`;
  return ch`ifNull(${compared(where)}, false)`;
}
