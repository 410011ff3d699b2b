import { api } from '../../../ground/api.ts';
import { LOOKED_MAX, NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { stateWords } from '../../../shared/review/review.ts';

/** Emails whose newest version waits for a review, or for changes that one asked for. */
export const waitingReviews: FindNeeds = async (signal) => {
  const { items, total } = await api.call('GET /v1/emails', { query: { limit: LOOKED_MAX } }, { signal });
  const waiting = items.filter(({ review }) => review.state === 'open' || review.state === 'changes_requested');
  return {
    things: waiting.slice(0, NEEDY_MAX).map(({ id, name, review, updated_at: at }) => ({
      name,
      about: stateWords(review.state).label,
      href: `/emails/${encodeURIComponent(id)}`,
      search: { tab: 'review' },
      since: new Date(at),
    })),
    total: total > items.length ? undefined : waiting.length,
    href: '/emails',
    looked: total > items.length ? `reviews of the ${LOOKED_MAX} emails that changed last` : 'reviews of emails',
  };
};
