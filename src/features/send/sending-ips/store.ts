import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export type SendingIp = Row<'sendingIps'>;

interface Bound {
  accountId: string;
  ips: readonly Pick<SendingIp, 'ip' | 'hostName' | 'isShared'>[];
  boundUntil: Date;
  now: Date;
}

/** Notes the addresses that a process can send from; what is known of them already stays. */
export async function putBound(db: Sql, { accountId, ips, boundUntil, now }: Bound): Promise<void> {
  if (ips.length === 0) return;
  await db.ofAnyone
    .insertInto('sendingIps')
    .values(ips.map((one) => ({ ...one, accountId, boundUntil, createdAt: now })))
    .onConflict((conflict) =>
      conflict.column('ip').doUpdateSet((row) => ({
        hostName: row.ref('excluded.hostName'),
        isShared: row.ref('excluded.isShared'),
        boundUntil: row.ref('excluded.boundUntil'),
      })),
    )
    .execute();
}

/** What reverse DNS said. */
export type ReverseDns = Pick<SendingIp, 'rdns' | 'rdnsState' | 'rdnsFault'>;

export async function saveReverseDns(
  db: Sql,
  { ip, checkedAt, ...said }: ReverseDns & { ip: string; checkedAt: Date },
): Promise<void> {
  await db.ofAnyone
    .updateTable('sendingIps')
    .set({ ...said, checkedAt })
    .where('ip', '=', ip)
    .execute();
}

/** All there are, of any account: which address a delivery leaves from is decided among them. */
export function listAllIps(db: Sql): Promise<SendingIp[]> {
  return db.ofAnyone.selectFrom('sendingIps').selectAll().orderBy('ip').execute();
}

/** Those that an account sends from by itself: its own, those that its parent gave to it, and the shared ones. */
const usableBy = (db: Sql, accountId: string) =>
  db.ofAnyone
    .selectFrom('sendingIps')
    .where((row) =>
      row.or([
        row('accountId', '=', accountId),
        row('isShared', '=', true),
        row('ip', 'in', db.of(accountId).selectFrom('subaccountIps').select('ip')),
      ]),
    );

interface IpFilter extends SkipPage {
  isDedicated: boolean | undefined;
  /** A running process can send from them at that time, or none can. */
  isEnabled: boolean | undefined;
  now: Date;
}

export function listIps(
  db: Sql,
  accountId: string,
  { isDedicated, isEnabled, now, ...page }: IpFilter,
): Promise<Paged<SendingIp>> {
  const matching = usableBy(db, accountId)
    .$if(isDedicated !== undefined, (all) => all.where('isShared', '=', !isDedicated))
    .$if(isEnabled !== undefined, (all) => all.where('boundUntil', isEnabled ? '>' : '<=', now));
  return readSkipPage(matching.selectAll().orderBy('ip'), page);
}

export function findIp(db: Sql, accountId: string, ip: string): Promise<SendingIp | undefined> {
  return usableBy(db, accountId).selectAll().where('ip', '=', ip).executeTakeFirst();
}

/** The addresses of pools, by the pool. */
export async function listMembers(db: Sql, poolIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = await db.ofAnyone
    .selectFrom('sendingIps')
    .select(['ip', 'poolId'])
    .where('poolId', 'in', [...poolIds, ''])
    .orderBy('ip')
    .execute();
  return new Map(
    [...Map.groupBy(found, ({ poolId }) => poolId as string)].map(([id, ips]) => [id, ips.map((one) => one.ip)]),
  );
}

/** Puts addresses of an account's own into a pool, or takes them out of theirs. Answers how many. */
export function putIntoPool(
  tx: Sql,
  accountId: string,
  { ips, poolId }: { ips: readonly string[]; poolId: string | null },
): Promise<number> {
  return changedRows(
    tx
      .of(accountId)
      .updateTable('sendingIps')
      .set({ poolId })
      .where('ip', 'in', [...ips, '']),
  );
}
