// Routes for mail that comes in.
import type { Bed, Calls } from '../bed.ts';
import { invalid, unknown } from './wrong.ts';

const form = { expression: 'match_recipient("conformance@.*")', action: ['store()', 'stop()'], priority: '5' };
const made = (bed: Bed): Promise<string> =>
  bed.once('route', async () => (await bed.get('POST /v3/routes', { form })).route.id);
const one = async (bed: Bed) => ({ path: { id: await made(bed) } });

export const ROUTE_CALLS: Calls = {
  'POST /v3/routes': { well: () => ({ form }), wrong: invalid({ form: { expression: 'match_sender("a")' } }) },
  'GET /v3/routes': {
    well: async (bed) => {
      await made(bed);
      return { query: { limit: '10', skip: '0' } };
    },
    wrong: invalid({ query: { limit: '1001' } }),
  },
  'GET /v3/routes/{id}': { well: one, wrong: unknown('id') },
  'PUT /v3/routes/{id}': {
    well: async (bed) => ({ ...(await one(bed)), form: { description: 'Changed', priority: '6' } }),
    wrong: unknown('id', { form: { priority: '6' } }),
  },
  'DELETE /v3/routes/{id}': {
    well: async (bed) => ({ path: { id: (await bed.get('POST /v3/routes', { form })).route.id } }),
    wrong: unknown('id'),
  },
  'GET /v3/routes/match': {
    well: async (bed) => {
      await made(bed);
      return { query: { address: 'conformance@in.example.com' } };
    },
    wrong: () => ({ query: { address: 'nobody-at-all@in.example.com' }, status: 404 }),
  },
};
