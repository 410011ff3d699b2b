import { api } from '../../../ground/api.ts';
import { FOUND_MAX, type Find } from '../../../ground/find.ts';

/** By name and subject, those changed last first. */
export const findEmails: Find = async (words, signal) => {
  const { items } = await api.call(
    'GET /v1/emails',
    { query: { search: words, sort: 'updated', limit: FOUND_MAX, skip: 0 } },
    { signal },
  );
  return items.map(({ id, name, subject }) => ({
    name,
    about: subject === name ? undefined : subject,
    href: `/emails/${encodeURIComponent(id)}`,
  }));
};
