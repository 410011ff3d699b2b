// The log of deliveries, as it is read back, replayed and deleted.
import { rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPlace, type Place } from '../../../platform/paging/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import type { WebhookKind } from './contract.ts';

export interface LogFilter {
  url?: string | undefined;
  kind?: WebhookKind | undefined;
  state?: Row<'webhookDeliveries'>['state'] | undefined;
  begin?: Date | undefined;
  end?: Date | undefined;
}

const COLUMNS = [
  'webhookDeliveries.id',
  'webhookUrls.url',
  'webhookDeliveries.urlId',
  'webhookDeliveries.kind',
  'webhookDeliveries.domain',
  'webhookDeliveries.eventAt',
  'webhookDeliveries.eventId',
  'webhookDeliveries.state',
  'webhookDeliveries.isTest',
  'webhookDeliveries.replayOf',
  'webhookDeliveries.createdAt',
  'webhookDeliveries.dueAt',
  'webhookDeliveries.attempts',
] as const;

function matching(db: Sql, accountId: string, { url, kind, state, begin, end }: LogFilter) {
  let rows = db
    .of(accountId)
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookUrls', 'webhookUrls.id', 'webhookDeliveries.urlId')
    .select(COLUMNS);
  if (url !== undefined) rows = rows.where('webhookUrls.url', '=', url);
  if (kind !== undefined) rows = rows.where('webhookDeliveries.kind', '=', kind);
  if (state !== undefined) rows = rows.where('webhookDeliveries.state', '=', state);
  if (begin !== undefined) rows = rows.where('webhookDeliveries.createdAt', '>=', begin);
  if (end !== undefined) rows = rows.where('webhookDeliveries.createdAt', '<', end);
  return rows;
}

/** A page, newest first. */
export function listDeliveries(
  db: Sql,
  accountId: string,
  { filter, place, limit }: { filter: LogFilter; place: Place; limit: number },
) {
  const order = { columns: ['webhookDeliveries.id' as string as 'id'], isAscending: false };
  return readPlace(matching(db, accountId, filter), order, { ...place, limit });
}

export type LoggedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];

export function findDelivery(db: Sql, accountId: string, id: string): Promise<LoggedDelivery | undefined> {
  return matching(db, accountId, {}).where('webhookDeliveries.id', '=', id).executeTakeFirst();
}

/** How events were posted: the host of each URL, and how often it was tried. Tests and replays are left out. */
export async function listPosts(db: Sql, accountId: string, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  const urls = await db.of(accountId).selectFrom('webhookUrls').select('id').execute();
  if (urls.length === 0) return [];
  // By URL and event, as the index has them.
  return db
    .of(accountId)
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookUrls', 'webhookUrls.id', 'webhookDeliveries.urlId')
    .select(['webhookDeliveries.eventId', 'webhookUrls.host', 'webhookDeliveries.state', 'webhookDeliveries.attempts'])
    .where(sql<boolean>`webhook_deliveries.url_id = any(${urls.map(({ id }) => id)}::bigint[])`)
    .where(sql<boolean>`webhook_deliveries.event_id = any(${[...eventIds]}::bigint[])`)
    .where('webhookDeliveries.replayOf', 'is', null)
    .where('webhookDeliveries.isTest', '=', false)
    .orderBy('webhookDeliveries.id')
    .execute();
}

/** Deliveries that a replay of a stretch repeats: those of URLs that are in use, which were not repeated before. */
function repeatable(db: Sql, accountId: string, filter: LogFilter) {
  return matching(db, accountId, filter)
    .where('webhookDeliveries.state', '<>', 'waiting')
    .where('webhookDeliveries.isTest', '=', false)
    .where('webhookUrls.disabledAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id')),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhookDeliveries as again')
            .select('again.id')
            .whereRef('again.replayOf', '=', 'webhookDeliveries.id'),
        ),
      ),
    );
}

/** The oldest of them. */
export function listRepeatable(db: Sql, accountId: string, { filter, limit }: { filter: LogFilter; limit: number }) {
  return repeatable(db, accountId, filter).orderBy('webhookDeliveries.id').limit(limit).execute();
}

export async function countRepeatable(db: Sql, accountId: string, filter: LogFilter): Promise<number> {
  const { count } = await repeatable(db, accountId, filter)
    .clearSelect()
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Queues deliveries again. Answers their ids. */
export async function insertReplays(
  tx: Sql,
  accountId: string,
  { deliveries, now }: { deliveries: readonly LoggedDelivery[]; now: Date },
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map(({ id, urlId, kind, domain, eventAt, eventId }) => ({
    urlId,
    kind,
    domain,
    eventAt,
    eventId,
    replayOf: id,
    state: 'waiting' as const,
    createdAt: now,
    dueAt: now,
    attempts: [],
  }));
  const inserted = await tx.of(accountId).insert('webhookDeliveries', rows).returning('id').execute();
  return inserted.map(({ id }) => id);
}

/** A test that has been made. */
export async function insertTest(
  tx: Sql,
  accountId: string,
  test: { urlId: string; kind: WebhookKind; domain: string; isTaken: boolean; attempt: Attempt; now: Date },
): Promise<void> {
  const { urlId, kind, domain, isTaken, attempt, now } = test;
  await tx
    .of(accountId)
    .insert('webhookDeliveries', {
      urlId,
      kind,
      domain,
      eventAt: now,
      eventId: '0',
      isTest: true,
      state: isTaken ? 'delivered' : 'failed',
      createdAt: now,
      dueAt: now,
      attempts: [attempt],
    })
    .execute();
}

/** Deletes what is older, and counts at its URL what of it was never delivered. Answers how many rows went. */
export async function deleteOld(tx: Sql, before: Date, limit: number): Promise<number> {
  const deleted = await tx.ofAnyone
    .deleteFrom('webhookDeliveries')
    .where('id', 'in', (from) =>
      from
        .selectFrom('webhookDeliveries')
        .select('webhookDeliveries.id')
        .where('createdAt', '<', before)
        .orderBy('createdAt')
        .limit(limit),
    )
    .returning(['urlId', 'state'])
    .execute();
  const waiting = Map.groupBy(
    deleted.filter(({ state }) => state === 'waiting'),
    ({ urlId }) => urlId,
  );
  for (const [urlId, { length }] of waiting)
    await tx.ofAnyone
      .updateTable('webhookUrls')
      .set((row) => ({ dropped: row('dropped', '+', length) }))
      .where('id', '=', urlId)
      .execute();
  return deleted.length;
}

/** URLs that no webhook and no delivery names. */
export async function deleteUnusedUrls(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone
    .deleteFrom('webhookUrls')
    .where('createdAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('webhooks').select('webhooks.id').whereRef('webhooks.urlId', '=', 'webhookUrls.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhookDeliveries')
            .select(sql<number>`1`.as('one'))
            .whereRef('webhookDeliveries.urlId', '=', 'webhookUrls.id'),
        ),
      ),
    )
    .execute();
}
