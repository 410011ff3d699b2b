import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export type Credential = Row<'smtpCredentials'>;

/** Names a login of an account's domain. */
export type LoginOf = Pick<Credential, 'accountId' | 'domainId' | 'login'>;

/** False when the domain has the login already. */
export async function insertCredential(db: Sql, { accountId, ...credential }: Credential): Promise<boolean> {
  const inserted = db
    .of(accountId)
    .insert('smtpCredentials', credential)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

export function listCredentials(
  db: Sql,
  { accountId, domainId }: Omit<LoginOf, 'login'>,
  page: SkipPage,
): Promise<Paged<Pick<Credential, 'login' | 'createdAt'>>> {
  const ordered = db.of(accountId).selectFrom('smtpCredentials').where('domainId', '=', domainId).orderBy('login');
  return readSkipPage(ordered.select(['login', 'createdAt']), page);
}

/** Of all domains of the account. */
export async function countCredentials(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('smtpCredentials')
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export function findCredential(db: Sql, { accountId, domainId, login }: LoginOf): Promise<Credential | undefined> {
  return db
    .of(accountId)
    .selectFrom('smtpCredentials')
    .selectAll()
    .where('domainId', '=', domainId)
    .where('login', '=', login)
    .executeTakeFirst();
}

export async function savePassword(
  db: Sql,
  { accountId, domainId, login }: LoginOf,
  change: Pick<Credential, 'passwordHash' | 'updatedAt'>,
): Promise<boolean> {
  const updated = db
    .of(accountId)
    .updateTable('smtpCredentials')
    .set(change)
    .where('domainId', '=', domainId)
    .where('login', '=', login);
  return (await changedRows(updated)) > 0;
}

/** Deletes one, or all of the domain; those of the system stay. Answers how many. */
export function deleteCredentials(
  db: Sql,
  { accountId, domainId, login }: Omit<LoginOf, 'login'> & { login?: string },
): Promise<number> {
  return changedRows(
    db
      .of(accountId)
      .deleteFrom('smtpCredentials')
      .where('domainId', '=', domainId)
      .where('isSystem', '=', false)
      .$if(login !== undefined, (all) => all.where('login', '=', login!)),
  );
}

/** Credentials that somebody logs in with, and the domain they are for. */
export interface Candidate extends LoginOf {
  passwordHash: string;
  domain: string;
}

/**
 * Those of this login in any account: a name that nobody verified may stand in several. The account that verified it
 * comes first.
 */
export function listCandidates(db: Sql, login: string, limit: number): Promise<Candidate[]> {
  return db.ofAnyone
    .selectFrom('smtpCredentials')
    .innerJoin('sendingDomains', 'sendingDomains.id', 'smtpCredentials.domainId')
    .select(['smtpCredentials.accountId', 'smtpCredentials.domainId', 'login', 'passwordHash', 'name as domain'])
    .where('login', '=', login)
    .where('state', '<>', 'disabled')
    .orderBy((row) => row.case().when('state', '=', 'active').then(0).else(1).end())
    .orderBy('smtpCredentials.createdAt')
    .orderBy('smtpCredentials.domainId')
    .limit(limit)
    .execute();
}
