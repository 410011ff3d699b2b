// What the page of blocklists asks of the service.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { DAYS, DAY_MS, type Change } from './periods.ts';

export type Asset = Reply<'GET /v1/galley/blocklists/assets'>['items'][number];
export type Listing = Asset['listed'][number];
export type Blocklist = Reply<'GET /v1/galley/blocklists'>['items'][number];
type Domain = Reply<'GET /v1/optimize/domains'>['items'][number];

const key = 'blocklists';
const POLL_MS = 15_000;
/** What the page shows of each; it says so where there is more. */
export const ASSETS_MAX = 500;
const EVENTS_AT_ONCE = 50;
const PAGES_MAX = 6;

export const everything = { queryKey: [key] };

export const assetsQuery = queryOptions({
  queryKey: [key, 'assets'],
  queryFn: async ({ signal }): Promise<Asset[]> =>
    (await api.call('GET /v1/galley/blocklists/assets', { query: { limit: ASSETS_MAX } }, { signal })).items,
  refetchInterval: POLL_MS,
});

export const catalogQuery = queryOptions({
  queryKey: [key, 'catalog'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/blocklists', {}, { signal }),
});

/** Domains that wait for their TXT record. */
export const unverifiedQuery = queryOptions({
  queryKey: [key, 'unverified'],
  queryFn: async ({ signal }): Promise<Domain[]> =>
    (await api.call('GET /v1/optimize/domains', {}, { signal })).items.filter(({ verified }) => !verified.verified_at),
  refetchInterval: POLL_MS,
});

interface Page {
  changes: Change[];
  next: string;
}

/** Page by page, the newest first, until one is older than the month or there are as many as are shown. */
async function gather(read: (pivot: { page: 'next'; event_id: string } | undefined) => Promise<Page>, from: number) {
  const all: Change[] = [];
  let pivot: { page: 'next'; event_id: string } | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { changes, next } = await read(pivot);
    all.push(...changes.filter(({ at }) => at.getTime() >= from));
    if (changes.length < EVENTS_AT_ONCE || changes.some(({ at }) => at.getTime() < from))
      return { changes: all, isBound: false };
    pivot = { page: 'next', event_id: new URL(next).searchParams.get('event_id') ?? '' };
  }
  return { changes: all, isBound: true };
}

/** What came onto lists and off them in the last thirty days, the newest first. */
export const changesQuery = queryOptions({
  queryKey: [key, 'changes'],
  queryFn: async ({ signal }): Promise<{ changes: Change[]; isBound: boolean }> => {
    const from = Date.now() - DAYS * DAY_MS;
    const limit = EVENTS_AT_ONCE;
    const [ips, domains] = await Promise.all([
      gather(async (pivot) => {
        const { items, paging } = await api.call(
          'GET /v1/blocklist-monitoring/events',
          { query: { limit, ...pivot } },
          { signal },
        );
        const changes = items.map(({ ip, blocklist, name, event, timestamp }) => ({
          asset: ip,
          list: blocklist,
          name,
          isListed: event === 'ip_listed',
          at: new Date(timestamp),
        }));
        return { changes, next: paging.next };
      }, from),
      gather(async (pivot) => {
        const { events, paging } = await api.call(
          'GET /v1/monitoring/domains/events',
          { query: { limit, ...pivot } },
          { signal },
        );
        const changes = events.map(({ domain, list, name, event, timestamp }) => ({
          asset: domain,
          list,
          name,
          isListed: event === 'domain_listed',
          at: new Date(timestamp),
        }));
        return { changes, next: paging.next };
      }, from),
    ]);
    return {
      changes: [...ips.changes, ...domains.changes].toSorted((a, b) => b.at.getTime() - a.at.getTime()),
      isBound: ips.isBound || domains.isBound,
    };
  },
  refetchInterval: POLL_MS,
});

export const checkNow = (): Promise<{ message: string }> => api.call('POST /v1/galley/blocklists/check', { body: {} });

/** What someone notes on a listing. */
export interface Note {
  delist_requested?: boolean;
  comment?: string;
}

export const noteListing = (id: string, body: Note): Promise<Listing> =>
  api.call('PUT /v1/galley/blocklists/listings/{id}', { path: { id }, body });

const isIp = (text: string): boolean => text.includes(':') || /^[\d.]+$/.test(text);

/** Watches an address at once, a domain when its TXT record is there. */
export async function watchAsset(text: string): Promise<void> {
  if (isIp(text)) await api.call('POST /v1/optimize/ip_addresses', { body: { ip: text } });
  else await api.call('POST /v1/optimize/domains', { query: { domain: text }, body: {} });
}

export const verifyDomain = (domain: string): Promise<{ message: string }> =>
  api.call('PUT /v1/optimize/domains/verify', { query: { domain }, body: {} });

/** Ends the watch over an address or a domain. */
export async function unwatchAsset({ asset, kind }: Pick<Asset, 'asset' | 'kind'>): Promise<void> {
  if (kind === 'domain') await api.call('DELETE /v1/optimize/domains', { query: { domain: asset } });
  else await api.call('DELETE /v1/optimize/ip_addresses/{ip}', { path: { ip: asset } });
}

/** Listed for certain, or seen once, comes first. */
export function byUrgency(assets: readonly Asset[]): Asset[] {
  const weight = ({ listed, suspected }: Asset): number => listed.length * 1000 + suspected.length;
  return assets.toSorted((a, b) => weight(b) - weight(a));
}
