// Which events go where.
import { sql, type Sql } from '../../../platform/db/index.ts';
import type { WebhookKind } from './contract.ts';

/** How the last attempt at a URL ended. */
export interface LastAttempt {
  at: string;
  /** Null: there was no answer. */
  code: number | null;
  message: string;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'webhooks.kind': WebhookKind;
    'webhookUrls.last': LastAttempt;
  }
}

/** One kind of event at one URL. */
export interface Subscribed {
  id: string;
  kind: WebhookKind;
  url: string;
  urlId: string;
  /** Null: of every domain. */
  domainId: string | null;
  webhookId: string | null;
  description: string;
  createdAt: Date;
}

const byAccount = (db: Sql, accountId: string) =>
  db
    .of(accountId)
    .selectFrom('webhooks')
    .innerJoin('webhookUrls', 'webhookUrls.id', 'webhooks.urlId')
    .select([
      'webhooks.id',
      'webhooks.kind',
      'webhookUrls.url',
      'webhooks.urlId',
      'webhooks.domainId',
      'webhooks.webhookId',
      'webhooks.description',
      'webhooks.createdAt',
    ])
    .orderBy('webhooks.id');

/** Of one domain, in the order in which they were added. */
export function listOfDomain(db: Sql, accountId: string, domainId: string): Promise<Subscribed[]> {
  return byAccount(db, accountId).where('webhooks.domainId', '=', domainId).execute();
}

/** Of the account itself. */
export function listOfAccount(db: Sql, accountId: string): Promise<Subscribed[]> {
  return byAccount(db, accountId).where('webhooks.domainId', 'is', null).execute();
}

/** What the follower needs: everything, with the names of domains. */
export async function listTargets(db: Sql, accountId: string) {
  return db
    .of(accountId)
    .selectFrom('webhooks')
    .innerJoin('webhookUrls', 'webhookUrls.id', 'webhooks.urlId')
    .leftJoin('sendingDomains', 'sendingDomains.id', 'webhooks.domainId')
    .select([
      'webhooks.kind',
      'webhooks.urlId',
      'webhooks.createdAt',
      'webhookUrls.enabledAt',
      'sendingDomains.name as domain',
    ])
    .where('webhookUrls.disabledAt', 'is', null)
    .execute();
}

export async function hasWebhooks(db: Sql, accountId: string): Promise<boolean> {
  return (await db.of(accountId).selectFrom('webhooks').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The id of a URL of the account. Whoever adds a webhook to one that was disabled enables it again. */
export async function keepUrl(
  tx: Sql,
  accountId: string,
  row: { url: string; host: string; baseUrl: string; createdAt: Date },
): Promise<string> {
  const { id } = await tx
    .of(accountId)
    .insert('webhookUrls', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'url']).doUpdateSet({ baseUrl: row.baseUrl }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await enableDisabled(tx, accountId, { id, now: row.createdAt });
  return id;
}

/** The id of a URL that was tried: it need not be in a webhook, and stands as it stood. */
export async function keepTestedUrl(
  tx: Sql,
  accountId: string,
  row: { url: string; host: string; baseUrl: string; createdAt: Date },
): Promise<string> {
  const { id } = await tx
    .of(accountId)
    .insert('webhookUrls', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'url']).doUpdateSet({ url: row.url }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface NewWebhooks {
  kinds: readonly WebhookKind[];
  urlId: string;
  domainId: string | null;
  webhookId: string | null;
  description: string;
  createdAt: Date;
}

export async function insertWebhooks(tx: Sql, accountId: string, { kinds, ...shared }: NewWebhooks): Promise<void> {
  if (kinds.length === 0) return;
  await tx
    .of(accountId)
    .insert(
      'webhooks',
      kinds.map((kind) => ({ ...shared, kind })),
    )
    .execute();
}

export async function deleteWebhooks(tx: Sql, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.of(accountId).deleteFrom('webhooks').where('id', 'in', ids).execute();
}

export async function describeWebhook(
  tx: Sql,
  accountId: string,
  { webhookId, description }: { webhookId: string; description: string },
): Promise<void> {
  await tx.of(accountId).updateTable('webhooks').set({ description }).where('webhookId', '=', webhookId).execute();
}

/** What waits for a URL that no webhook names any more is not sent. An attempt under way ends first. */
export async function cancelUnused(tx: Sql, accountId: string): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('webhookDeliveries')
    .set({ state: 'canceled' })
    .where('state', '=', 'waiting')
    .where('takenBy', 'is', null)
    .where('isTest', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookDeliveries.urlId')),
      ),
    )
    .execute();
}

/** Reading begins now, where the account had no webhooks until now. */
export async function beginReading(tx: Sql, accountId: string, now: Date): Promise<void> {
  const row = { at: now, eventId: '0', checkedAt: now, dueAt: now };
  await tx
    .of(accountId)
    .insert('webhookCursors', row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

/** The URLs of an account, with how they answered last. */
export async function listUrls(db: Sql, accountId: string) {
  return db
    .of(accountId)
    .selectFrom('webhookUrls')
    .selectAll('webhookUrls')
    .select(({ selectFrom }) =>
      selectFrom('webhookDeliveries')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('webhookDeliveries.urlId', '=', 'webhookUrls.id')
        .where('webhookDeliveries.state', '=', 'waiting')
        .as('waiting'),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id')),
    )
    .orderBy('webhookUrls.id')
    .execute();
}

/** Nothing of the time in which it was disabled is sent. */
async function enableDisabled(tx: Sql, accountId: string, { id, now }: { id: string; now: Date }): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('webhookUrls')
    .set({ failures: 0, gone: 0, disabledAt: null, enabledAt: now })
    .where('id', '=', id)
    .where('disabledAt', 'is not', null)
    .execute();
}

/** The URL is asked again at once, as if it had never failed. */
export async function enableUrl(tx: Sql, accountId: string, { id, now }: { id: string; now: Date }): Promise<void> {
  await enableDisabled(tx, accountId, { id, now });
  await tx
    .of(accountId)
    .updateTable('webhookUrls')
    .set({ failures: 0, gone: 0, pausedAt: null, probeAt: null })
    .where('id', '=', id)
    .execute();
}
