import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

type DomainState = Row<'sendingDomains'>['state'];
export type RecordPurpose = 'spf' | 'dkim' | 'dmarc' | 'tracking' | 'return_path' | 'mx';

export interface DomainSettings {
  wildcard: boolean;
  spamAction: 'disabled' | 'block' | 'tag';
  webScheme: 'http' | 'https';
  webPrefix: string;
  requireTls: boolean;
  skipVerification: boolean;
  /** An address on the web to which copies of its messages go. */
  archiveTo?: string | null;
  /** Seconds that an incoming message is kept; the default of the group's documents where it is not said. */
  messageTtl?: number;
  /** The host of its return paths, below its name; null: the installation's. */
  mailfromHost?: string | null;
  /** What comes in is encrypted where it is kept. */
  isEncrypted?: boolean;
  /** Its keys are published in the operator's zone. */
  isAutomatic?: boolean;
  /** Its messages stay here although the service delivers. */
  isCaptured?: boolean;
}

export interface RecordToPublish {
  purpose: RecordPurpose;
  type: 'TXT' | 'CNAME' | 'MX';
  name: string;
  value: string;
  /** Of MX records. */
  priority: number | null;
  /** False for what is only advised. */
  isNeeded: boolean;
  /** Of a key: what DNS said of its own record. */
  check?: RecordCheck | null;
}

/** What DNS said: the records found, or that it could not be asked. */
/** From the weakest to the strongest. */
export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
type DmarcPolicy = (typeof DMARC_POLICIES)[number];

export interface RecordCheck {
  valid: 'valid' | 'invalid' | 'unknown';
  found: string[];
  /** `seen`: it was as it should be when DNS answered last; `lost`: it was once, and is no longer. */
  standing?: 'seen' | 'lost' | undefined;
  /** Of a host that may get another name: the one that was asked for. */
  name?: string | undefined;
  /** Of DMARC. */
  policy?: DmarcPolicy | undefined;
  /** The stronger policy that was there before; its loss stands until it is back, or the domain is verified. */
  policyBefore?: DmarcPolicy | undefined;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sendingDomains.settings': DomainSettings;
    'sendingDomains.checks': Partial<Record<RecordPurpose, RecordCheck>>;
  }
}

export type SendingDomain = Row<'sendingDomains'>;

/** False when the account has it already. */
export async function insertDomain(db: Sql, domain: SendingDomain): Promise<boolean> {
  const inserted = db.ofAnyone
    .insertInto('sendingDomains')
    .values(domain)
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(inserted)) > 0;
}

/** The account that verified a domain; none when nobody here did. */
export async function findOwner(db: Sql, name: string): Promise<string | undefined> {
  const owner = db.ofAnyone.selectFrom('sendingDomains').select('accountId');
  const found = await owner.where('name', '=', name).where('state', '=', 'active').executeTakeFirst();
  return found?.accountId;
}

export function findDomain(db: Sql, accountId: string, name: string): Promise<SendingDomain | undefined> {
  return db.of(accountId).selectFrom('sendingDomains').selectAll().where('name', '=', name).executeTakeFirst();
}

export function findDomainById(db: Sql, accountId: string, id: string): Promise<SendingDomain | undefined> {
  return db.of(accountId).selectFrom('sendingDomains').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Of any account: for what names the domain by a token that was made here. */
export function findAnyDomain(
  db: Sql,
  id: string,
): Promise<Pick<SendingDomain, 'accountId' | 'name' | 'state'> | undefined> {
  const domain = db.ofAnyone.selectFrom('sendingDomains').select(['accountId', 'name', 'state']);
  return domain.where('id', '=', id).executeTakeFirst();
}

/** The active domain of any account by its name: one at most. */
export function findActiveDomain(db: Sql, name: string): Promise<SendingDomain | undefined> {
  const active = db.ofAnyone.selectFrom('sendingDomains').selectAll().where('state', '=', 'active');
  return active.where('name', '=', name).executeTakeFirst();
}

/** Of several accounts that have a domain of this name, not disabled, the one that had it first. */
export function findOldestDomain(db: Sql, name: string): Promise<SendingDomain | undefined> {
  const all = db.ofAnyone.selectFrom('sendingDomains').selectAll().where('name', '=', name);
  return all.where('state', '<>', 'disabled').orderBy('createdAt').orderBy('id').limit(1).executeTakeFirst();
}

/** Which of these names are domains of the account, whatever their state. */
export async function listOwned(db: Sql, accountId: string, names: readonly string[]): Promise<string[]> {
  const owned = db
    .of(accountId)
    .selectFrom('sendingDomains')
    .select('name')
    .where('name', 'in', [...names, '']);
  return (await owned.execute()).map(({ name }) => name);
}

interface DomainFilter extends SkipPage {
  state: DomainState | undefined;
  /** Part of the name. */
  search: string | undefined;
  order: 'newest' | 'name' | 'name desc';
  /** The name of the domain whose keys sign. */
  authority?: string | undefined;
}

/** The domains of these accounts. */
export function listDomains(
  db: Sql,
  accountIds: readonly string[],
  { state, search, order, authority, ...page }: DomainFilter,
): Promise<Paged<SendingDomain>> {
  const named = db.ofAnyone
    .selectFrom('sendingDomains as authorities')
    .select('authorities.id')
    .where('authorities.accountId', 'in', [...accountIds, ''])
    .where('authorities.name', '=', authority ?? '');
  const matching = db.ofAnyone
    .selectFrom('sendingDomains')
    .where('accountId', 'in', [...accountIds, ''])
    .$if(authority !== undefined, (all) =>
      all.where((row) =>
        row.or([
          row('authorityId', 'in', named),
          row.and([row('authorityId', 'is', null), row('name', '=', authority ?? '')]),
        ]),
      ),
    )
    .$if(state !== undefined, (all) => all.where('state', '=', state!))
    .$if(search !== undefined, (all) => all.where(sql<boolean>`position(${search} in ${sql.ref('name')}) > 0`));
  const ordered =
    order === 'newest'
      ? matching.orderBy('createdAt', 'desc').orderBy('id')
      : matching.orderBy('name', order === 'name' ? 'asc' : 'desc').orderBy('id');
  return readSkipPage(ordered.selectAll(), page);
}

/** What DNS said of a domain. `state`: what follows from that; null when nothing does. */
interface Verification {
  state: 'active' | 'unverified' | null;
  checks: SendingDomain['checks'];
  at: Date;
}

/** Domains of any account that were verified once and that DNS was not asked for since then, the longest ago first. */
export function listUnchecked(
  db: Sql,
  since: Date,
  limit: number,
): Promise<Pick<SendingDomain, 'accountId' | 'name'>[]> {
  return db.ofAnyone
    .selectFrom('sendingDomains')
    .select(['accountId', 'name'])
    .where('verifiedAt', 'is not', null)
    .where('type', '=', 'custom')
    .where('state', '<>', 'disabled')
    .where('checkedAt', '<=', since)
    .orderBy('checkedAt')
    .limit(limit)
    .execute();
}

/** Domains of any account that nobody has verified yet and that are due to be looked for, the longest due first. */
export function listDueFirstChecks(
  db: Sql,
  at: Date,
  limit: number,
): Promise<Pick<SendingDomain, 'accountId' | 'name'>[]> {
  const due = db.ofAnyone.selectFrom('sendingDomains').select(['accountId', 'name']).where('checkAt', '<=', at);
  return due.orderBy('checkAt').limit(limit).execute();
}

/** Says when somebody looks next; null: nobody does. */
export async function changeCheckAt(
  db: Sql,
  { id, accountId }: Pick<SendingDomain, 'id' | 'accountId'>,
  checkAt: Date | null,
): Promise<void> {
  await db.of(accountId).updateTable('sendingDomains').set({ checkAt }).where('id', '=', id).execute();
}

/** Undefined: it is gone. Inside a transaction, after {@link takeName} when the state becomes `active`. */
export function saveVerification(
  tx: Sql,
  domain: Pick<SendingDomain, 'id' | 'accountId'>,
  { state, checks, at }: Verification,
): Promise<SendingDomain | undefined> {
  return tx
    .of(domain.accountId)
    .updateTable('sendingDomains')
    .set((row) => ({
      checks,
      updatedAt: at,
      checkedAt: at,
      ...(state !== null && { state }),
      ...(state === 'active' && { verifiedAt: row.fn.coalesce('verifiedAt', row.val(at)), checkAt: null }),
    }))
    .where('id', '=', domain.id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Makes room for the account that verified the name: of every other account it is unverified from now on. Those who
 * verify at once follow each other.
 */
export async function takeName(tx: Sql, domain: Pick<SendingDomain, 'accountId' | 'name'>, at: Date): Promise<void> {
  await tx.lock(`sending domain ${domain.name}`);
  await tx.ofAnyone
    .updateTable('sendingDomains')
    .set({ state: 'unverified', updatedAt: at })
    .where('name', '=', domain.name)
    .where('accountId', '<>', domain.accountId)
    .where('state', '=', 'active')
    .execute();
}

/** Changes those settings that are given and leaves the others, whoever changes them at the same moment. */
export function changeSettings(
  db: Sql,
  { id, accountId }: Pick<SendingDomain, 'id' | 'accountId'>,
  { change, at }: { change: Partial<DomainSettings>; at: Date },
): Promise<SendingDomain | undefined> {
  const settings = sql<DomainSettings>`settings || ${JSON.stringify(change)}::jsonb`;
  const domain = db.of(accountId).updateTable('sendingDomains').set({ settings, updatedAt: at }).where('id', '=', id);
  return domain.returningAll().executeTakeFirst();
}

/** Answers what was deleted. */
export function deleteDomain(tx: Sql, accountId: string, name: string): Promise<SendingDomain | undefined> {
  return tx.of(accountId).deleteFrom('sendingDomains').where('name', '=', name).returningAll().executeTakeFirst();
}
