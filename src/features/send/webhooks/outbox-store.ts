// Events on their way to URLs: what waits, who took it, and how it ended.
import { changedRows, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import type { WebhookKind } from './contract.ts';

/** How a URL stands. */
export interface Standing {
  failures: number;
  gone: number;
  pausedAt: Date | null;
  probeAt: Date | null;
  disabledAt: Date | null;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'webhookDeliveries.kind': WebhookKind;
    'webhookDeliveries.attempts': Attempt[];
  }
}

export type WebhookDelivery = Row<'webhookDeliveries'>;

/** Writes deliveries; those that are there already are passed over. Answers how many are new. */
export function insertDeliveries(
  tx: Sql,
  accountId: string,
  rows: readonly Omit<NewRow<'webhookDeliveries'>, 'accountId'>[],
): Promise<number> {
  return changedRows(
    tx
      .of(accountId)
      .insert('webhookDeliveries', rows)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** URLs of all accounts with deliveries that are due. */
export function listReady(db: Sql, now: Date) {
  return db.ofAnyone
    .selectFrom('webhookUrls')
    .select(['id as urlId', 'accountId', 'url', 'host', 'baseUrl', 'failures', 'pausedAt'])
    .where('disabledAt', 'is', null)
    .where((row) => row.or([row('pausedAt', 'is', null), row('probeAt', '<=', now)]))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id')),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhookDeliveries')
          .select('webhookDeliveries.id')
          .whereRef('webhookDeliveries.urlId', '=', 'webhookUrls.id')
          .where('webhookDeliveries.state', '=', 'waiting')
          .where('webhookDeliveries.takenBy', 'is', null)
          .where('webhookDeliveries.dueAt', '<=', now),
      ),
    )
    .execute();
}

export type ReadyUrl = Awaited<ReturnType<typeof listReady>>[number];

/** Of several processes, one asks a paused URL. Answers whether it is this one. */
export async function takeProbe(
  db: Sql,
  { accountId, urlId }: ReadyUrl,
  { now, next }: { now: Date; next: Date },
): Promise<boolean> {
  const taken = db
    .of(accountId)
    .updateTable('webhookUrls')
    .set({ probeAt: next })
    .where('id', '=', urlId)
    .where('probeAt', '<=', now);
  return (await changedRows(taken)) > 0;
}

interface Claiming {
  worker: string;
  now: Date;
  takenUntil: Date;
  limit: number;
}

/**
 * Takes deliveries of a URL, those that wait longest first. They are chosen before anything is changed: inside the
 * condition of the update, the choice might be made again for each row, and more be taken than was asked for.
 */
export function claim(
  db: Sql,
  { accountId, urlId }: ReadyUrl,
  { worker, now, takenUntil, limit }: Claiming,
): Promise<WebhookDelivery[]> {
  return db.ofAnyone
    .with('chosen', (from) =>
      from
        .selectFrom('webhookDeliveries')
        .select('webhookDeliveries.id')
        .where('accountId', '=', accountId)
        .where('urlId', '=', urlId)
        .where('state', '=', 'waiting')
        .where('takenBy', 'is', null)
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .orderBy('webhookDeliveries.id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('webhookDeliveries')
    .from('chosen')
    .set({ takenBy: worker, takenUntil })
    .whereRef('webhookDeliveries.id', '=', 'chosen.id')
    .returningAll('webhookDeliveries')
    .execute();
}

/** Deliveries whose process did not say in time how they ended wait again. */
export async function releaseLost(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone
    .updateTable('webhookDeliveries')
    .set({ takenBy: null, takenUntil: null })
    .where('takenBy', 'is not', null)
    .where('takenUntil', '<', now)
    .execute();
}

/** Those that a process still holds are held longer. */
export async function renewClaims(db: Sql, worker: string, takenUntil: Date): Promise<void> {
  await db.ofAnyone.updateTable('webhookDeliveries').set({ takenUntil }).where('takenBy', '=', worker).execute();
}

/** Gives back what a process holds: these deliveries, or all. */
export async function releaseClaims(db: Sql, worker: string, ids?: readonly string[]): Promise<void> {
  const held = db.ofAnyone
    .updateTable('webhookDeliveries')
    .set({ takenBy: null, takenUntil: null })
    .where('takenBy', '=', worker);
  await (ids ? held.where('id', 'in', ids) : held).execute();
}

/** Writes how an attempt ended, unless the delivery was taken from this process meanwhile. */
export async function settleDelivery(
  tx: Sql,
  worker: string,
  { id, ...row }: Pick<WebhookDelivery, 'id' | 'state' | 'attempts'> & { dueAt?: Date },
): Promise<boolean> {
  const settled = tx.ofAnyone
    .updateTable('webhookDeliveries')
    .set({ ...row, takenBy: null, takenUntil: null })
    .where('id', '=', id)
    .where('takenBy', '=', worker);
  return (await changedRows(settled)) > 0;
}

/** How a URL stands, and whether a webhook names it; held until the transaction has ended. */
export function lockUrl(tx: Sql, accountId: string, urlId: string) {
  return tx
    .of(accountId)
    .selectFrom('webhookUrls')
    .select(['failures', 'gone', 'pausedAt', 'probeAt', 'disabledAt'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id')).as(
        'isNamed',
      ),
    )
    .where('id', '=', urlId)
    .forUpdate()
    .executeTakeFirst();
}

export async function saveStanding(
  tx: Sql,
  accountId: string,
  { urlId, standing, last, succeededAt }: { urlId: string; standing: Standing; last: Attempt; succeededAt?: Date },
): Promise<void> {
  const { at, code, message } = last;
  await tx
    .of(accountId)
    .updateTable('webhookUrls')
    .set({ ...standing, last: { at, code, message }, ...(succeededAt && { succeededAt }) })
    .where('id', '=', urlId)
    .execute();
}

/** What waits for a URL that was disabled is not sent. An attempt under way ends first: its end is written. */
export async function cancelWaiting(tx: Sql, accountId: string, urlId: string): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('webhookDeliveries')
    .set({ state: 'canceled' })
    .where('urlId', '=', urlId)
    .where('state', '=', 'waiting')
    .where('takenBy', 'is', null)
    .execute();
}

/** The same for what a process held that died before it could write the end. */
export async function cancelLeft(db: Sql): Promise<void> {
  await db.ofAnyone
    .updateTable('webhookDeliveries')
    .set({ state: 'canceled' })
    .where('state', '=', 'waiting')
    .where('takenBy', 'is', null)
    .where('urlId', 'in', (from) =>
      from
        .selectFrom('webhookUrls')
        .select('webhookUrls.id')
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('disabledAt', 'is not', null),
            not(exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id'))),
          ]),
        ),
    )
    .execute();
}
