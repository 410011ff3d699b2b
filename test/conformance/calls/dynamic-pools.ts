// Dynamic pools, on addresses of their own; domains that are enrolled for each call.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const FREE = '127.0.0.57';
const SPARE = '127.0.0.58';
const ALL = { good_reputation: '127.0.0.54', poor_reputation: '127.0.0.55', new_senders: '127.0.0.56' };
const ENROLLMENT = '/v3/domains/{name}/dynamic_pools';
const V1 = '/v1/dynamic_pools';

/** Pools of the account, once the process has said what it can send from: a call before may have deleted them. */
async function pools(bed: Bed): Promise<void> {
  const all = [...Object.values(ALL), FREE, SPARE];
  await bed.until('GET /v3/ips', {}, ({ items }) => all.every((ip) => items.includes(ip)));
  const { pools: standing } = await bed.get('GET /v3/dynamic_pools');
  if (standing.length === 0) await bed.get('POST /v3/dynamic_pools/all', { form: ALL });
}

async function domain(bed: Bed, name: string): Promise<string> {
  await pools(bed);
  await bed.once(`domain of dynamic pools ${name}`, () => bed.get('POST /v4/domains', { form: { name } }));
  return name;
}

/** A domain that is in a dynamic pool. */
async function enrolled(bed: Bed, name: string): Promise<string> {
  const path = { name: await domain(bed, name) };
  const { status } = await bed.send(`POST ${ENROLLMENT}`, { path, query: { replacement_ip: FREE } });
  if (status !== 200 && status !== 409) throw new Error(`${name} could not be enrolled: ${status}`);
  return name;
}

/** A domain that is in none. */
async function free(bed: Bed, name: string): Promise<string> {
  const path = { name: await domain(bed, name) };
  await bed.send(`DELETE ${ENROLLMENT}`, { path, query: { replacement_ip: FREE } });
  return name;
}

const named =
  (rest: Request = {}) =>
  async (bed: Bed): Promise<Request> => ({ ...rest, path: { name: await enrolled(bed, 'banded.example.com') } });

/** What dynamic pools do. */
export const DYNAMIC_POOL_CALLS: Calls = {
  [`POST ${ENROLLMENT}`]: {
    well: async (bed) => ({ path: { name: await free(bed, 'joins.example.com') }, query: { replacement_ip: FREE } }),
    wrong: invalid(async (bed) => ({ path: { name: await domain(bed, 'joins-not.example.com') } })),
  },
  [`DELETE ${ENROLLMENT}`]: {
    well: async (bed) => ({
      path: { name: await enrolled(bed, 'leaves.example.com') },
      query: { replacement_ip: FREE },
    }),
    wrong: invalid(named()),
  },
  'GET /v3/domains/dynamic_pools/assignable': {
    well: async (bed) => (await domain(bed, 'alone.example.com'), { query: { domain: '^alone' } }),
    wrong: invalid({ query: { domain: '(' } }),
  },
  'POST /v3/domains/all/dynamic_pools/enroll': {
    well: async (bed) => {
      const { subaccount } = await bed.get('POST /v5/accounts/subaccounts', { form: { name: 'Enrolled' } });
      await pools(bed);
      return { headers: { 'X-Service-Account-Id': subaccount.id } };
    },
    wrong: withoutKey(),
  },
  'GET /v3/dynamic_pools': { well: async (bed) => (await pools(bed), {}), wrong: withoutKey() },
  'POST /v3/dynamic_pools/all': {
    well: async (bed) => (await pools(bed), { form: ALL }),
    wrong: invalid({ form: { ...ALL, new_senders: '192.0.2.1' } }),
  },
  'DELETE /v3/dynamic_pools/all': {
    well: async (bed) => {
      await pools(bed);
      for (;;) {
        const { items } = await bed.get(`GET ${V1}/domains`, { query: { limit: '1000' } });
        if (items.length === 0) return {};
        for (const { name, account_id: owner } of items)
          await bed.get(`DELETE ${ENROLLMENT}`, {
            path: { name },
            query: { replacement_ip: FREE },
            headers: { 'X-Service-Account-Id': owner },
          });
      }
    },
    wrong: withoutKey(),
  },
  'POST /v3/dynamic_pools/{pool_name}/{ip}': {
    well: async (bed) => (await pools(bed), { path: { pool_name: 'dynamic_good', ip: SPARE } }),
    wrong: unknown('pool_name', { path: { ip: SPARE } }),
  },
  'PATCH /v3/dynamic_pools/{pool_name}': {
    well: async (bed) => (await pools(bed), { path: { pool_name: 'dynamic_good' }, form: { add_ip: '127.0.0.54' } }),
    wrong: invalid({ path: { pool_name: 'dynamic_good' }, form: { add_ip: '192.0.2.1' } }),
  },
  [`GET ${V1}/domains`]: {
    well: async (bed) => (await enrolled(bed, 'banded.example.com'), {}),
    wrong: invalid({ query: { sort_by: 'age' } }),
  },
  [`GET ${V1}/domains/{name}/preview`]: { well: named(), wrong: unknown('name') },
  [`GET ${V1}/domains/{name}/history`]: { well: named(), wrong: unknown('name') },
  [`PUT ${V1}/domains/{name}/override`]: {
    well: named({ form: { pool: 'dynamic_good' } }),
    wrong: invalid(named({ form: { pool: 'dynamic_bad' } })),
  },
  [`DELETE ${V1}/domains/{name}/override`]: { well: named(), wrong: unknown('name') },
  [`GET ${V1}/history`]: {
    well: async (bed) => (await enrolled(bed, 'banded.example.com'), {}),
    wrong: invalid({ query: { moved_to: 'bad' } }),
  },
};
