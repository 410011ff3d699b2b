import { sql, type Sql } from '../../platform/db/index.ts';

export type DomainState = 'active' | 'unverified' | 'disabled';
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

const COLUMNS = sql.raw('id, account_id as "accountId", name, type, state, settings, checks, created_at as "createdAt", updated_at as "updatedAt", verified_at as "verifiedAt"');

/** False when the name is taken. */
export async function insertDomain(db: Sql, domain: SendingDomain): Promise<boolean> {
  const { id, accountId, name, type, state, settings, checks, createdAt, updatedAt, verifiedAt } = domain;
  return (await db.run(sql`insert into sending_domains (id, account_id, name, type, state, settings, checks, created_at, updated_at, verified_at)
    values (${id}, ${accountId}, ${name}, ${type}, ${state}, ${JSON.stringify(settings)}, ${JSON.stringify(checks)}, ${createdAt}, ${updatedAt}, ${verifiedAt}) on conflict (name) do nothing`)) > 0;
}

export async function insertKey(db: Sql, key: StoredKey): Promise<void> {
  await db.run(sql`insert into dkim_keys (domain_id, selector, private_key, record, is_active, created_at)
    values (${key.domainId}, ${key.selector}, ${key.privateKey}, ${key.record}, ${key.isActive}, ${key.createdAt})`);
}

export function findDomain(db: Sql, accountId: string, name: string): Promise<SendingDomain | undefined> {
  return db.first(sql<SendingDomain>`select ${COLUMNS} from sending_domains where account_id = ${accountId} and name = ${name}`);
}

export function listKeys(db: Sql, domainId: string): Promise<StoredKey[]> {
  return db.rows(sql<StoredKey>`select domain_id as "domainId", selector, private_key as "privateKey", record, is_active as "isActive", created_at as "createdAt" from dkim_keys where domain_id = ${domainId} order by created_at, selector`);
}

export interface DomainFilter {
  state: DomainState | undefined;
  /** Part of the name. */
  search: string | undefined;
  order: 'newest' | 'name' | 'name desc';
  limit: number;
  skip: number;
}

const ORDERS = { newest: sql.raw('created_at desc, id'), name: sql.raw('name'), 'name desc': sql.raw('name desc') };

export async function listDomains(db: Sql, accountId: string, { state, search, order, limit, skip }: DomainFilter): Promise<{ total: number; domains: SendingDomain[] }> {
  const where = sql`account_id = ${accountId} and (${state ?? null}::text is null or state = ${state ?? null}) and (${search ?? null}::text is null or position(${search ?? null}::text in name) > 0)`;
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from sending_domains where ${where}`);
  const domains = await db.rows(sql<SendingDomain>`select ${COLUMNS} from sending_domains where ${where} order by ${ORDERS[order]} limit ${limit} offset ${skip}`);
  return { total: counted?.total ?? 0, domains };
}

export async function updateChecks(db: Sql, domain: Pick<SendingDomain, 'id' | 'accountId' | 'state' | 'checks' | 'updatedAt' | 'verifiedAt'>): Promise<void> {
  await db.run(sql`update sending_domains set state = ${domain.state}, checks = ${JSON.stringify(domain.checks)}, updated_at = ${domain.updatedAt}, verified_at = ${domain.verifiedAt} where id = ${domain.id} and account_id = ${domain.accountId}`);
}

export async function deleteDomain(db: Sql, accountId: string, name: string): Promise<boolean> {
  return (await db.run(sql`delete from sending_domains where account_id = ${accountId} and name = ${name}`)) > 0;
}
