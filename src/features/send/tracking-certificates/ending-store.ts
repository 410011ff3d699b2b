import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

type EndingCertificate = Row<'endingCertificates'>;
type Named = Pick<EndingCertificate, 'accountId' | 'host'>;

/** The one of which somebody was told that it ends soon; undefined where none does. */
export function findEndingCertificate(
  db: Sql,
  accountId: string,
  host: string,
): Promise<EndingCertificate | undefined> {
  return db.of(accountId).selectFrom('endingCertificates').selectAll().where('host', '=', host).executeTakeFirst();
}

/** Of any account, by account and host. `after`: behind this one. */
export function listEnding(db: Sql, after: Named | undefined, limit: number): Promise<EndingCertificate[]> {
  const all = db.ofAnyone.selectFrom('endingCertificates').selectAll().orderBy('accountId').orderBy('host');
  const rest = after
    ? all.where(sql<boolean>`(account_id, host) > (${after.accountId}::text, ${after.host}::text)`)
    : all;
  return rest.limit(limit).execute();
}

/** Of the active domains of any account that have these hosts now: those that end soon, by domain. */
export function listEndingOfAuthorities(
  db: Sql,
  { at, after }: { at: Date; after: string },
  limit: number,
): Promise<(EndingCertificate & { domainId: string })[]> {
  return db.ofAnyone
    .selectFrom('trackingCertificates')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'trackingCertificates.domainId')
    .select([
      'trackingCertificates.accountId',
      'trackingCertificates.domainId',
      'host',
      'sendingDomains.name as domain',
      sql<Date>`valid_to`.as('validTo'),
    ])
    .where('endsSoonAt', '<=', at)
    .where('sendingDomains.state', '=', 'active')
    .where('host', '=', sql<string>`sending_domains.settings ->> 'webPrefix' || '.' || sending_domains.name`)
    .where('trackingCertificates.domainId', '>', after)
    .orderBy('trackingCertificates.domainId')
    .limit(limit)
    .execute();
}

/** Answers whether it is new. */
export async function saveEnding(tx: Sql, { accountId, ...row }: EndingCertificate): Promise<boolean> {
  const saved = await tx
    .of(accountId)
    .insert('endingCertificates', row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('host')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Answers whether it was there. */
export async function deleteEnding(tx: Sql, { accountId, host }: Named): Promise<boolean> {
  const gone = tx.of(accountId).deleteFrom('endingCertificates').where('host', '=', host).returning('host');
  return (await gone.executeTakeFirst()) !== undefined;
}
