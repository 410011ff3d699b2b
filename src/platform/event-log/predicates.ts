// Conditions on events as SQL over the columns of `events`.
import { sql, type RawBuilder } from '../db/index.ts';
import { kept } from './kinds.ts';
import type { EventPredicate } from './types.ts';

/** How each field stands in a row, as a text in lower case where it is one. */
const COLUMNS = {
  event: sql.ref('event'),
  severity: sql.ref('severity'),
  domain: sql.ref('domain'),
  recipient: sql.ref('recipient'),
  recipientDomain: sql.ref('recipientDomain'),
  provider: sql.ref('provider'),
  messageId: sql.ref('messageId'),
  reason: sql.ref('reason'),
  code: sql.ref('code'),
  attempt: sql.ref('attempt'),
  url: sql`lower(about ->> 'url')`,
  ip: sql`lower(about ->> 'ip')`,
  country: sql`lower(about -> 'geolocation' ->> 'country')`,
  device: sql`lower(about -> 'client-info' ->> 'device-type')`,
  bot: sql`lower(about -> 'client-info' ->> 'bot')`,
  isUnique: sql`about ->> 'is-unique'`,
} as const;

type Field = keyof typeof COLUMNS;

const NUMBERS = new Set<string>(['messageId', 'code', 'event', 'severity', 'attempt']);
const INDEXED = new Set<string>([
  'event',
  'severity',
  'domain',
  'recipient',
  'recipientDomain',
  'provider',
  'messageId',
]);

/** Values that a column of numbers can hold. */
const isNumber = (text: string): boolean => /^\d{1,18}$/.test(text);

function among(field: Field, values: readonly string[]): RawBuilder<unknown> {
  const known = values.map((value) => kept(field, value.toLowerCase())).filter((value) => value !== undefined);
  if (NUMBERS.has(field)) return sql`${COLUMNS[field]} = any(${known.filter(isNumber)}::bigint[])`;
  return sql`${COLUMNS[field]} = any(${known}::text[])`;
}

/** A pattern that holds the text itself. */
const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The condition: true for the rows that meet it, false or unknown for the others. */
export function conditionOf(where: EventPredicate): RawBuilder<unknown> {
  return made(where, { isTurned: false });
}

/**
 * `isTurned`: below a `not`, where what is unknown of a row must be false, so that its opposite is true. Elsewhere it
 * stays unknown: no index is searched by what is wrapped in a function.
 */
function made(where: EventPredicate, how: { isTurned: boolean }): RawBuilder<unknown> {
  if ('all' in where) return joined(where.all, { ...how, with: sql` and `, empty: sql`true` });
  if ('any' in where) return joined(where.any, { ...how, with: sql` or `, empty: sql`false` });
  if ('not' in where) return sql`not ${made(where.not, { isTurned: true })}`;
  const plain = compared(where);
  return how.isTurned ? sql`coalesce(${plain}, false)` : plain;
}

function compared(where: Extract<EventPredicate, { field: string }>): RawBuilder<unknown> {
  if ('value' in where) {
    const sign = where.is === 'above' ? sql`>` : sql`<`;
    return sql`${COLUMNS[where.field]} ${sign} ${where.value}::float8`;
  }
  if (where.is === 'in') return among(where.field, where.values);
  return sql`${COLUMNS[where.field]}::text like any(${where.values.map(containing)}::text[])`;
}

function joined(
  parts: readonly EventPredicate[],
  { isTurned, with: word, empty }: { isTurned: boolean; with: RawBuilder<unknown>; empty: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return parts.length === 0
    ? empty
    : sql`(${sql.join(
        parts.map((part) => made(part, { isTurned })),
        word,
      )})`;
}

/** Whether rows must be looked at, because no index holds what is asked for. */
export function readsRows(where: EventPredicate | undefined): boolean {
  if (!where) return false;
  if ('all' in where) return where.all.some(readsRows);
  if ('any' in where) return where.any.some(readsRows);
  if ('not' in where) return readsRows(where.not);
  return !INDEXED.has(where.field);
}
