import { api } from '../../../ground/api.ts';
import { NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { count } from '../../../ground/words.ts';
import { ASSETS_MAX } from './blocklists-api.ts';

/** Addresses and domains that stand on a blocklist. */
export const listed: FindNeeds = async (signal) => {
  const { items } = await api.call('GET /v1/galley/blocklists/assets', { query: { limit: ASSETS_MAX } }, { signal });
  const found = items.filter(({ listed: lists }) => lists.length > 0);
  const isBound = items.length === ASSETS_MAX;
  return {
    things: found.slice(0, NEEDY_MAX).map(({ asset, listed: lists }) => ({
      name: asset,
      about: `On ${count(lists.length, 'blocklist')}: ${lists.map(({ name }) => name).join(', ')}`,
      href: '/blocklists',
    })),
    total: isBound ? undefined : found.length,
    href: '/blocklists',
    looked: isBound ? `blocklists, for the first ${ASSETS_MAX} addresses and domains` : 'blocklists',
  };
};
