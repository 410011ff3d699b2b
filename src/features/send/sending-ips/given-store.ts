import { changedRows, sql, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { SendingIp } from './store.ts';

/** Single addresses of an account, and subaccounts of it that are not closed. */
interface Giving {
  parentId: string;
  /** Undefined: all of them. */
  subaccountIds: readonly string[] | undefined;
  ips: readonly string[];
}

const receivers = (tx: Sql, { parentId, subaccountIds }: Pick<Giving, 'parentId' | 'subaccountIds'>) =>
  tx.ofAnyone
    .selectFrom('accounts')
    .where('accounts.parentId', '=', parentId)
    .where('accounts.status', '!=', 'closed')
    .$if(subaccountIds !== undefined, (all) => all.where('accounts.id', 'in', [...(subaccountIds ?? []), '']));

/** Which of these subaccounts there are. */
export async function listReceivers(tx: Sql, given: Pick<Giving, 'parentId' | 'subaccountIds'>): Promise<string[]> {
  const found = await receivers(tx, given).select('accounts.id').execute();
  return found.map(({ id }) => id);
}

/** Those of the addresses that are the account's own; shared ones may be among them. */
export function listOwnIps(tx: Sql, accountId: string, ips: readonly string[]): Promise<SendingIp[]> {
  return tx
    .of(accountId)
    .selectFrom('sendingIps')
    .selectAll()
    .where('ip', 'in', [...ips, ''])
    .execute();
}

/** The subaccounts send from the addresses, too. */
export async function giveIps(tx: Sql, { at, ...giving }: Giving & { at: Date }): Promise<void> {
  if (giving.ips.length === 0) return;
  const rows = receivers(tx, giving)
    .innerJoin('sendingIps', (join) => join.onTrue())
    .where('sendingIps.accountId', '=', giving.parentId)
    .where('sendingIps.ip', 'in', giving.ips)
    .select(['accounts.id as accountId', 'sendingIps.ip', sql<Date>`${at}::timestamptz`.as('linkedAt')]);
  await tx.ofAnyone
    .insertInto('subaccountIps')
    .columns(['accountId', 'ip', 'linkedAt'])
    .expression(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The subaccounts no longer send from the addresses. Answers how many of both had each other. */
export function takeIpsBack(tx: Sql, { ips, ...giving }: Giving): Promise<number> {
  return changedRows(
    tx.ofAnyone
      .deleteFrom('subaccountIps')
      .where('ip', 'in', [...ips, ''])
      .where('accountId', 'in', receivers(tx, giving).select('accounts.id')),
  );
}

/** A domain of one of these subaccounts that has one of these addresses by itself. */
export function findUse(
  tx: Sql,
  { ips, ...giving }: Giving,
): Promise<{ ip: string; name: string; accountId: string } | undefined> {
  return tx.ofAnyone
    .selectFrom('domainIps')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'domainIps.domainId')
    .select(['domainIps.ip', 'sendingDomains.name', 'sendingDomains.accountId'])
    .where('domainIps.ip', 'in', [...ips, ''])
    .where('domainIps.accountId', 'in', receivers(tx, giving).select('accounts.id'))
    .orderBy('sendingDomains.name')
    .limit(1)
    .executeTakeFirst();
}

/** The first of these addresses that some subaccount has. */
export async function findGiven(tx: Sql, ips: readonly string[]): Promise<string | undefined> {
  const found = await tx.ofAnyone
    .selectFrom('subaccountIps')
    .select('ip')
    .where('ip', 'in', [...ips, ''])
    .orderBy('ip')
    .limit(1)
    .executeTakeFirst();
  return found?.ip;
}

/** What an account gave to its subaccounts, by the address. */
export function pageOfGiven(
  db: Sql,
  parentId: string,
  { ip, subaccountId, ...page }: SkipPage & { ip: string | undefined; subaccountId: string | undefined },
): Promise<Paged<{ ip: string; subaccountId: string }>> {
  const matching = db.ofAnyone
    .selectFrom('subaccountIps')
    .innerJoin('accounts', 'accounts.id', 'subaccountIps.accountId')
    .select(['subaccountIps.ip', 'subaccountIps.accountId as subaccountId'])
    .where('accounts.parentId', '=', parentId)
    .where('accounts.status', '!=', 'closed')
    .$if(ip !== undefined, (all) => all.where('subaccountIps.ip', '=', ip as string))
    .$if(subaccountId !== undefined, (all) => all.where('subaccountIps.accountId', '=', subaccountId as string));
  return readSkipPage(matching.orderBy('subaccountIps.ip').orderBy('subaccountIps.accountId'), page);
}

/** The addresses of its parent that a subaccount sends from. */
export async function listGivenTo(db: Sql, accountId: string): Promise<string[]> {
  const found = await db.of(accountId).selectFrom('subaccountIps').select('ip').orderBy('ip').execute();
  return found.map(({ ip }) => ip);
}
