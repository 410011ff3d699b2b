import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

export type TrackingCertificate = Row<'trackingCertificates'>;
type Place = Pick<TrackingCertificate, 'accountId' | 'domainId' | 'host'>;
type Change = Partial<Omit<TrackingCertificate, keyof Place | 'createdAt'>>;

export function findCertificate(
  db: Sql,
  { accountId, domainId, host }: Place,
): Promise<TrackingCertificate | undefined> {
  return db
    .of(accountId)
    .selectFrom('trackingCertificates')
    .selectAll()
    .where('domainId', '=', domainId)
    .where('host', '=', host)
    .executeTakeFirst();
}

/** Keeps that somebody asks, beside what there is. */
export async function saveAsked(db: Sql, { accountId, domainId, host }: Place, at: Date): Promise<void> {
  const asked = { askedAt: at, tryAt: at, failures: 0, error: null };
  await db
    .of(accountId)
    .insert('trackingCertificates', {
      domainId,
      host,
      chain: null,
      sealedKey: null,
      validFrom: null,
      validTo: null,
      endsSoonAt: null,
      createdAt: at,
      ...asked,
    })
    .onConflict((conflict) => conflict.columns(['domainId', 'host']).doUpdateSet(asked))
    .execute();
}

export async function changeCertificate(db: Sql, { accountId, domainId, host }: Place, change: Change): Promise<void> {
  await db
    .of(accountId)
    .updateTable('trackingCertificates')
    .set(change)
    .where('domainId', '=', domainId)
    .where('host', '=', host)
    .execute();
}

/** Of the active domain of any account that has the host: readers name the host alone. */
export function findServed(
  db: Sql,
  host: string,
  at: Date,
): Promise<Pick<TrackingCertificate, 'chain' | 'sealedKey'> | undefined> {
  return db.ofAnyone
    .selectFrom('trackingCertificates')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'trackingCertificates.domainId')
    .select(['chain', 'sealedKey'])
    .where('host', '=', host)
    .where('validTo', '>', at)
    .where('sendingDomains.state', '=', 'active')
    .executeTakeFirst();
}

/** Those of any account that somebody has to try now, the longest due first. */
export function listDue(db: Sql, at: Date, limit: number): Promise<Place[]> {
  return db.ofAnyone
    .selectFrom('trackingCertificates')
    .select(['accountId', 'domainId', 'host'])
    .where('tryAt', '<=', at)
    .orderBy('tryAt')
    .limit(limit)
    .execute();
}

/** How many orders there were since then: of a host, of an account, of all. */
export async function countOrders(
  tx: Sql,
  { accountId, host }: Pick<Place, 'accountId' | 'host'>,
  since: Date,
): Promise<{ ofHost: number; ofAccount: number; ofAll: number }> {
  const counted = await tx.ofAnyone
    .selectFrom('certificateOrders')
    .select([
      sql<number>`count(*) filter (where host = ${host})::int`.as('ofHost'),
      sql<number>`count(*) filter (where account_id = ${accountId})::int`.as('ofAccount'),
      sql<number>`count(*)::int`.as('ofAll'),
    ])
    .where('orderedAt', '>', since)
    .executeTakeFirstOrThrow();
  return counted;
}

export async function addOrder(tx: Sql, { accountId, ...order }: Row<'certificateOrders'>): Promise<void> {
  await tx.of(accountId).insert('certificateOrders', order).execute();
}

export async function addChallenge(db: Sql, { accountId, ...challenge }: Row<'certificateChallenges'>): Promise<void> {
  await db
    .of(accountId)
    .insert('certificateChallenges', challenge)
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ until: challenge.until }))
    .execute();
}

/** What answers an authority, which names the token alone. */
export async function findAnswer(db: Sql, token: string, at: Date): Promise<string | undefined> {
  const known = db.ofAnyone.selectFrom('certificateChallenges').select('answer').where('token', '=', token);
  return (await known.where('until', '>', at).executeTakeFirst())?.answer;
}

/** Deletes what is no longer counted, answered or used. */
export async function deleteOld(db: Sql, { now, before }: Record<'now' | 'before', Date>): Promise<void> {
  await db.ofAnyone.deleteFrom('certificateChallenges').where('until', '<=', now).execute();
  await db.ofAnyone.deleteFrom('certificateOrders').where('orderedAt', '<=', before).execute();
  const ended = db.ofAnyone.deleteFrom('trackingCertificates').where('tryAt', 'is', null);
  await ended.where('validTo', '<=', before).execute();
}

/** Of the account at an authority; of two that are made at once, the first stands. */
export async function takeAuthorityKey(
  db: Sql,
  directoryUrl: string,
  { make, at }: { make: () => string; at: Date },
): Promise<string> {
  const find = () =>
    db.ofAnyone
      .selectFrom('certificateAuthorities')
      .select('sealedKey')
      .where('directoryUrl', '=', directoryUrl)
      .executeTakeFirst();
  const found = await find();
  if (found) return found.sealedKey;
  await db.ofAnyone
    .insertInto('certificateAuthorities')
    .values({ directoryUrl, sealedKey: make(), createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await find())!.sealedKey;
}
