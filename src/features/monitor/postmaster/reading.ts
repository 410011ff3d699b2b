// Records as they are asked for: by domain or address, and by days.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { canonicalIp } from './addresses.ts';
import { findCompliance } from './compliance-store.ts';
import type { SNDS_FIELDS } from './contract.ts';
import { dateOf, dayAfter, dayOf, daysOfRange } from './days.ts';
import { domainIn } from './sheet.ts';
import * as store from './store.ts';
import { addressView, complianceView, domainView, loopView, sndsView } from './record-views.ts';

type Doors = Pick<Context, 'db' | 'principal'>;

export interface Asked {
  limit: number;
  offset: number;
  timeRangeStart?: number;
  timeRangeEnd?: number;
}

const partOf = ({ limit, offset, timeRangeStart, timeRangeEnd }: Asked) => ({
  page: { limit, skip: offset },
  days: daysOfRange(timeRangeStart, timeRangeEnd),
});

/** A name of a path in its one spelling. Throws `not_found` for a domain of which there is nothing. */
async function knownDomain({ db, principal }: Doors, text: string): Promise<string> {
  const domain = domainIn(text);
  if (domain === undefined || !(await store.knowsDomain(db, principal.accountId, domain)))
    throw new AppError('not_found', `There is no postmaster data of ${text.slice(0, 255)}.`);
  return domain;
}

export async function listDomainRecords({ db, principal }: Doors, asked: Asked, domain?: string) {
  const { accountId } = principal;
  const wanted = { ...partOf(asked), provider: 'google' as const, ...(domain !== undefined && { domain }) };
  const { items, total } = await store.listDays(db, accountId, wanted);
  const days = items.map(({ day }) => day).sort();
  const parts = await store.partsOf(db, accountId, {
    domains: [...new Set(items.map((item) => item.domain))],
    days: { from: days[0] ?? '', to: days.at(-1) ?? '' },
  });
  return { data: items.map((item) => domainView(item, parts)), total };
}

export async function getDomainRecords(doors: Doors, text: string, asked: Asked) {
  const domain = await knownDomain(doors, text);
  return { domain, ...(await listDomainRecords(doors, asked, domain)) };
}

async function listAddresses({ db, principal }: Doors, asked: Asked, of: { domain?: string; address?: string } = {}) {
  const { items, total } = await store.listAddresses(db, principal.accountId, { ...partOf(asked), ...of });
  return { data: items.map(addressView), total };
}

export const listAddressRecords = (doors: Doors, asked: Asked) => listAddresses(doors, asked);

export async function listAddressesOfDomain(doors: Doors, text: string, asked: Asked) {
  const domain = await knownDomain(doors, text);
  return { domain, ...(await listAddresses(doors, asked, { domain })) };
}

/** Throws `not_found` for an address of which there is nothing. */
export async function getAddressRecords(doors: Doors, text: string, asked: Asked) {
  const address = canonicalIp(text);
  if (address === undefined || !(await store.knowsAddress(doors.db, doors.principal.accountId, address)))
    throw new AppError('not_found', `There is no postmaster data of ${text.slice(0, 45)}.`);
  return { address, ...(await listAddresses(doors, asked, { address })) };
}

export async function listLoops({ db, principal }: Doors, asked: Asked, domain?: string) {
  const wanted = { ...partOf(asked), ...(domain !== undefined && { domain }) };
  const { items, total } = await store.listLoops(db, principal.accountId, wanted);
  return { data: items.map(loopView), total };
}

export const getLoops = async (doors: Doors, text: string, asked: Asked) =>
  listLoops(doors, asked, await knownDomain(doors, text));

export async function listDomainNames({ db, principal }: Doors, asked: Asked) {
  const wanted = { ...partOf(asked), provider: 'google' as const };
  const { items, total } = await store.listDomainNames(db, principal.accountId, wanted);
  return { data: items.map(({ domain, day }) => ({ name: domain, date: dateOf(day) })), total };
}

export async function listAddressNames({ db, principal }: Doors, asked: Asked) {
  const { items, total } = await store.listAddressNames(db, principal.accountId, partOf(asked));
  return { data: items.map(({ address, day }) => ({ address, date: dateOf(day) })), total };
}

export interface AskedSummary extends Asked {
  sortBy: string;
  orderBy: 'asc' | 'desc';
  searchField?: string;
}

const orderOf = ({ sortBy, orderBy, searchField }: AskedSummary) => ({
  by: sortBy,
  order: orderBy,
  search: searchField?.trim() || undefined,
});

/** Means of domains, with the mean share of delivery errors beside. */
export async function summarizeDomains({ db, principal }: Doors, asked: AskedSummary) {
  const wanted = { ...partOf(asked), ...orderOf(asked) };
  const { items, total } = await store.summarizeDomains(db, principal.accountId, wanted);
  return {
    summary: items.map((item) => ({
      name: item.domain,
      user_reported_spam_ratio: item.spamRatio,
      spf_success_ratio: item.spfRatio,
      dkim_success_ratio: item.dkimRatio,
      dmarc_success_ratio: item.dmarcRatio,
      inbound_encryption_ratio: item.encryptionRatio,
      reputation: item.reputation,
    })),
    errors: items.map((item) => ({ name: item.domain, delivery_error_ratio: item.errorRatio })),
    total,
  };
}

export async function summarizeAddresses({ db, principal }: Doors, asked: AskedSummary) {
  const { accountId } = principal;
  const wanted = { ...partOf(asked), ...orderOf(asked) };
  const { items, total } = await store.summarizeAddresses(db, accountId, wanted);
  return {
    summary: items.map(({ domain, address, reputation }) => ({ domain_name: domain, address, reputation })),
    ip_counts: await store.countAddresses(db, accountId, wanted.days),
    total,
  };
}

interface AskedSnds {
  limit: number;
  skip: number;
  sortBy?: keyof typeof SNDS_FIELDS;
  orderBy?: 'asc' | 'desc';
  search?: string;
}

/** The last day of every address, or all days of one. Throws `not_found` for an address of which there is nothing. */
export async function listSnds({ db, principal }: Doors, asked: AskedSnds, text?: string) {
  const { accountId } = principal;
  const { limit, skip, sortBy: by = text === undefined ? 'ip_address' : 'date' } = asked;
  const order = asked.orderBy ?? (by === 'date' ? 'desc' : 'asc');
  const sorted = { page: { limit, skip }, by, order, search: asked.search?.trim() || undefined };
  const address = text === undefined ? undefined : (canonicalIp(text) ?? text);
  const { items, total } =
    address === undefined
      ? await store.listSnds(db, accountId, sorted)
      : await store.listSndsDays(db, accountId, { ...sorted, address });
  const counts = await store.countResults(db, accountId, address);
  if (address !== undefined && total === 0 && sorted.search === undefined)
    throw new AppError('not_found', `There is no SNDS data of ${address.slice(0, 45)}.`);
  const statuses = await store.listStatuses(db, accountId);
  return { summary: items.map((item) => sndsView(item, statuses)), ip_counts: counts, total };
}

/** Figures of a provider beside own ones. */
export async function listFigures(
  { db, principal, clock }: Doors & Pick<Context, 'clock'>,
  {
    provider,
    domain,
    days,
    limit,
    skip,
  }: {
    provider: store.Provider;
    domain?: string;
    days: number;
    limit: number;
    skip: number;
  },
) {
  const today = dayOf(clock.now());
  const { items, total } = await store.listDays(db, principal.accountId, {
    provider,
    days: { from: dayAfter(today, -days), to: today },
    page: { limit, skip },
    ...(domain !== undefined && { domain: domain.trim().toLowerCase() }),
  });
  const shown = items.map((item) => ({
    provider: item.provider,
    domain: item.domain,
    date: item.day,
    source: item.source,
    spam_ratio: item.spamRatio,
    spf_ratio: item.spfRatio,
    dkim_ratio: item.dkimRatio,
    dmarc_ratio: item.dmarcRatio,
    encryption_ratio: item.encryptionRatio,
    delivery_error_ratio: item.errorRatio,
    delivered: item.delivered,
    reputation: item.reputation,
    reputation_source: item.reputationSource,
    own: item.own && {
      sent: item.own.sent,
      delivered: item.own.delivered,
      refused: item.own.refused,
      deferred: item.own.deferred,
      complaints: item.own.complaints,
    },
  }));
  return { items: shown, total };
}

/** Whether a domain meets Google's requirements, as it said last; null for what is not known. */
export async function getCompliance({ db, principal }: Doors, text: string) {
  const domain = domainIn(text);
  if (domain === undefined) throw invalid('domain', 'is no domain.');
  const found = await findCompliance(db, principal.accountId, domain);
  return {
    domain,
    date: found?.day ?? null,
    organizational: complianceView(found?.status.organizational),
    subdomain: complianceView(found?.status.subdomain),
  };
}
