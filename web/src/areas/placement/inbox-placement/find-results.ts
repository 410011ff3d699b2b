import { api } from '../../../ground/api.ts';
import { FOUND_MAX, type Find } from '../../../ground/find.ts';

/** By subject, the newest first. */
export const findResults: Find = async (words, signal) => {
  const { items } = await api.call(
    'GET /v4/inbox/results',
    { query: { subject: words, limit: FOUND_MAX, offset: 0 } },
    { signal },
  );
  return items.map(({ result_id: id, subject, sender }) => ({
    name: subject,
    about: sender,
    href: `/placement/${encodeURIComponent(id)}`,
  }));
};
