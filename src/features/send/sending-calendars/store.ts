// The calendars of domains.
import type { Row, Sql } from '../../../platform/db/index.ts';
import type { CALENDAR_MODES } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'domainCalendars.mode': (typeof CALENDAR_MODES)[number];
  }
}

type CalendarRow = Row<'domainCalendars'>;
export type Calendar = Pick<CalendarRow, 'mode' | 'timeZone' | 'weekdays' | 'quietFrom' | 'quietUntil'>;

const SETTINGS = ['mode', 'timeZone', 'weekdays', 'quietFrom', 'quietUntil'] as const;

export function findCalendar(db: Sql, accountId: string, domain: string): Promise<Calendar | undefined> {
  return db
    .of(accountId)
    .selectFrom('domainCalendars')
    .select(SETTINGS)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Those that are on, of any account. */
export function listCalendars(
  db: Sql,
  domains: readonly string[],
): Promise<(Calendar & Pick<CalendarRow, 'accountId' | 'domain'>)[]> {
  if (domains.length === 0) return Promise.resolve([]);
  return db.ofAnyone
    .selectFrom('domainCalendars')
    .select([...SETTINGS, 'accountId', 'domain'])
    .where('domain', 'in', [...domains])
    .where('mode', '=', 'on')
    .execute();
}

export async function saveCalendar(db: Sql, accountId: string, row: Omit<CalendarRow, 'accountId'>): Promise<void> {
  await db
    .of(accountId)
    .insert('domainCalendars', row)
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet(row))
    .execute();
}
