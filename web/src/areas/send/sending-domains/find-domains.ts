import { api } from '../../../ground/api.ts';
import { FOUND_MAX, type Find } from '../../../ground/find.ts';

/** By name. */
export const findDomains: Find = async (words, signal) => {
  const { items } = await api.call(
    'GET /v4/domains',
    { query: { search: words, limit: FOUND_MAX, skip: 0 } },
    { signal },
  );
  return items.map(({ name }) => ({ name, href: `/domains/${encodeURIComponent(name)}` }));
};
