import { api } from '../../../ground/api.ts';
import { FOUND_MAX, type Find } from '../../../ground/find.ts';
import { day, fromUnix } from '../../../ground/words.ts';

/** By subject, the newest first. */
export const findTests: Find = async (words, signal) => {
  const { items } = await api.call(
    'GET /v1/previews/summary',
    { query: { subject: words, limit: FOUND_MAX, page: 1 } },
    { signal },
  );
  return items.map(({ id, name, date }) => ({
    name,
    about: day(fromUnix(date)),
    href: `/previews/${encodeURIComponent(id)}`,
  }));
};
