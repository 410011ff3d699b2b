import { api } from '../../../ground/api.ts';
import { LOOKED_MAX, NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { fromUnix } from '../../../ground/words.ts';

/** Tests whose pictures are being made. */
export const runningTests: FindNeeds = async (signal) => {
  const { items, meta } = await api.call(
    'GET /v1/previews/summary',
    { query: { limit: LOOKED_MAX, page: 1 } },
    { signal },
  );
  const running = items.filter(({ clients }) => clients.processing > 0);
  return {
    things: running.slice(0, NEEDY_MAX).map(({ id, name, clients, date }) => ({
      name,
      about: `${clients.total - clients.processing} of ${clients.total} clients ready`,
      href: `/previews/${encodeURIComponent(id)}`,
      since: fromUnix(date),
    })),
    total: meta.count > items.length ? undefined : running.length,
    href: '/previews',
    looked: meta.count > items.length ? `the newest ${LOOKED_MAX} preview tests` : 'preview tests',
    isUnderWay: true,
  };
};
