// Warm-ups of the bed's sending addresses, each call on an address of its own.
import type { Bed, Calls } from '../bed.ts';
import { unknown } from './wrong.ts';

const WARMUPS = '/v3/ip_warmups';
const ONE = `${WARMUPS}/{addr}`;

const warming = (bed: Bed, addr: string): Promise<string> =>
  bed.once(`warm-up ${addr}`, async () => {
    await bed.get(`POST ${ONE}`, { path: { addr } });
    return addr;
  });

export const IP_WARMUP_CALLS: Calls = {
  [`GET ${WARMUPS}`]: {
    well: async (bed) => {
      await warming(bed, '127.0.0.51');
      return { query: { limit: '5' } };
    },
    wrong: () => ({ query: { limit: '0' }, status: 400 }),
  },
  [`GET ${ONE}`]: {
    well: async (bed) => ({ path: { addr: await warming(bed, '127.0.0.51') } }),
    wrong: unknown('addr'),
    // Its first stage runs for a day.
    mayBeEmpty: ['details.stage_history[]'],
  },
  [`POST ${ONE}`]: {
    well: async (bed) => {
      // Both lists have it: what the first began is stopped again.
      await bed.send(`DELETE ${ONE}`, { path: { addr: '127.0.0.52' } });
      return { path: { addr: '127.0.0.52' } };
    },
    wrong: unknown('addr'),
  },
  [`DELETE ${ONE}`]: {
    well: async (bed) => ({ path: { addr: await warming(bed, '127.0.0.53') } }),
    wrong: unknown('addr'),
  },
};
