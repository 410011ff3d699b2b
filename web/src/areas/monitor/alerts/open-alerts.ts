import { api } from '../../../ground/api.ts';
import { NEEDY_MAX, type FindNeeds } from '../../../ground/needs.ts';
import { eventLabel } from './alerts-api.ts';

/** Alerts that are open. */
export const openAlerts: FindNeeds = async (signal) => {
  const { items, total } = await api.call(
    'GET /v1/galley/alerts',
    { query: { state: 'open', limit: NEEDY_MAX } },
    { signal },
  );
  return {
    things: items.map(({ event, subject, message, page, created_at: at }) => ({
      name: `${eventLabel(event)}: ${subject}`,
      about: message,
      href: page ?? '/alerts',
      since: new Date(at),
    })),
    total,
    href: '/alerts',
    looked: 'open alerts',
  };
};
