import { api } from '../../../ground/api.ts';
import { NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';

/** Spam tests that are under way. */
export const runningSpamTests: FindNeeds = async (signal) => {
  const { items, meta } = await api.call(
    'GET /v1/inspect/spam',
    { query: { status: 'processing', limit: NEEDY_MAX } },
    { signal },
  );
  return {
    things: items.map(({ id, name, created_at: at }) => ({
      name,
      about: 'Spam test under way',
      href: `/spam/${encodeURIComponent(id)}`,
      since: new Date(at),
    })),
    total: meta.count,
    href: '/spam',
    search: { status: 'processing' },
    looked: 'spam tests',
    isUnderWay: true,
  };
};
