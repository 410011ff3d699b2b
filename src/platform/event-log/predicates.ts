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

/**
 * The condition; true or false for every row, never unknown, so that its opposite is right too.
 */
export function conditionOf(where: EventPredicate): RawBuilder<unknown> {
  if ('all' in where) return joined(where.all, { with: sql` and `, empty: sql`true` });
  if ('any' in where) return joined(where.any, { with: sql` or `, empty: sql`false` });
  if ('not' in where) return sql`not ${conditionOf(where.not)}`;
  if ('value' in where) {
    const sign = where.is === 'above' ? sql`>` : sql`<`;
    return sql`coalesce(${COLUMNS[where.field]} ${sign} ${where.value}::float8, false)`;
  }
  if (where.is === 'in') return sql`coalesce(${among(where.field, where.values)}, false)`;
  const patterns = where.values.map(containing);
  return sql`coalesce(${COLUMNS[where.field]}::text like any(${patterns}::text[]), false)`;
}

function joined(
  parts: readonly EventPredicate[],
  { with: word, empty }: { with: RawBuilder<unknown>; empty: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return parts.length === 0 ? empty : sql`(${sql.join(parts.map(conditionOf), word)})`;
}

/** Whether rows must be looked at, because no index holds what is asked for. */
export function readsRows(where: EventPredicate | undefined): boolean {
  if (!where) return false;
  if ('all' in where) return where.all.some(readsRows);
  if ('any' in where) return where.any.some(readsRows);
  if ('not' in where) return readsRows(where.not);
  return !INDEXED.has(where.field);
}
