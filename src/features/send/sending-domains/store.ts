import { sql, type Sql } from '../../../platform/db/index.ts';

type DomainState = 'active' | 'unverified' | 'disabled';
export type RecordPurpose = 'spf' | 'dkim' | 'dmarc' | 'mx';

export interface DomainSettings {
  wildcard: boolean;
  spamAction: 'disabled' | 'block' | 'tag';
  webScheme: 'http' | 'https';
  webPrefix: string;
  requireTls: boolean;
  skipVerification: boolean;
}

export interface RecordToPublish {
  purpose: RecordPurpose;
  type: 'TXT' | 'MX';
  name: string;
  value: string;
  /** Of MX records. */
  priority: number | null;
  /** False for what is only advised. */
  isNeeded: boolean;
}

/** What DNS said: the records found, or that it could not be asked. */
export interface RecordCheck {
  valid: 'valid' | 'invalid' | 'unknown';
  found: string[];
}

export interface SendingDomain {
  id: string;
  accountId: string;
  name: string;
  type: 'custom' | 'sandbox';
  state: DomainState;
  settings: DomainSettings;
  checks: Partial<Record<RecordPurpose, RecordCheck>>;
  createdAt: Date;
  updatedAt: Date;
  verifiedAt: Date | null;
}

export interface StoredKey {
  domainId: string;
  selector: string;
  /** Sealed. */
  privateKey: string;
  /** The TXT record to publish. */
  record: string;
  isActive: boolean;
  createdAt: Date;
}

const COLUMNS = sql.raw(`
  id, account_id as "accountId", name, type, state, settings, checks, created_at as "createdAt",
  updated_at as "updatedAt", verified_at as "verifiedAt"
`);

/** False when the account has it already. */
export async function insertDomain(db: Sql, domain: SendingDomain): Promise<boolean> {
  const { id, accountId, name, type, state, settings, checks, createdAt, updatedAt, verifiedAt } = domain;
  return (
    (await db.run(sql`
      insert into sending_domains (
        id, account_id, name, type, state, settings, checks, created_at, updated_at, verified_at
      )
      values (
        ${id}, ${accountId}, ${name}, ${type}, ${state}, ${JSON.stringify(settings)}, ${JSON.stringify(checks)},
        ${createdAt}, ${updatedAt}, ${verifiedAt}
      )
      on conflict do nothing
    `)) > 0
  );
}

export async function insertKey(db: Sql, key: StoredKey): Promise<void> {
  await db.run(sql`
    insert into dkim_keys (domain_id, selector, private_key, record, is_active, created_at)
    values (${key.domainId}, ${key.selector}, ${key.privateKey}, ${key.record}, ${key.isActive}, ${key.createdAt})
  `);
}

export function findDomain(db: Sql, accountId: string, name: string): Promise<SendingDomain | undefined> {
  return db.first(
    sql<SendingDomain>`select ${COLUMNS} from sending_domains where account_id = ${accountId} and name = ${name}`,
  );
}

export function listKeys(db: Sql, domainId: string): Promise<StoredKey[]> {
  return db.rows(sql<StoredKey>`
    select domain_id as "domainId", selector, private_key as "privateKey", record, is_active as "isActive",
      created_at as "createdAt"
    from dkim_keys
    where domain_id = ${domainId}
    order by created_at, selector
  `);
}

interface DomainFilter {
  state: DomainState | undefined;
  /** Part of the name. */
  search: string | undefined;
  order: 'newest' | 'name' | 'name desc';
  limit: number;
  skip: number;
}

const ORDERS = { newest: sql.raw('created_at desc, id'), name: sql.raw('name'), 'name desc': sql.raw('name desc') };

export async function listDomains(
  db: Sql,
  accountId: string,
  { state, search, order, limit, skip }: DomainFilter,
): Promise<{ total: number; domains: SendingDomain[] }> {
  const where = sql`
    account_id = ${accountId}
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (${search ?? null}::text is null or position(${search ?? null}::text in name) > 0)
  `;
  const counted = await db.first(
    sql<{ total: number }>`select count(*)::int as total from sending_domains where ${where}`,
  );
  const domains = await db.rows(sql<SendingDomain>`
    select ${COLUMNS}
    from sending_domains
    where ${where}
    order by ${ORDERS[order]}
    limit ${limit} offset ${skip}
  `);
  return { total: counted?.total ?? 0, domains };
}

/** What DNS said of a domain. `state`: what follows from that; null when nothing does. */
interface Verification {
  state: 'active' | 'unverified' | null;
  checks: SendingDomain['checks'];
  at: Date;
}

/** Undefined: it is gone. Inside a transaction, after {@link takeName} when the state becomes `active`. */
export function saveVerification(
  tx: Sql,
  domain: Pick<SendingDomain, 'id' | 'accountId'>,
  { state, checks, at }: Verification,
): Promise<SendingDomain | undefined> {
  return tx.first(sql<SendingDomain>`
    update sending_domains
    set state = coalesce(${state}, state), checks = ${JSON.stringify(checks)}, updated_at = ${at},
      verified_at = ${state === 'active' ? sql`coalesce(verified_at, ${at})` : sql`verified_at`}
    where id = ${domain.id} and account_id = ${domain.accountId}
    returning ${COLUMNS}
  `);
}

/**
 * Makes room for the account that verified the name: of every other account it is unverified from now on. Those who
 * verify at once follow each other.
 */
export async function takeName(tx: Sql, domain: Pick<SendingDomain, 'accountId' | 'name'>, at: Date): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext(${`sending domain ${domain.name}`}))`);
  await tx.run(sql`
    update sending_domains
    set state = 'unverified', updated_at = ${at}
    where name = ${domain.name} and account_id <> ${domain.accountId} and state = 'active'
  `);
}

export async function deleteDomain(db: Sql, accountId: string, name: string): Promise<boolean> {
  return (await db.run(sql`delete from sending_domains where account_id = ${accountId} and name = ${name}`)) > 0;
}
