import { api } from '../../../ground/api.ts';
import { LOOKED_MAX, NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { nameBySubject } from '../../../ground/words.ts';

/** Placement tests that are under way. */
export const runningResults: FindNeeds = async (signal) => {
  const { items, total } = await api.call('GET /v4/inbox/results', { query: { limit: LOOKED_MAX } }, { signal });
  const running = items.filter(({ status }) => status === 'processing');
  return {
    things: running.slice(0, NEEDY_MAX).map(({ result_id: id, subject, created_at: at }) => ({
      name: nameBySubject(subject),
      about: 'Placement test under way',
      href: `/placement/${encodeURIComponent(id)}`,
      since: new Date(at),
    })),
    total: total > items.length ? undefined : running.length,
    href: '/placement',
    looked: total > items.length ? `the newest ${LOOKED_MAX} placement tests` : 'placement tests',
    isUnderWay: true,
  };
};
