import { api } from '../../../ground/api.ts';
import { NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';

/** Domains whose DNS records are not as they must be. */
export const unverifiedDomains: FindNeeds = async (signal) => {
  const { items, total_count: total } = await api.call(
    'GET /v4/domains',
    { query: { state: 'unverified', limit: NEEDY_MAX } },
    { signal },
  );
  return {
    things: items.map(({ name, checked_at: checked, verified_at: verified }) => ({
      name,
      about: verified
        ? 'Its DNS records no longer verify.'
        : checked
          ? 'Its DNS records do not verify.'
          : 'Its DNS records were not checked yet.',
      href: `/domains/${encodeURIComponent(name)}`,
    })),
    total,
    href: '/domains',
    looked: 'DNS records of sending domains',
  };
};
