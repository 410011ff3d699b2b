// Alerts, with a page on loopback as their webhook.
import type { Calls } from '../bed.ts';
import { invalid, withoutKey } from './wrong.ts';

const SETTINGS = '/v1/alerts/settings/events';

export const ALERT_CALLS: Calls = {
  'GET /v1/alerts/events': { well: () => ({}), wrong: withoutKey() },
  [`POST ${SETTINGS}`]: {
    well: ({ site }) => ({
      json: { event_type: 'ip_listed', channel: 'webhook', settings: { url: `${site.url}/page` } },
    }),
    wrong: invalid(() => ({
      json: { event_type: 'unheard', channel: 'email', settings: { emails: ['a@example.com'] } },
    })),
  },
};
