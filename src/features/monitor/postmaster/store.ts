// What providers said, by account: records are read here, and written by `records-store.ts`.
import { rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import { SNDS_FIELDS, SUMMARY_FIELDS, type SummaryField } from './contract.ts';

/** A kind of delivery error, and the share of messages that met it. */
export interface DeliveryError {
  errorClass: string;
  errorType: string;
  ratio: number;
}

/** Deliveries by how they ended, and what readers said of them. */
export interface OwnFigures {
  /** Taken or refused for good. */
  sent: number;
  delivered: number;
  /** For good. */
  refused: number;
  /** Tries that failed for now. */
  deferred: number;
  complaints: number;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'postmasterDays.errors': DeliveryError[];
    'postmasterDays.own': OwnFigures;
  }
}

export type Provider = Row<'postmasterDays'>['provider'];
export type DomainDay = Row<'postmasterDays'>;
export type AddressDay = Row<'postmasterAddresses'>;
export type SndsDay = Row<'sndsDays'>;
export type SndsStatus = Row<'sndsStatuses'>;

/** Days, `2026-11-22`; both ends belong to it. */
export interface Days {
  from: string;
  to: string;
}

const daysOf = (
  db: Sql,
  accountId: string,
  { provider, domain, days }: { provider: Provider; domain?: string; days: Days },
) => {
  const found = db
    .of(accountId)
    .selectFrom('postmasterDays')
    .where('provider', '=', provider)
    .where('day', '>=', days.from)
    .where('day', '<=', days.to);
  return domain === undefined ? found : found.where('domain', '=', domain);
};

/** Records of domains, the newest day first. */
export function listDays(
  db: Sql,
  accountId: string,
  { page, ...wanted }: { provider: Provider; domain?: string; days: Days; page: SkipPage },
): Promise<Paged<DomainDay>> {
  const rows = daysOf(db, accountId, wanted).selectAll('postmasterDays').orderBy('day', 'desc').orderBy('domain');
  return readSkipPage(rows, page);
}

/** Whether there is anything of the domain, whatever the day. */
export async function knowsDomain(db: Sql, accountId: string, domain: string): Promise<boolean> {
  for (const table of ['postmasterDays', 'postmasterAddresses', 'postmasterLoops'] as const) {
    const one = db.of(accountId).selectFrom(table).select('day').where('domain', '=', domain).limit(1);
    if (await one.executeTakeFirst()) return true;
  }
  return false;
}

export async function knowsAddress(db: Sql, accountId: string, address: string): Promise<boolean> {
  const one = db.of(accountId).selectFrom('postmasterAddresses').select('day').where('address', '=', address).limit(1);
  return (await one.executeTakeFirst()) !== undefined;
}

/** Feedback loops, the newest day first. */
export function listLoops(
  db: Sql,
  accountId: string,
  { page, domain, days }: { domain?: string; days: Days; page: SkipPage },
) {
  let rows = db
    .of(accountId)
    .selectFrom('postmasterLoops')
    .selectAll('postmasterLoops')
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .orderBy('day', 'desc')
    .orderBy('domain')
    .orderBy('loopId');
  if (domain !== undefined) rows = rows.where('domain', '=', domain);
  return readSkipPage(rows, page);
}

/** The loops and the addresses of these domains within these days, for the records that name them. */
export async function partsOf(db: Sql, accountId: string, { domains, days }: { domains: string[]; days: Days }) {
  if (domains.length === 0) return { loops: [], addresses: [] };
  const loops = db
    .of(accountId)
    .selectFrom('postmasterLoops')
    .select(['domain', 'day', 'loopId', 'ratio'])
    .where('domain', 'in', domains)
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .orderBy('loopId');
  const addresses = db
    .of(accountId)
    .selectFrom('postmasterAddresses')
    .select(['domain', 'day', 'reputation', rowCount.as('count')])
    .where('domain', 'in', domains)
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .groupBy(['domain', 'day', 'reputation'])
    .orderBy('reputation');
  return { loops: await loops.execute(), addresses: await addresses.execute() };
}

const addressesOf = (db: Sql, accountId: string, days: Days) =>
  db.of(accountId).selectFrom('postmasterAddresses').where('day', '>=', days.from).where('day', '<=', days.to);

/** Records of addresses, the newest day first. */
export function listAddresses(
  db: Sql,
  accountId: string,
  { page, days, domain, address }: { domain?: string; address?: string; days: Days; page: SkipPage },
): Promise<Paged<AddressDay>> {
  let rows = addressesOf(db, accountId, days)
    .selectAll('postmasterAddresses')
    .orderBy('day', 'desc')
    .orderBy('domain')
    .orderBy('address');
  if (domain !== undefined) rows = rows.where('domain', '=', domain);
  if (address !== undefined) rows = rows.where('address', '=', address);
  return readSkipPage(rows, page);
}

/** Domains with the last day of each. */
export function listDomainNames(
  db: Sql,
  accountId: string,
  { provider, days, page }: { provider: Provider; days: Days; page: SkipPage },
) {
  const rows = daysOf(db, accountId, { provider, days })
    .select(({ fn }) => ['domain', fn.max<string>('day').as('day')])
    .groupBy('domain')
    .orderBy('domain');
  return readSkipPage(rows, page, sql<number>`count(distinct domain)::int`);
}

/** Addresses with the last day of each. */
export function listAddressNames(db: Sql, accountId: string, { days, page }: { days: Days; page: SkipPage }) {
  const rows = addressesOf(db, accountId, days)
    .select(({ fn }) => ['address', fn.max<string>('day').as('day')])
    .groupBy('address')
    .orderBy('address');
  return readSkipPage(rows, page, sql<number>`count(distinct address)::int`);
}

interface Sorted {
  by: string;
  order: 'asc' | 'desc';
  search: string | undefined;
}

/** How `ilike` reads the text as it is. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
/** What is not known comes last, whichever way. */
const directed = (order: 'asc' | 'desc') => (order === 'asc' ? sql`asc nulls last` : sql`desc nulls last`);

/** The means of each domain. */
export function summarizeDomains(
  db: Sql,
  accountId: string,
  { days, page, by, order, search }: { days: Days; page: SkipPage } & Sorted,
) {
  let rows = daysOf(db, accountId, { provider: 'google', days })
    .select('domain')
    .select(({ fn }) => [
      fn.avg<number | null>('spamRatio').as('spamRatio'),
      fn.avg<number | null>('spfRatio').as('spfRatio'),
      fn.avg<number | null>('dkimRatio').as('dkimRatio'),
      fn.avg<number | null>('dmarcRatio').as('dmarcRatio'),
      fn.avg<number | null>('encryptionRatio').as('encryptionRatio'),
      fn.avg<number | null>('errorRatio').as('errorRatio'),
      // The mean of whole numbers is a decimal, which would arrive as a text.
      sql<number | null>`avg(reputation)::double precision`.as('reputation'),
    ])
    .groupBy('domain');
  if (search !== undefined) rows = rows.where('domain', 'ilike', containing(search));
  const column = SUMMARY_FIELDS[by as SummaryField];
  const value = column === 'domain' ? sql.ref('domain') : sql`avg(${sql.ref(column)})`;
  const ordered = rows.orderBy(sql`${value} ${directed(order)}`).orderBy('domain');
  return readSkipPage(ordered, page, sql<number>`count(distinct domain)::int`);
}

/** The means of each address, and how many addresses have which. */
export async function summarizeAddresses(
  db: Sql,
  accountId: string,
  { days, page, by, order, search }: { days: Days; page: SkipPage } & Sorted,
) {
  const mean = sql<number>`avg(reputation)::double precision`;
  let rows = addressesOf(db, accountId, days)
    .select(['domain', 'address', mean.as('reputation')])
    .groupBy(['domain', 'address']);
  if (search !== undefined) rows = rows.where('address', 'ilike', containing(search));
  const value = by === 'reputation' ? mean : sql.ref(by === 'domain_name' ? 'domain' : 'address');
  const ordered = rows
    .orderBy(sql`${value} ${directed(order)}`)
    .orderBy('address')
    .orderBy('domain');
  return readSkipPage(ordered, page, sql<number>`count(distinct (domain, address))::int`);
}

/** How many different addresses of a range of days were last seen with which reputation. */
export async function countAddresses(db: Sql, accountId: string, days: Days): Promise<Record<string, number>> {
  const last = addressesOf(db, accountId, days)
    .distinctOn(['domain', 'address'])
    .select(['domain', 'address', 'reputation'])
    .orderBy('domain')
    .orderBy('address')
    .orderBy('day', 'desc');
  const counts = await db.ofAnyone
    .selectFrom(last.as('last'))
    .select(['reputation', rowCount.as('count')])
    .groupBy('reputation')
    .execute();
  return Object.fromEntries(counts.map(({ reputation, count }) => [String(reputation), count]));
}

type SndsSort = { by: keyof typeof SNDS_FIELDS; order: 'asc' | 'desc'; search: string | undefined };

/** The last day of each address. */
export async function listSnds(
  db: Sql,
  accountId: string,
  { page, by, order, search }: { page: SkipPage } & SndsSort,
): Promise<Paged<SndsDay>> {
  const isLast = sql<boolean>`day = (
    select max(later.day) from snds_days later
    where later.account_id = snds_days.account_id and later.address = snds_days.address
  )`;
  let rows = db.of(accountId).selectFrom('sndsDays').selectAll('sndsDays').where(isLast);
  if (search !== undefined) rows = rows.where('address', 'ilike', containing(search));
  return readSkipPage(rows.orderBy(sql`${sql.ref(SNDS_FIELDS[by])} ${directed(order)}`).orderBy('address'), page);
}

/** The days of one address. */
export function listSndsDays(
  db: Sql,
  accountId: string,
  { address, page, by, order, search }: { address: string; page: SkipPage } & SndsSort,
): Promise<Paged<SndsDay>> {
  let rows = db.of(accountId).selectFrom('sndsDays').selectAll('sndsDays').where('address', '=', address);
  if (search !== undefined) rows = rows.where('day', 'ilike', containing(search));
  return readSkipPage(rows.orderBy(sql`${sql.ref(SNDS_FIELDS[by])} ${directed(order)}`).orderBy('day', 'desc'), page);
}

/** How many days, of one address or of the last day of each, have which result. */
export async function countResults(
  db: Sql,
  accountId: string,
  address: string | undefined,
): Promise<Record<string, number>> {
  let last = db.of(accountId).selectFrom('sndsDays').select(['address', 'filterResult', 'day']);
  last =
    address === undefined
      ? last.distinctOn('address').orderBy('address').orderBy('day', 'desc')
      : last.where('address', '=', address);
  const counts = await db.ofAnyone
    .selectFrom(last.as('last'))
    .select(['filterResult', rowCount.as('count')])
    .where('filterResult', 'is not', null)
    .groupBy('filterResult')
    .execute();
  return Object.fromEntries(counts.map(({ filterResult, count }) => [String(filterResult), count]));
}

const STATUSES_MAX = 5000;

/** Ranges that Microsoft named. */
export function listStatuses(db: Sql, accountId: string): Promise<SndsStatus[]> {
  return db.of(accountId).selectFrom('sndsStatuses').selectAll('sndsStatuses').limit(STATUSES_MAX).execute();
}
