import { sql, type Sql } from '../../../platform/db/index.ts';

export interface SeedMailbox {
  id: string;
  accountId: string;
  email: string;
  provider: string;
  displayName: string;
  category: 'b2c' | 'b2b';
  region: string;
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  userName: string;
  sealedCredentials: string;
  verifyCertificate: boolean;
  isEnabled: boolean;
  status: 'untested' | 'working' | 'failing';
  statusMessage: string | null;
  checkedAt: Date | null;
  /** When a login with the present address, server and credentials worked last. Null: mail is not sent to it. */
  loggedInAt: Date | null;
  /** When a message was found in it that was sent to its present address. */
  receivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql.raw(`
  id, account_id as "accountId", email, provider, display_name as "displayName", category, region, host, port, security,
  user_name as "userName", sealed_credentials as "sealedCredentials", verify_certificate as "verifyCertificate",
  is_enabled as "isEnabled", status, status_message as "statusMessage", checked_at as "checkedAt",
  logged_in_at as "loggedInAt", received_at as "receivedAt", created_at as "createdAt", updated_at as "updatedAt"
`);

/** False: the account has a mailbox with this address. */
export async function insertMailbox(db: Sql, made: SeedMailbox): Promise<boolean> {
  return (
    (await db.run(sql`
      insert into seed_mailboxes (
        id, account_id, email, provider, display_name, category, region, host, port, security, user_name,
        sealed_credentials, verify_certificate, is_enabled, status, created_at, updated_at
      )
      values (
        ${made.id}, ${made.accountId}, ${made.email}, ${made.provider}, ${made.displayName}, ${made.category},
        ${made.region}, ${made.host}, ${made.port}, ${made.security}, ${made.userName}, ${made.sealedCredentials},
        ${made.verifyCertificate}, ${made.isEnabled}, ${made.status}, ${made.createdAt}, ${made.updatedAt}
      )
      on conflict do nothing
    `)) > 0
  );
}

export function findMailbox(db: Sql, accountId: string, id: string): Promise<SeedMailbox | undefined> {
  return db.first(
    sql<SeedMailbox>`select ${COLUMNS} from seed_mailboxes where id = ${id} and account_id = ${accountId}`,
  );
}

/** For jobs: the account is not asked. */
export function findMailboxOfAnyone(db: Sql, id: string): Promise<SeedMailbox | undefined> {
  return db.first(sql<SeedMailbox>`select ${COLUMNS} from seed_mailboxes where id = ${id}`);
}

export function listMailboxes(db: Sql, accountId: string): Promise<SeedMailbox[]> {
  return db.rows(
    sql<SeedMailbox>`select ${COLUMNS} from seed_mailboxes where account_id = ${accountId} order by provider, email`,
  );
}

/** Undefined: there is no such mailbox. Null: another one has that address. */
export async function updateMailbox(db: Sql, box: SeedMailbox): Promise<SeedMailbox | undefined | null> {
  const taken = await db.first(sql`
    select 1 as found
    from seed_mailboxes
    where account_id = ${box.accountId} and lower(email) = lower(${box.email}) and id <> ${box.id}
  `);
  if (taken) return null;
  return db.first(sql<SeedMailbox>`
    update seed_mailboxes
    set email = ${box.email}, provider = ${box.provider}, display_name = ${box.displayName}, category = ${box.category},
      region = ${box.region}, host = ${box.host}, port = ${box.port}, security = ${box.security},
      user_name = ${box.userName}, sealed_credentials = ${box.sealedCredentials},
      verify_certificate = ${box.verifyCertificate}, is_enabled = ${box.isEnabled}, status = ${box.status},
      status_message = ${box.statusMessage}, logged_in_at = ${box.loggedInAt}, received_at = ${box.receivedAt},
      updated_at = ${box.updatedAt}
    where id = ${box.id} and account_id = ${box.accountId}
    returning ${COLUMNS}
  `);
}

export async function deleteMailbox(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from seed_mailboxes where id = ${id} and account_id = ${accountId}`)) > 0;
}

/** Says how a login went; nothing is noted of a mailbox that was changed meanwhile. */
export async function noteCheck(
  db: Sql,
  box: Pick<SeedMailbox, 'id' | 'updatedAt'>,
  check: { status: 'working' | 'failing'; message: string | null; at: Date },
): Promise<void> {
  await db.run(sql`
    update seed_mailboxes
    set status = ${check.status}, status_message = ${check.message}, checked_at = ${check.at},
      logged_in_at = ${check.status === 'working' ? check.at : sql`logged_in_at`}
    where id = ${box.id} and updated_at = ${box.updatedAt}
  `);
}

/** A message was found in it: its address is its own. */
export async function noteReceived(db: Sql, box: Pick<SeedMailbox, 'id' | 'updatedAt'>, at: Date): Promise<void> {
  await db.run(
    sql`update seed_mailboxes set received_at = ${at} where id = ${box.id} and updated_at = ${box.updatedAt}`,
  );
}

/** Null: nobody else visits the mailbox until then, or until `endVisit`. Otherwise when the other's time is over. */
export async function beginVisit(db: Sql, id: string, { at, until }: { at: Date; until: Date }): Promise<Date | null> {
  const isMine =
    (await db.run(sql`
      update seed_mailboxes
      set visiting_until = ${until}
      where id = ${id} and (visiting_until is null or visiting_until <= ${at})
    `)) > 0;
  if (isMine) return null;
  return (
    (await db.first(sql<{ until: Date | null }>`select visiting_until as until from seed_mailboxes where id = ${id}`))
      ?.until ?? null
  );
}

export async function endVisit(db: Sql, id: string): Promise<void> {
  await db.run(sql`update seed_mailboxes set visiting_until = null where id = ${id}`);
}
