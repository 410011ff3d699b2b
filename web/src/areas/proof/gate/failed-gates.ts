import { api } from '../../../ground/api.ts';
import { LOOKED_MAX, NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';

/** Runs that failed, or could not say, among the newest. */
export const failedGates: FindNeeds = async (signal) => {
  const { items, meta } = await api.call('GET /v1/inspect/gate', { query: { limit: LOOKED_MAX } }, { signal });
  const failed = items.filter(({ verdict, status }) => verdict === 'fail' || status === 'Failed');
  return {
    things: failed.slice(0, NEEDY_MAX).map(({ id, name, reasons, created_at: at }) => ({
      name,
      about: reasons[0] ?? 'The gate could not run.',
      href: `/gate/${encodeURIComponent(id)}`,
      since: new Date(at),
    })),
    total: meta.count > items.length ? undefined : failed.length,
    href: '/gate',
    looked: meta.count > items.length ? `the newest ${LOOKED_MAX} gate runs` : 'gate runs',
  };
};
