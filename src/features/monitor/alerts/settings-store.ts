// Which events go to which channel, and what an account says for all of them.
import { sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { AlertEvent } from './contract.ts';

/** As it was given; which fields there are follows from the channel. */
export interface ChannelSettings {
  url?: string;
  emails?: string[];
  channel_ids?: string[];
  digest?: 'hourly' | 'daily';
}

export interface Disabled {
  /** RFC 3339. */
  disabledAt: string;
  reason: string;
}

/** A time in which nobody is woken, by the clocks of a time zone. */
export interface QuietHours {
  /** `22:00` */
  from: string;
  until: string;
  timeZone: string;
}

interface SlackTeam {
  id: string | null;
  name: string | null;
  /** What the app may do; only of an installed one. */
  scope?: string | null;
  /** The token came by installing the operator's app. */
  isInstalled?: boolean;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'alertSettings.eventType': AlertEvent;
    'alertSettings.settings': ChannelSettings;
    'alertSettings.disabledTargets': Record<string, Disabled>;
    'alertAccounts.quietHours': QuietHours | null;
    'alertAccounts.slackTeam': SlackTeam | null;
  }
}

export type AlertSetting = Row<'alertSettings'>;

/** The oldest first. */
export function listSettings(db: Sql, accountId: string, eventTypes?: readonly AlertEvent[]): Promise<AlertSetting[]> {
  const all = db.of(accountId).selectFrom('alertSettings').selectAll().orderBy('createdAt').orderBy('id');
  return (eventTypes ? all.where('eventType', 'in', eventTypes) : all).execute();
}

/** Whether anything goes anywhere when this happens. */
export async function isAskedFor(db: Sql, accountId: string, eventType: AlertEvent): Promise<boolean> {
  const one = db
    .of(accountId)
    .selectFrom('alertSettings')
    .select('id')
    .where('eventType', '=', eventType)
    .where('disabledAt', 'is', null)
    .limit(1);
  return (await one.executeTakeFirst()) !== undefined;
}

export function findSetting(db: Sql, accountId: string, id: string): Promise<AlertSetting | undefined> {
  return db.of(accountId).selectFrom('alertSettings').selectAll().where('id', '=', id).executeTakeFirst();
}

type Given = Pick<AlertSetting, 'eventType' | 'channel' | 'settings'>;

export async function insertSetting(db: Sql, accountId: string, row: Given & { id: string; now: Date }) {
  const { now, ...given } = row;
  await db
    .of(accountId)
    .insert('alertSettings', { ...given, createdAt: now, updatedAt: now })
    .execute();
}

/** Replaces a setting; what was disabled is enabled. Answers whether it is there. */
export async function putSetting(tx: Sql, accountId: string, { id, now, ...given }: Given & { id: string; now: Date }) {
  const put = await tx
    .of(accountId)
    .updateTable('alertSettings')
    .set({ ...given, disabledTargets: {}, disabledAt: null, updatedAt: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return put !== undefined;
}

/** Its deliveries go with it. Answers whether it was there. */
export async function deleteSetting(db: Sql, accountId: string, id: string): Promise<boolean> {
  const gone = await db.of(accountId).deleteFrom('alertSettings').where('id', '=', id).returning('id').execute();
  return gone.length > 0;
}

/** Nothing goes to a target any more; nothing at all when it was the last one. */
export async function disableTarget(
  tx: Sql,
  accountId: string,
  { id, target, now, reason, isLast }: { id: string; target: string; now: Date; reason: string; isLast: boolean },
): Promise<void> {
  const disabled = { [target]: { disabledAt: now.toISOString(), reason } };
  await tx
    .of(accountId)
    .updateTable('alertSettings')
    .set({
      disabledTargets: sql<Record<string, Disabled>>`disabled_targets || ${JSON.stringify(disabled)}::jsonb`,
      ...(isLast && { disabledAt: now }),
    })
    .where('id', '=', id)
    .execute();
}

export function findAccountSettings(db: Sql, accountId: string): Promise<Row<'alertAccounts'> | undefined> {
  return db.of(accountId).selectFrom('alertAccounts').selectAll().executeTakeFirst();
}

export async function saveAccountSettings(
  db: Sql,
  accountId: string,
  row: Partial<Pick<Row<'alertAccounts'>, 'quietHours' | 'slackToken' | 'slackTeam'>>,
): Promise<void> {
  await db
    .of(accountId)
    .insert('alertAccounts', row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

/** Counts a test alert; what began an hour ago counts no more. Answers how many there are, and since when. */
export async function countTest(
  db: Sql,
  accountId: string,
  { now, hourAgo }: { now: Date; hourAgo: Date },
): Promise<{ made: number; since: Date }> {
  const isOver = sql`alert_accounts.tests_since is null or alert_accounts.tests_since <= ${hourAgo}::timestamptz`;
  const { testsMade, testsSince } = await db
    .of(accountId)
    .insert('alertAccounts', { testsSince: now, testsMade: 1 })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({
        testsSince: sql<Date>`case when ${isOver} then ${now}::timestamptz else alert_accounts.tests_since end`,
        testsMade: sql<number>`case when ${isOver} then 1 else alert_accounts.tests_made + 1 end`,
      }),
    )
    .returning(['testsMade', 'testsSince'])
    .executeTakeFirstOrThrow();
  return { made: testsMade, since: testsSince ?? now };
}
