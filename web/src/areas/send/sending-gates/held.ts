import { api } from '../../../ground/api.ts';
import { NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { nameBySubject } from '../../../ground/words.ts';

/** Messages that wait for a person. */
export const held: FindNeeds = async (signal) => {
  const { items, meta } = await api.call(
    'GET /v1/galley/gate/messages',
    { query: { state: 'held', limit: NEEDY_MAX } },
    { signal },
  );
  return {
    things: items.map(({ message, reason, domain, created_at: at }) => ({
      name: nameBySubject(message.subject),
      about: reason,
      href: `/messages/${encodeURIComponent(domain)}/${encodeURIComponent(message.storage_key)}`,
      since: new Date(at),
    })),
    total: meta.count,
    href: '/held',
    looked: 'held messages',
  };
};
