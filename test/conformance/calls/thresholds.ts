// Limits on what the account uses, far above what is used here, and alerts on how its sending goes.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const LIMITS = '/v1/thresholds/limits';
const ALERTS = '/v1/thresholds/alerts/send';

const limit = (name: string) => ({
  name,
  metric: 'seed_test_count',
  comparator: '>=',
  limit: '1000000',
  dimension: 'subaccount',
  filters: [],
  period: '1d',
  description: 'Plenty.',
});
const made =
  (name: string) =>
  async (bed: Bed): Promise<Request> => {
    await bed.once(`limit ${name}`, () => bed.get(`POST ${LIMITS}`, { json: limit(name) }));
    return { path: { name } };
  };

const sendAlert = (name: string) => ({
  name,
  metric: 'hard_bounce_rate',
  comparator: '>',
  limit: '0.02',
  dimension: 'domain',
  alert_channels: ['email'],
  filters: [{ dimension: 'domain', comparator: 'contains', values: ['example'] }],
  period: '1h',
  description: 'Too many.',
});
const madeAlert =
  (name: string) =>
  async (bed: Bed): Promise<Request> => {
    await bed.once(`alert on sending ${name}`, () => bed.get(`POST ${ALERTS}`, { json: sendAlert(name) }));
    return { path: { name } };
  };

/** What thresholds are and do. */
export const THRESHOLD_CALLS: Calls = {
  [`GET ${LIMITS}`]: { well: async (bed) => (await made('kept')(bed), {}), wrong: withoutKey() },
  [`POST ${LIMITS}`]: {
    well: () => ({ json: limit('new') }),
    wrong: invalid({ json: { ...limit('none'), limit: 'many' } }),
  },
  [`GET ${LIMITS}/{name}`]: { well: made('kept'), wrong: unknown('name') },
  [`PUT ${LIMITS}/{name}`]: {
    well: async (bed) => ({ ...(await made('kept')(bed)), json: limit('kept') }),
    wrong: unknown('name', { json: limit('kept') }),
  },
  [`DELETE ${LIMITS}/{name}`]: { well: made('gone'), wrong: unknown('name') },
  [`GET ${ALERTS}`]: { well: async (bed) => (await madeAlert('kept')(bed), {}), wrong: withoutKey() },
  [`POST ${ALERTS}`]: {
    well: () => ({ json: sendAlert('new') }),
    wrong: invalid({ json: { ...sendAlert('none'), limit: 'many' } }),
  },
  [`GET ${ALERTS}/{name}`]: { well: madeAlert('kept'), wrong: unknown('name') },
  [`PUT ${ALERTS}/{name}`]: {
    well: async (bed) => ({ ...(await madeAlert('kept')(bed)), json: sendAlert('kept') }),
    wrong: unknown('name', { json: sendAlert('kept') }),
  },
  [`DELETE ${ALERTS}/{name}`]: { well: madeAlert('gone'), wrong: unknown('name') },
  'GET /v1/thresholds/hits': { well: () => ({}), wrong: withoutKey(), mayBeEmpty: ['items[]'] },
};
